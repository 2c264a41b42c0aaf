import { goldAgent, noopAgent } from "../../agent/scripted-agents.js";
import { countBy } from "../../base/grouping.js";
import { meanOrNull } from "../../base/sums.js";
import { shellWord } from "../../base/text.js";
import { TRIAL_SENTENCES } from "../../report/judgement-words.js";
import { verdictHead } from "../../run/run-record.js";
import { signFlipUpperTest } from "../../stats/p-values.js";
import { type Judgement, type JudgementSentence, NO_NUMBERS } from "../../verdict/judgement.js";
import type { RunVerdicts, ValueUnit, Verdict, VerdictForm } from "../../verdict/verdict.js";
import { isLost, type ScoreColumn, type TrialRecord } from "../trial-records.js";
import { plannedTrials, type TrialRun } from "../trial-run.js";
import { judgedTrials, numberOf } from "./summarise-trials.js";
import type { SummaryRow } from "./trial-tables.js";

/** One-sided: above the floor where differences as large came by chance less often. */
const LEVEL = 0.01;
/** 2^−7 is the first below the level: with fewer tasks nothing can be shown. */
const LEAST_TASKS = 7;

interface Scored {
  readonly run: TrialRun;
  readonly folder: string;
  readonly records: readonly TrialRecord[];
  readonly summary: readonly SummaryRow[];
  readonly scores: readonly ScoreColumn[];
  readonly headline: string;
  /** Rule that the headline of a trial was made by, in a few words; absent: there has been one. */
  readonly ruleOf?: ((scores: TrialRecord["scores"]) => string) | undefined;
}

/** The run as comparison, CI reports and leaderboards know it: of the agent that it is about, a form a condition. */
export function trialVerdicts(scored: Scored): RunVerdicts {
  const { run, folder, records } = scored;
  const agent = run.agents[0]?.name ?? "";
  const own = records.filter((record) => record.agent === agent);
  return {
    ...verdictHead(run, folder),
    data: run.data.sha256,
    warnings: [...exposure(run), ...missing(scored)],
    ...(scored.ruleOf && { rules: [...new Set(judgedTrials(own).map(({ scores }) => scored.ruleOf?.(scores) ?? ""))] }),
    server: null,
    forms: run.conditions.map((condition) => formOf(scored, agent, condition)),
    verdicts: own.map((record) => verdictOf(record, scored)),
  };
}

/** Trials that are gone from the journal of a run that was complete. */
function missing({ run, folder, records }: Scored): string[] {
  const planned = plannedTrials(run);
  if (run.status !== "complete" || records.length >= planned) return [];
  return [missingText(run, folder, `${planned - records.length} of ${planned} trials`)];
}

/**
 * Says that records are gone from a journal of a run that was complete.
 * @param what such as `1 of 3 trials`
 */
export function missingText({ suite }: TrialRun, folder: string, what: string): string {
  return (
    `Missing from the journal of a run that was complete: ${what}. The tables are without them. Make them again: ` +
    resumeCommand(suite, folder)
  );
}

/**
 * Says that a run has not come to its end; nothing of one that was complete.
 * @param open such as `1 of 3 trials that are not made yet`
 */
export function unfinishedTexts({ suite, status }: TrialRun, folder: string, open: string): string[] {
  if (status === "complete") return [];
  const goesOn = `It goes on by: ${resumeCommand(suite, folder)}`;
  return [`The run is not finished (${status}): ${open}. The tables are without them. ${goesOn}`];
}

function resumeCommand(suite: string, folder: string): string {
  return `probe suite run ${suite} --resume ${shellWord(folder)}`;
}

function exposure({ hidden_tests_exposed }: TrialRun): string[] {
  if (!hidden_tests_exposed) return [];
  return ["no cage kept the agent from the hidden tests, the run and the network: install bubblewrap"];
}

function verdictOf(record: TrialRecord, { scores, headline }: Scored): Verdict {
  const passed = record.status === "graded" && record.valid === true ? (record.scores[headline] ?? null) : null;
  const values = scores.filter(({ kind, name }) => kind !== "label" && name !== headline);
  return {
    form: record.condition,
    item: `${record.task_id}#${record.trial}`,
    cluster: record.task_id,
    groups: { group: record.group },
    passed: typeof passed === "boolean" ? passed : null,
    lost: isLost(record),
    values: {
      ...Object.fromEntries(values.map(({ name }) => [name, numberOf(record.scores[name])])),
      cost_usd: record.cost_usd,
      calls: record.calls,
    },
    asked: null,
  };
}

function formOf(scored: Scored, agent: string, condition: string): VerdictForm {
  const { run, records, summary, scores, headline } = scored;
  const own = records.filter((record) => record.agent === agent && record.condition === condition);
  const rows = summary.filter((row) => row.agent === agent && row.condition === condition && row.groupBy === "overall");
  const others = scores.filter(({ kind, name }) => kind !== "label" && name !== headline);
  const failed = own.filter(isLost);
  return {
    name: condition,
    task: condition,
    difficulty: null,
    ablation: "none",
    title: condition,
    kind: "trial",
    items: "trials",
    records: {
      name: "trials",
      planned: plannedTrials({ ...run, agents: run.agents.slice(0, 1), conditions: [condition] }),
      recorded: own.length,
      failed: failed.length,
      failures: Object.fromEntries(countBy(failed.map(({ status }) => status))),
      mayBeFewer: false,
    },
    score: { metric: headline, title: `share ${headline}` },
    values: [...others, { name: "cost_usd", kind: "mean" }, { name: "calls", kind: "mean" }].map(({ name, kind }) => ({
      name,
      title: name.replaceAll("_", " "),
      unit: kind === "share" ? ("share" as const) : ("number" as const),
    })),
    columns: [
      ...boardColumns(scores, condition).map(({ id, unit }) => ({
        id,
        label: id.replaceAll("_", " "),
        value: rows.find(({ metric }) => metric === id)?.value ?? null,
        unit,
        distances: [],
      })),
      { id: "executions", label: "executions", value: executions(own), unit: "amount", distances: [] },
    ],
    groupBy: "group",
    paperTable: null,
    pool: null,
    judgement: judge(scored, agent, condition),
    measures: rows.map(({ metric, value, low, high, n }) => ({ metric, value, ciLow: low, ciHigh: high, n })),
  };
}

/** Columns of a leaderboard that are numbers of `summary.csv`. */
function boardColumns(
  scores: readonly ScoreColumn[],
  condition: string,
): { readonly id: string; readonly unit: ValueUnit }[] {
  const own = scores.filter(({ boards }) => boards?.includes(condition) === true);
  return [
    { id: "false_confidence", unit: "share" },
    { id: "cost_usd", unit: "number" },
    ...own.map(({ name, kind }) => ({ id: name, unit: kind === "share" ? ("share" as const) : ("amount" as const) })),
  ];
}

/** Mean of the actions of a trial that ran something, of the trials whose calls are told; `null`: of none. */
function executions(records: readonly TrialRecord[]): number | null {
  const told = judgedTrials(records).filter(({ facts }) => facts?.["messages"] !== undefined);
  return meanOrNull(told.map(({ facts }) => facts?.["actions execution"] ?? 0));
}

/** The value of the headline of an agent under a condition. */
function headlineOf(summary: readonly SummaryRow[], agent: string, condition: string, headline: string): number | null {
  const own = summary.filter((row) => row.agent === agent && row.condition === condition && row.groupBy === "overall");
  return own.find(({ metric }) => metric === headline)?.value ?? null;
}

function judge({ records, summary, headline }: Scored, agent: string, condition: string): Judgement {
  const score = headlineOf(summary, agent, condition, headline);
  const floor = headlineOf(summary, noopAgent.name, condition, headline);
  const ceiling = headlineOf(summary, goldAgent.name, condition, headline);
  const common = { ...NO_NUMBERS, score, floor, floorRule: floor === null ? null : "noop" };
  const found = { headline, score, noop: floor, gold: ceiling };
  const unknown = (sentence: JudgementSentence): Judgement => ({ ...common, state: "unknown", sentence });
  if (score === null) return unknown(TRIAL_SENTENCES.noScore(found));
  if (floor === null) return unknown(TRIAL_SENTENCES.noFloor(found));
  if (agent === noopAgent.name) return unknown(TRIAL_SENTENCES.isFloor(found));
  const differences = differencesByTask(records, headline, agent, condition);
  if (differences.length < LEAST_TASKS) return unknown(TRIAL_SENTENCES.tooFew(found, differences.length));
  const pValue = signFlipUpperTest(differences);
  const state = pValue < LEVEL ? "above_floor" : "at_floor";
  const test = { pValue, against: "noop", clusters: differences.length };
  return { ...common, ...test, state, sentence: TRIAL_SENTENCES.tested(found, pValue) };
}

/** Trials passed minus what noop would pass in as many, a task each. */
function differencesByTask(
  records: readonly TrialRecord[],
  headline: string,
  agent: string,
  condition: string,
): number[] {
  const judged = judgedTrials(records).filter((record) => record.condition === condition);
  const noop = new Map(
    judged.filter((each) => each.agent === noopAgent.name).map((each) => [each.task_id, each.scores[headline]]),
  );
  const sums = new Map<string, number>();
  for (const record of judged.filter((each) => each.agent === agent)) {
    const floor = numberOf(noop.get(record.task_id));
    const value = numberOf(record.scores[headline]);
    if (floor === null || value === null) continue;
    sums.set(record.task_id, (sums.get(record.task_id) ?? 0) + value - floor);
  }
  return [...sums.values()];
}
