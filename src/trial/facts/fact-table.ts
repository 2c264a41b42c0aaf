import { groupBy } from "../../base/grouping.js";
import { meanOrNull } from "../../base/sums.js";
import type { Block } from "../../report/block.js";
import { heading, numberColumn, sentence, tableOf, textColumn } from "../../report/make-block.js";
import { columnsOf, type Table } from "../../store/table.js";
import { judgedTrials, numberOf } from "../score/summarise-trials.js";
import type { ScoreColumn, TrialRecord } from "../trial-records.js";
import type { TrialRun } from "../trial-run.js";
import { ACTION_CLASSES, TENTHS, tenthName } from "./activity.js";

/** Way to set trials apart: the group of a trial; `null`: it is in none. */
export interface TrialGrouping {
  readonly name: string;
  /** The group of a trial. */
  readonly of: (record: TrialRecord) => string | null;
}

/** Scores of a suite: those that its leaderboards count stand among the facts. */
interface ScoredBy {
  readonly headline: string;
  readonly scores: readonly ScoreColumn[];
}

/** A fact of a set of trials: its mean. */
interface FactRow {
  readonly agent: string;
  readonly condition: string;
  readonly groupBy: string;
  readonly group: string;
  readonly fact: string;
  readonly value: number | null;
  readonly n: number;
}

/** `facts.csv`. */
export const FACTS: Table<FactRow & { readonly run: TrialRun }> = {
  file: "facts.csv",
  title: "One row a mean of what agents did and changed, by what sets trials apart.",
  primaryKey: ["run_id", "agent", "condition", "group_by", "group", "fact"],
  columns: columnsOf<FactRow & { readonly run: TrialRun }>([
    ["run_id", "string", "The run.", ({ run }) => run.run_id],
    ["suite", "string", "The suite.", ({ run }) => run.suite],
    ["agent", "string", "Who worked.", ({ agent }) => agent],
    ["condition", "string", "The arm of the suite.", ({ condition }) => condition],
    ["group_by", "string", "overall, passed, gold_size, or what else sets trials apart.", ({ groupBy: by }) => by],
    ["group", "string", "Name of the group.", ({ group }) => group],
    [
      "fact",
      "string",
      "Such as edited_files, calls_a_message, calls of a tool, actions of a class in a tenth of the trajectory.",
      ({ fact }) => fact,
    ],
    ["value", "number", "Mean over the trials that have it.", ({ value }) => value],
    ["n", "integer", "Trials that have it.", ({ n }) => n],
  ]),
};

/** Numbers of every trial that have a mean in every group, besides its facts. */
const ALWAYS = ["cost_usd", "prompt_tokens", "completion_tokens", "calls"] as const;

/**
 * Means of facts, tokens, cost and the headline, overall, by whether the trial passed, by the size of the right solution (six
 * bins of as many tasks each), and by what a suite sets apart. Trials of runs that have no facts give none.
 */
export function factRows(
  records: readonly TrialRecord[],
  scored: ScoredBy,
  groupings: readonly TrialGrouping[],
): FactRow[] {
  const judged = judgedTrials(records).filter(({ facts }) => facts !== undefined);
  const binOf = sizeBins(judged);
  const all: readonly TrialGrouping[] = [
    { name: "overall", of: () => "" },
    { name: "passed", of: ({ scores }) => passedText(scores[scored.headline]) },
    { name: "gold_size", of: binOf },
    ...groupings,
  ];
  const arms = groupBy(judged, ({ agent, condition }) => JSON.stringify([agent, condition]));
  return [...arms.values()].flatMap((own) =>
    all.flatMap(({ name, of }) => {
      const placed = own.filter((record) => of(record) !== null);
      return [...groupBy(placed, (record) => of(record) ?? "")]
        .toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
        .flatMap(([group, part]) => meansOf(part, scored, { groupBy: name, group }));
    }),
  );
}

function passedText(score: unknown): string | null {
  return typeof score === "boolean" ? String(score) : null;
}

function meansOf(
  records: readonly TrialRecord[],
  { headline, scores: columns }: ScoredBy,
  place: Pick<FactRow, "groupBy" | "group">,
): FactRow[] {
  const [first] = records;
  if (first === undefined) return [];
  const { agent, condition } = first;
  const all = new Set(records.flatMap(({ facts }) => Object.keys(facts ?? {})));
  // Of groups the sums are enough: calls by tool, and classes by tenths, are told of all trials.
  const names = [...all].filter((name) => place.groupBy === "overall" || !isCount(name)).sort();
  const row = (fact: string, of: (record: TrialRecord) => number | null | undefined): FactRow => {
    const values = records.map((record) => of(record) ?? null);
    const n = values.filter((value) => value !== null).length;
    return { agent, condition, ...place, fact, value: meanOrNull(values), n };
  };
  // A tool that a trial did not call was called no times.
  const told = (record: TrialRecord) => record.facts?.["messages"] !== undefined;
  const amounts = columns.filter(({ kind, boards }) => kind === "count" && boards?.includes(condition) === true);
  return [
    ...[headline, ...amounts.map(({ name }) => name)].map((name) => row(name, ({ scores }) => numberOf(scores[name]))),
    ...ALWAYS.map((name) => row(name, (record) => record[name])),
    ...names.map((name) => row(name, (record) => record.facts?.[name] ?? (isCount(name) && told(record) ? 0 : null))),
  ];
}

function isCount(fact: string): boolean {
  return /^(?:calls|actions) /.test(fact);
}

/** Table of what the agent did that a run is about; nothing where no facts are told. */
export function factBlocks(run: TrialRun, rows: readonly FactRow[], scores: readonly ScoreColumn[]): Block[] {
  const own = rows.filter(({ agent }) => agent === run.agents[0]?.name);
  const meanOf = (condition: string, fact: string, by = "overall") =>
    own.find((row) => row.condition === condition && row.fact === fact && row.groupBy === by)?.value ?? null;
  const told = run.conditions.filter((condition) => meanOf(condition, "messages") !== null);
  const amounts = scores.filter(({ name, kind }) => kind === "count" && rows.some(({ fact }) => fact === name));
  const columns = [
    textColumn<string>("condition", "condition", (condition) => condition),
    ...[...COLUMNS, ...amounts.map(({ name }) => [name, name.replaceAll("_", " "), "short"] as const)].map(
      ([fact, label, format]) => numberColumn<string>(fact, label, format, (condition) => meanOf(condition, fact)),
    ),
  ];
  const tools = told.map((condition) => {
    const calls = own.filter(
      (row) => row.condition === condition && row.groupBy === "overall" && row.fact.startsWith("calls "),
    );
    const parts = calls.map(({ fact, value }) => `${fact.slice("calls ".length)} ${value?.toFixed(1) ?? ""}`);
    return sentence(`Calls a trial, ${condition}: ${parts.join(", ")}.`);
  });
  const edited = run.conditions.filter((condition) => meanOf(condition, "edited_files") !== null);
  if (edited.length === 0) return [];
  return [
    heading(3, "What agents did and changed"),
    tableOf(null, columns, edited, { isCards: true }),
    ...tools,
    ...(told.length === 0
      ? []
      : [tableOf("Actions a trial, by tenths of the trajectory", TIMELINE, timeline(told, meanOf))]),
  ];
}

const COLUMNS = [
  ["edited_files", "files", "short"],
  ["gold_files", "right", "short"],
  ["file_recall", "recall", "fraction"],
  ["all_gold_files_edited", "all", "fraction"],
  ["gold_text_ratio", "alike", "fraction"],
  ["calls_a_message", "calls/turn", "short"],
  ["lookups", "look-ups", "short"],
] as const;

interface Moment {
  readonly condition: string;
  readonly action: string;
  readonly counts: readonly (number | null)[];
}

function timeline(conditions: readonly string[], meanOf: (condition: string, fact: string) => number | null): Moment[] {
  return conditions.flatMap((condition) =>
    ACTION_CLASSES.map((action) => ({
      condition,
      action,
      counts: Array.from({ length: TENTHS }, (_, i) => meanOf(condition, tenthName(action, i + 1)) ?? 0),
    })).filter(({ counts }) => counts.some((count) => count > 0)),
  );
}

const TIMELINE = [
  textColumn<Moment>("condition", "condition", ({ condition }) => condition),
  textColumn<Moment>("action", "class", ({ action }) => action),
  ...Array.from({ length: TENTHS }, (_, i) =>
    numberColumn<Moment>(`t${i + 1}`, String(i + 1), "short", ({ counts }) => counts[i], {
      importance: i % 2 === 0 ? 1 : 2,
    }),
  ),
];

/** Bins of the published figure, as its one printed edge tells. */
const BINS = 6;

/** Edges between bins of equal quantiles, the least and the greatest value at the ends; none of no values. */
export function quantileEdges(values: readonly number[], bins: number = BINS): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return [];
  return Array.from({ length: bins + 1 }, (_, i) => interpolated(sorted, i / bins));
}

/** Quantile between the two values around it, in proportion: as spreadsheets and numpy have it. */
function interpolated(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? 0;
  return low + ((sorted[Math.ceil(place)] ?? low) - low) * (place - Math.floor(place));
}

/** Bin of a value, from 0; its upper edge belongs to it. */
export function binOf(value: number, edges: readonly number[]): number {
  const found = edges.slice(1).findIndex((edge) => value <= edge);
  return found === -1 ? Math.max(0, edges.length - 2) : found;
}

/** The bin of each trial by the size of its task's right solution; `null` where there are fewer sizes than bins. */
export function sizeBins(records: readonly TrialRecord[]): (record: TrialRecord) => string | null {
  const byTask = new Map(
    records.flatMap(({ task_id, facts }) => (facts?.["gold_lines"] == null ? [] : [[task_id, facts["gold_lines"]]])),
  );
  const edges = quantileEdges([...byTask.values()]);
  return ({ task_id }) => {
    const size = byTask.get(task_id);
    if (size === undefined || byTask.size < BINS) return null;
    const bin = binOf(size, edges);
    return `${bin + 1}: to ${edges[bin + 1]}`;
  };
}
