import { basename } from "node:path";
import { groupBy } from "../../base/grouping.js";
import type { Estimate } from "../../stats/interval.js";
import type { ScoreMark } from "../../verdict/judgement.js";
import type { Link } from "../../verdict/task-link.js";
import { formLabel, type RealityFact, type RunVerdicts, type VerdictForm } from "../../verdict/verdict.js";
import type { Block, Cell, Tone } from "../block.js";
import { STATE_WORDS } from "../judgement-words.js";
import {
  type ColumnOf,
  EMPTY,
  heading,
  intervalOf,
  lead,
  leftColumn,
  numberCell,
  rightColumn,
  tableOf,
  textCell,
  textColumn,
} from "../make-block.js";

/** A run of agents held against a run of probes about its tasks, maybe of another model. */
export interface LinkedRuns {
  readonly run: RunVerdicts;
  readonly probes: RunVerdicts;
  readonly link: Link;
}

interface OverviewRow {
  /** Names the rows below it, and has nothing else. */
  readonly isHead?: true;
  readonly what: string;
  readonly value: Estimate | null;
  /** A word before the value. */
  readonly mark?: ScoreMark | undefined;
  /** Absent: it has none; `null`: not measured. */
  readonly floor?: number | null;
  readonly worth: string | readonly string[];
  readonly tone: Tone;
}

/**
 * One table a model: its comprehension, its actions, and the reality of these numbers.
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
  const isAction = ({ form }: (typeof forms)[number]) => form.kind === "trial";
  return [
    ...titled(
      "COMPREHENSION",
      forms
        .filter((each) => !isAction(each))
        .map(({ run, form }) => formRow(`${formLabel(form)}${runOf(run, runs)}`, form)),
    ),
    ...titled("ACTION", [
      ...forms
        .filter(isAction)
        .map(({ run, form }) => formRow(`${run.suite} ${form.name}: ${form.score.metric}${runOf(run, runs)}`, form)),
      ...links.flatMap((each) => {
        const of = `${runOf(each.run, runs)}${runOf(each.probes, runs)}`;
        return linkRow(each).map((row) => ({ ...row, what: `${row.what}${of}` }));
      }),
    ]),
    ...titled(
      "REALITY",
      runs.flatMap((run) => realityRows(`${run.suite}${runOf(run, runs)}`, run)),
    ),
  ];
}

/** Rows of reality: one a measured fact, one for all that were not measured. */
function realityRows(name: string, { reality = [], warnings }: RunVerdicts): OverviewRow[] {
  const isMeasured = ({ share, state }: RealityFact) => share !== null || state !== "unknown";
  const open = reality.filter((fact) => !isMeasured(fact)).map(({ title, text }) => `${title}: ${text}`);
  const row = (what: string, worth: string | readonly string[], tone: Tone) => ({ ...NOTHING, what, worth, tone });
  return [
    ...reality.filter(isMeasured).map(({ title, share, state, text }) => ({
      what: `${name}: ${title}`,
      value: share,
      worth: text,
      tone: FACT_TONES[state],
    })),
    ...(open.length === 0 ? [] : [row(`${name}: not known`, open, "plain")]),
    ...(warnings.length === 0 ? [] : [row(name, warnings, "warning")]),
  ];
}

/** Name of a run among several of its suite. */
function runOf(run: RunVerdicts, runs: readonly RunVerdicts[]): string {
  const own = runs.filter(({ suite }) => suite === run.suite);
  if (own.length < 2) return "";
  const names = own.map(({ folder }) => basename(folder));
  return ` · ${new Set(names).size === names.length ? basename(run.folder) : run.runId}`;
}

function titled(what: string, rows: readonly OverviewRow[]): OverviewRow[] {
  return rows.length === 0 ? [] : [{ ...NOTHING, isHead: true, what, worth: "", tone: "plain" }, ...rows];
}

const NOTHING = { value: null } as const;

function formRow(what: string, { judgement, measures, score }: VerdictForm): OverviewRow {
  const measure = measures.find(({ metric }) => metric === score.metric);
  const value = judgement?.score ?? measure?.value ?? null;
  const { text, tone } = STATE_WORDS[judgement?.state ?? "unknown"];
  return {
    what,
    value: value === null ? null : { value, low: measure?.ciLow ?? null, high: measure?.ciHigh ?? null },
    mark: judgement?.mark,
    floor: judgement?.floor ?? null,
    worth: text,
    tone,
  };
}

function linkRow({ run, probes, link }: LinkedRuns): OverviewRow[] {
  const reader = probes.model === run.model ? "" : `, as ${probes.model} answered`;
  const what = `${run.suite}: successes without comprehension${reader}`;
  if (link.status === "refused") return [{ ...NOTHING, what, worth: "not linked: see below", tone: "plain" }];
  const [table] = link.tables;
  if (table === undefined) return [];
  const worth = `${table.successOnly} of ${table.both + table.successOnly} tasks`;
  return [{ what, value: table.without, worth, tone: "plain" }];
}

const FACT_TONES = { good: "good", doubtful: "warning", bad: "bad", unknown: "plain" } as const;

/** A cell of a row that is no head. */
function unlessHead(cell: (row: OverviewRow) => Cell): (row: OverviewRow) => Cell {
  return (row) => (row.isHead === true ? EMPTY : cell(row));
}

const COLUMNS: readonly ColumnOf<OverviewRow>[] = [
  textColumn("what", "", ({ what }) => what),
  leftColumn(
    "worth",
    "worth",
    unlessHead(({ worth, tone }) => textCell(worth, tone)),
  ),
  rightColumn(
    "value",
    "value (95 %)",
    unlessHead(({ value, mark }) =>
      numberCell(value?.value, "fraction", {
        interval: intervalOf(value?.low, value?.high),
        ...(mark && { badge: mark }),
      }),
    ),
  ),
  rightColumn("floor", "floor", ({ floor }) => (floor === undefined ? EMPTY : numberCell(floor, "fraction"))),
];
