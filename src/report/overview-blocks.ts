import { groupBy } from "../base/group-by.js";
import type { Estimate } from "../stats/interval.js";
import type { Link } from "../verdict/link.js";
import type { RealityFact, RunVerdicts, ScoreMark, VerdictForm } from "../verdict/verdict.js";
import type { Block, Tone } from "./block.js";
import { type ColumnOf, heading, intervalOf, lead, numberCell, tableOf, textCell } from "./make-block.js";
import { STATE_WORDS } from "./state-words.js";

/** A run of agents held against a run of probes about its tasks, maybe of another model. */
export interface LinkedRuns {
  readonly run: RunVerdicts;
  readonly probes: RunVerdicts;
  readonly link: Link;
}

interface OverviewRow {
  /** Set on the first row of its kind alone. */
  readonly part: string;
  readonly what: string;
  readonly value: Estimate | null;
  /** What stands before the value. */
  readonly mark?: ScoreMark | undefined;
  readonly floor: number | null;
  readonly worth: string;
  readonly tone: Tone;
}

/**
 * What is known of each model in one table: what it understood, what it did, and whether these numbers are real.
 * @param links runs of agents with probes about the same tasks
 */
export function overviewBlocks(runs: readonly RunVerdicts[], links: readonly LinkedRuns[]): Block[] {
  const models = groupBy(runs, ({ model }) => model);
  return [
    lead(
      "Comprehension: questions about code. Action: what was done to code. Reality: what the numbers above it rest on. ",
      "A score says something where it is above its floor, which is reached without comprehension or by doing nothing.",
    ),
    ...[...models].flatMap(([model, own]) => [
      heading(3, model),
      tableOf(
        null,
        COLUMNS,
        rowsOf(
          own,
          links.filter(({ run }) => run.model === model),
        ),
      ),
    ]),
  ];
}

function rowsOf(runs: readonly RunVerdicts[], links: readonly LinkedRuns[]): OverviewRow[] {
  const forms = runs.flatMap((run) =>
    run.forms
      .filter(({ ablation, records }) => ablation === "none" && records.recorded > 0)
      .map((form) => ({ run, form })),
  );
  const isAction = ({ form }: (typeof forms)[number]) => form.items === "trials";
  return [
    ...titled(
      "comprehension",
      forms.filter((each) => !isAction(each)).map(({ run, form }) => formRow(`${form.name}${runOf(run, runs)}`, form)),
    ),
    ...titled("action", [
      ...forms
        .filter(isAction)
        .map(({ run, form }) => formRow(`${run.suite} ${form.name}: ${form.score.metric}${runOf(run, runs)}`, form)),
      ...links.flatMap((each) => {
        const of = `${runOf(each.run, runs)}${runOf(each.probes, runs)}`;
        return linkRow(each).map((row) => ({ ...row, what: `${row.what}${of}` }));
      }),
    ]),
    ...titled(
      "reality",
      runs.flatMap((run) => [
        ...(run.reality ?? []).map((fact) => factRow(`${run.suite}${runOf(run, runs)}: ${fact.title}`, fact)),
        ...run.warnings.map((worth) => ({
          ...NOTHING,
          what: `${run.suite}${runOf(run, runs)}`,
          worth,
          tone: "warning" as const,
        })),
      ]),
    ),
  ];
}

/** Which run of a suite it is, where there are several. */
function runOf(run: RunVerdicts, runs: readonly RunVerdicts[]): string {
  return runs.filter(({ suite }) => suite === run.suite).length > 1 ? ` · ${run.runId}` : "";
}

type Untitled = Omit<OverviewRow, "part">;

function titled(part: string, rows: readonly Untitled[]): OverviewRow[] {
  return rows.map((row, i) => ({ part: i === 0 ? part : "", ...row }));
}

const NOTHING = { value: null, floor: null } as const;

function formRow(what: string, { judgement, measures, score }: VerdictForm): Untitled {
  const measure = measures.find(({ metric }) => metric === score.metric);
  const value = judgement.score ?? measure?.value ?? null;
  const { text, tone } = STATE_WORDS[judgement.state];
  return {
    what,
    value: value === null ? null : { value, low: measure?.ciLow ?? null, high: measure?.ciHigh ?? null },
    mark: judgement.mark,
    floor: judgement.floor,
    worth: text,
    tone,
  };
}

function linkRow({ run, probes, link }: LinkedRuns): Untitled[] {
  const reader = probes.model === run.model ? "" : `, as ${probes.model} answered`;
  const what = `${run.suite}: successes without comprehension${reader}`;
  if (link.status === "refused") return [{ ...NOTHING, what, worth: "not linked: see below", tone: "plain" }];
  const [table] = link.tables;
  if (table === undefined) return [];
  const worth = `${table.successOnly} of ${table.both + table.successOnly} tasks`;
  return [{ what, value: table.without, floor: null, worth, tone: "plain" }];
}

const FACT_TONES = { good: "good", doubtful: "warning", bad: "bad", unknown: "plain" } as const;

function factRow(what: string, { share, state, text }: RealityFact): Untitled {
  return { what, value: share, floor: null, worth: text, tone: FACT_TONES[state] };
}

const COLUMNS: readonly ColumnOf<OverviewRow>[] = [
  { id: "part", label: "", align: "left", importance: 1, cell: ({ part }) => textCell(part) },
  { id: "what", label: "what", align: "left", importance: 1, cell: ({ what }) => textCell(what) },
  {
    id: "value",
    label: "value (95 %)",
    align: "right",
    importance: 1,
    cell: ({ value, mark }) =>
      numberCell(value?.value, "fraction", {
        interval: intervalOf(value?.low, value?.high),
        ...(mark && { badge: mark }),
      }),
  },
  { id: "floor", label: "floor", align: "right", importance: 1, cell: ({ floor }) => numberCell(floor, "fraction") },
  { id: "worth", label: "worth", align: "left", importance: 1, cell: ({ worth, tone }) => textCell(worth, tone) },
];
