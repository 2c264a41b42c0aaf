import { goldAgent, noopAgent } from "../../../agent/scripted-agents.js";
import { badInput } from "../../../base/errors.js";
import { groupBy } from "../../../base/grouping.js";
import { meanOrNull } from "../../../base/sums.js";
import { askJudge } from "../../../judge/ask-judge.js";
import { type JudgeControl, judgeControl, worthNotice } from "../../../judge/judge-controls.js";
import { type JudgedArms, ratingPlan } from "../../../judge/judged-run.js";
import { type AdvisedRun, type AdviserPart, plansItself } from "../../../judge/plan-adviser.js";
import { ratingTables } from "../../../judge/rating-blocks.js";
import { RATINGS, type RatingRecord } from "../../../judge/rating-records.js";
import { modelName } from "../../../model/vendor/model-name.js";
import type { Block } from "../../../report/block.js";
import { type ColumnOf, estimateColumn, heading, numberColumn, sentence, tableOf } from "../../../report/make-block.js";
import type { PlannedJournal, StoredRun } from "../../../run/suite.js";
import { type Estimate, proportion } from "../../../stats/interval.js";
import { PlaceNumbers } from "../../../store/journal/slots.js";
import { columnsOf, type Table } from "../../../store/table.js";
import { tableBy } from "../../../trial/score/own-table.js";
import { numberOf } from "../../../trial/score/summarise-trials.js";
import { NO_SCORE, type PartPlan, type PartScore, type TrialPlan } from "../../../trial/suite-part.js";
import { artifactsOf } from "../../../trial/trial-artifacts.js";
import { recordsOf, type TrialRecord } from "../../../trial/trial-records.js";
import { plannedTrials, type TrialRun } from "../../../trial/trial-run.js";
import { loadPrompts } from "../plans.js";
import { SIX_PLANS_OPTION } from "../taste-options.js";
import type { TasteTask } from "../taste-task.js";
import { chosenIn, QUESTION_COUNT, SEVERAL, SINGLE, type SixQuestion, sixJudging } from "./six-judging.js";

/** The plans of a run are judged once more, six by six, where that is asked for. */
export function withSixPlans(adviser: AdviserPart<TasteTask>): AdviserPart<TasteTask> {
  return {
    ...adviser,
    options: { ...adviser.options, ...SIX_PLANS_OPTION },
    journals: (run) => [...adviser.journals(run), ...(isAsked(run) ? [journalOf(run)] : [])],
    async plan(trials, request) {
      const planned = await adviser.plan(trials, request);
      if ((request.values as { readonly sixPlans?: unknown }).sixPlans !== true) return planned;
      requirePlans(trials);
      const { own, preview } = planned;
      const run = { ...own, shard: trials.shard, criteria: criteriaOf(own) };
      return {
        ...planned,
        preview: () => previewWith(preview, run),
        async perform(session) {
          const judge = planned.judge();
          if (judge === null) return;
          const judging = sixJudging(await loadPrompts());
          const values = { ...request.values, judgeVotes: 1 };
          await askJudge({ judging, tasks: trials.tasks, run, request: { values }, session, judge });
        },
      };
    },
    score: async (stored, records) =>
      isAsked(stored.run)
        ? scoreSix(stored.run, records, await recordsOf(stored, RATINGS), await chosenPlans(stored, records))
        : adviser.score(stored, records),
  };
}

function isAsked({ parameters }: Pick<AdvisedRun, "parameters">): boolean {
  return parameters[SIX_PLANS_OPTION.sixPlans.parameter ?? ""] === true;
}

function criteriaOf({ tasks }: Pick<TrialRun, "tasks">): number[] {
  return tasks.map(() => QUESTION_COUNT);
}

function journalOf(run: AdvisedRun): PlannedJournal {
  const plan = ratingPlan({ ...run, criteria: criteriaOf(run) }, 1);
  return { codec: RATINGS, plan, records: new PlaceNumbers(plan).total, name: "verdicts" };
}

/** @throws ProbeError `bad_input` where there will be no six plans */
function requirePlans({ own }: TrialPlan<TasteTask>): void {
  const lacking = [SINGLE, SEVERAL].filter((condition) => !own.conditions.includes(condition));
  if (lacking.length === 0 && plansItself(own)) return;
  const found = lacking.length === 0 ? "one that works without plans" : `none under ${lacking.join(" and ")}`;
  throw badInput(
    `Expected an agent that plans under ${SINGLE} and ${SEVERAL} with --six-plans, found ${found}. Leave it out, or name both by --condition.`,
  );
}

async function previewWith(preview: PartPlan["preview"], run: JudgedArms): ReturnType<PartPlan["preview"]> {
  const { blocks, document } = await preview();
  const pairs = plannedTrials({ ...run, conditions: [SEVERAL], agents: run.agents.filter((each) => !each.is_control) });
  const calls = pairs * QUESTION_COUNT;
  return {
    blocks: [...blocks, sentence(`--six-plans: at most ${calls} questions more to the judge.`)],
    document: { ...document, six_plans_calls: calls },
  };
}

/** Plans that trials of several followed. */
async function chosenPlans({ run, folder }: StoredRun<AdvisedRun>, records: readonly TrialRecord[]) {
  const several = records.filter(({ condition, status }) => condition === SEVERAL && status === "graded");
  const found = new Map<TrialRecord, string | null>();
  for (const record of several) found.set(record, await chosenIn(artifactsOf(folder, run, record)));
  return found;
}

/** Choices of a run, and the worth of who chose. */
function scoreSix(
  run: AdvisedRun,
  records: readonly TrialRecord[],
  ratings: readonly RatingRecord[],
  chosen: ReadonlyMap<TrialRecord, string | null>,
): PartScore {
  const said = ratings.filter(({ status }) => status !== "not_asked");
  const rows = sixRows(run.run_id, said, records, (record) => chosen.get(record) ?? null);
  const shares = sixShares(rows);
  const name = run.judge === null ? "" : modelName(run.judge);
  const control = plansControl(name, said);
  const lost = ratings.filter(({ status }) => status === "lost").length;
  const graded = records.filter(({ status }) => status === "graded").length;
  const open = Math.max(0, graded * QUESTION_COUNT - ratings.length) + lost;
  return {
    ...NO_SCORE,
    tables: [tableBy(SIX_PLANS, () => rows), ...ratingTables(run, name, said)],
    unfinished: open === 0 ? null : `${open} choices among six plans that are not made yet`,
    blocks: [...sixBlocks(shares), ...(control === null ? [] : [worthNotice(control)])],
    document: { six_plans: { ...shares, control } },
  };
}

/** Worth of a judge of plans: it has to choose what is wanted, and not to change nothing. */
function plansControl(name: string, ratings: readonly RatingRecord[]): JudgeControl | null {
  const agents: ReadonlyMap<string, string> = new Map([
    ["wanted", goldAgent.name],
    ["nothing", noopAgent.name],
  ]);
  const controls = ratings.flatMap((rating): RatingRecord[] => {
    const agent = agents.get(rating.criterion_id);
    return agent === undefined ? [] : [{ ...rating, agent, criterion_id: "chosen" }];
  });
  return judgeControl(name, controls, "plans");
}

/** A choice among six plans, beside what came of the two that were carried out. */
export interface SixRow {
  readonly runId: string;
  readonly agent: string;
  readonly task: string;
  readonly trial: number;
  /** `alone`: the plan that was written alone; a number: one of the five; `null`: not read. */
  readonly picked: string | null;
  /** The same in another order. */
  readonly again: string | null;
  /** The one of the five that was chosen before and carried out; `null`: not known. */
  readonly executed: string | null;
  /** IFR of the plan that was written alone, and of that one. */
  readonly ifrAlone: number | null;
  readonly ifrExecuted: number | null;
}

/** `six_plans.csv`. */
export const SIX_PLANS: Table<SixRow> = {
  file: "six_plans.csv",
  title: "One row a choice among a plan that was written alone and five that were written together.",
  primaryKey: ["run_id", "agent", "task_id", "trial"],
  columns: columnsOf<SixRow>([
    ["run_id", "string", "The run.", ({ runId }) => runId],
    ["agent", "string", "Who planned.", ({ agent }) => agent],
    ["task_id", "string", "The instance.", ({ task }) => task],
    ["trial", "integer", "Number of the trials, from 0.", ({ trial }) => trial],
    ["picked", "string", "alone, or the number of one of the five; empty: not read.", ({ picked }) => picked],
    ["again", "string", "The same, in another order.", ({ again }) => again],
    ["executed", "string", "The one of the five that was carried out; empty: not known.", ({ executed }) => executed],
    ["ifr_alone", "number", "IFR of the plan that was written alone.", ({ ifrAlone }) => ifrAlone],
    ["ifr_executed", "number", "IFR of the one of the five that was carried out.", ({ ifrExecuted }) => ifrExecuted],
  ]),
};

/** @param chosenIn the plan that a trial of several followed, by its number; `null`: not known */
function sixRows(
  runId: string,
  ratings: readonly RatingRecord[],
  records: readonly TrialRecord[],
  chosenIn: (record: TrialRecord) => string | null,
): SixRow[] {
  const keyOf = ({ agent, task_id, trial }: Pick<TrialRecord, "agent" | "task_id" | "trial">) =>
    JSON.stringify([agent, task_id, trial]);
  const said = ratings.filter(({ status }) => status === "read" || status === "unreadable");
  const made = records.filter(({ status, valid }) => status === "graded" && valid !== false);
  const [asked, graded] = [groupBy(said, keyOf), groupBy(made, keyOf)];
  return [...asked].flatMap(([key, own]): SixRow[] => {
    const [first] = own;
    if (first === undefined) return [];
    const trialOf = (condition: string) => graded.get(key)?.find((record) => record.condition === condition);
    const verdictOf = (id: SixQuestion) => own.find(({ criterion_id }) => criterion_id === id)?.verdict ?? null;
    const [alone, several] = [trialOf(SINGLE), trialOf(SEVERAL)];
    return [
      {
        runId,
        agent: first.agent,
        task: first.task_id,
        trial: first.trial,
        picked: verdictOf("six_plans"),
        again: verdictOf("six_plans_again"),
        executed: several === undefined ? null : chosenIn(several),
        ifrAlone: numberOf(alone?.scores["ifr"]),
        ifrExecuted: numberOf(several?.scores["ifr"]),
      },
    ];
  });
}

/** What the choices of a judge come to. */
interface SixShares {
  /** The better plan is picked, of choices of either carried-out plan where they differ. */
  readonly accuracy: Estimate | null;
  /** The same of all choices where they differ: another plan is wrong. */
  readonly strict: Estimate | null;
  /** The same plan in both orders. */
  readonly steady: Estimate | null;
  /** Mean IFR of the plans that were picked and carried out, 0–1. */
  readonly impliedIfr: number | null;
  /** Choices of a plan that nobody carried out: their IFR is not known. */
  readonly notExecuted: number;
  readonly n: number;
}

/**
 * Accuracy of a judge of six plans (CodeTaste, A.6): picks of the plan with the higher IFR, of all picks of either plan that
 * was carried out; ties, and choices that cannot be read, are left out. Strict: of all picks. Wilson's intervals.
 */
export function sixShares(rows: readonly SixRow[]): SixShares {
  const read = rows.flatMap((row) => (row.picked === null ? [] : [{ ...row, picked: row.picked, ifr: ifrOf(row) }]));
  const differing = read.filter(
    ({ ifrAlone, ifrExecuted }) => ifrAlone !== null && ifrExecuted !== null && ifrAlone !== ifrExecuted,
  );
  const right = differing.filter(({ ifr, ifrAlone, ifrExecuted }) => ifr === Math.max(ifrAlone ?? 0, ifrExecuted ?? 0));
  const executed = differing.filter(({ ifr }) => ifr !== null);
  const twice = read.filter(({ again }) => again !== null);
  return {
    accuracy: proportion(right.length, executed.length),
    strict: proportion(right.length, differing.length),
    steady: proportion(twice.filter(({ picked, again }) => picked === again).length, twice.length),
    impliedIfr: meanOrNull(read.map(({ ifr }) => ifr)),
    notExecuted: read.filter((row) => row.picked !== "alone" && row.picked !== row.executed).length,
    n: read.length,
  };
}

/** IFR of the plan that was picked; `null`: it was not carried out, or its IFR is not known. */
function ifrOf({ picked, executed, ifrAlone, ifrExecuted }: SixRow): number | null {
  if (picked === "alone") return ifrAlone;
  return picked !== null && picked === executed ? ifrExecuted : null;
}

const COLUMNS: readonly ColumnOf<SixShares>[] = [
  numberColumn("n", "choices", "count", ({ n }) => n),
  estimateColumn("accuracy", "accuracy", "fraction", ({ accuracy }) => accuracy),
  estimateColumn("strict", "strict", "fraction", ({ strict }) => strict),
  estimateColumn("steady", "same in another order", "fraction", ({ steady }) => steady, { shortLabel: "steady" }),
  numberColumn("implied", "IFR of picks", "fraction", ({ impliedIfr }) => impliedIfr),
  numberColumn("not_executed", "not carried out", "count", ({ notExecuted }) => notExecuted, { shortLabel: "other" }),
];

/** Table of the choices of a run. */
function sixBlocks(shares: SixShares): Block[] {
  const text =
    "One plan that was written alone, five that were written together; only the former and the one of the five that was chosen " +
    "before were carried out. Accuracy: the better of these two, of all picks of either; strict: of all picks.";
  return [heading(3, "Choice among six plans"), sentence(text), tableOf(null, COLUMNS, [shares], { isCards: true })];
}
