import { sampleStandardDeviation } from "simple-statistics";
import { z } from "zod";
import { badInput } from "../../../base/errors.js";
import { groupBy } from "../../../base/grouping.js";
import { meanOrNull } from "../../../base/sums.js";
import { shorten } from "../../../base/text.js";
import { type Bounds, type Estimate, SHARE, tInterval } from "../../../stats/interval.js";
import { readCsv } from "../../../store/read-csv.js";
import { FILTERED, LINE_COUNTS, RELEASED, type ReleasedName, type Scores } from "../score/taste-scores.js";

/** An agent's work on an instance as numbers. */
export interface ScoredRow {
  /** Such as `open/plan`; `pseudo_agents/direct` of released right and empty solutions. */
  readonly condition: string;
  readonly agent: string;
  readonly task: string;
  /** `null`: not known. */
  readonly language: string | null;
  readonly values: MetricValues;
}

/** An agent under a condition, on all its instances. */
export interface Arm {
  readonly condition: string;
  readonly agent: string;
  readonly rows: readonly ScoredRow[];
  readonly values: Readonly<Record<MetricName, ArmValue>>;
}

/** A mean with its 95 % t interval, and how many instances it is over. */
export interface ArmValue {
  readonly estimate: Estimate | null;
  readonly n: number;
  /** Instances without a value. */
  readonly excluded: number;
}

export type MetricName =
  | "pass"
  | ReleasedName
  | `${ReleasedName}_published`
  | (typeof FILTERED | typeof LINE_COUNTS)[number]
  | "cost_usd";

/** A value a metric; `null`: not known. */
export type MetricValues = Readonly<Record<MetricName, number | null>>;

/** Every number of an arm, in the order in which they are told. */
export const METRIC_NAMES: readonly MetricName[] = [
  "pass",
  ...RELEASED.flatMap((name): MetricName[] => [name, `${name}_published`]),
  ...FILTERED,
  ...LINE_COUNTS,
  "cost_usd",
];

/** Numbers that are no shares. */
const UNBOUNDED: ReadonlySet<MetricName> = new Set([...LINE_COUNTS, "cost_usd"] as const);

/** Values of released work by their names. */
export function valuesOf(scores: Scores, costUsd: number | null): MetricValues {
  const own = {
    pass: scores.pass === null ? null : Number(scores.pass),
    cost_usd: costUsd,
    ...Object.fromEntries([...RELEASED, ...FILTERED, ...LINE_COUNTS].map((name) => [name, scores[name]])),
    ...Object.fromEntries(RELEASED.map((name) => [`${name}_published`, scores.published[name]])),
  };
  return own as MetricValues;
}

/** Results of each agent under each condition, in the order in which they first stand. */
export function armsOf(rows: readonly ScoredRow[]): Arm[] {
  const arms = groupBy(rows, ({ condition, agent }) => JSON.stringify([condition, agent]));
  return [...arms.values()].flatMap((own): Arm[] => {
    const [first] = own;
    if (first === undefined) return [];
    const values = Object.fromEntries(
      METRIC_NAMES.map((name) => [name, meanOf(own, name, UNBOUNDED.has(name) ? undefined : SHARE)]),
    );
    return [
      { condition: first.condition, agent: first.agent, rows: own, values: values as Record<MetricName, ArmValue> },
    ];
  });
}

function meanOf(rows: readonly ScoredRow[], name: MetricName, bounds?: Bounds): ArmValue {
  const known = rows.flatMap(({ values }) => values[name] ?? []);
  return { estimate: tInterval(known, bounds), n: known.length, excluded: rows.length - known.length };
}

/** Alignment of all agents in a language under a condition: the paper's Table 7. */
export interface LanguageRow {
  readonly condition: string;
  readonly language: string;
  /** Mean over agents and instances, 0–1; `null`: none is known. */
  readonly alignment: number | null;
  /** Standard error, over those as if they were independent; `null` of fewer than two. */
  readonly standard_error: number | null;
  readonly n: number;
}

/** Alignment by condition and language; instances whose language is not known are in none. */
export function languageRows(arms: readonly Arm[]): LanguageRow[] {
  const rows = agentArms(arms).flatMap((arm) => arm.rows.filter(({ language }) => language !== null));
  return [...groupBy(rows, ({ condition, language }) => JSON.stringify([condition, language])).values()]
    .map((own): LanguageRow => {
      const known = own.flatMap(({ values }) => values.alignment ?? []);
      const n = known.length;
      const standard_error = n < 2 ? null : sampleStandardDeviation(known) / Math.sqrt(n);
      const { condition = "", language = "" } = own[0] ?? {};
      return { condition, language: language ?? "", alignment: meanOrNull(known), standard_error, n };
    })
    .toSorted((a, b) => a.condition.localeCompare(b.condition) || a.language.localeCompare(b.language));
}

/** Names of right and empty solutions among the agents of our own runs, and their condition among released outputs. */
const CONTROLS = new Set(["scripted:gold", "scripted:noop"]);

/** The arms of those that worked: neither right solutions nor empty ones. */
export function agentArms(arms: readonly Arm[]): Arm[] {
  return arms.filter(({ condition, agent }) => !condition.startsWith("pseudo_agents/") && !CONTROLS.has(agent));
}

const text = z.string().min(1);
const rowSchema = z.object({
  suite: z.literal("codetaste"),
  model: text,
  agent: text,
  condition: text,
  task_id: text,
  status: text,
  valid: z.string().default(""),
  language: z.string().default(""),
});

type TrialRow = z.infer<typeof rowSchema> & { readonly values: MetricValues };

/**
 * Reads the trials of runs (`trials.csv`): one row an agent, condition and instance, the mean of its graded trials.
 * @throws ProbeError `bad_input` that names line and column
 */
export function readTrials(files: readonly { readonly name: string; readonly text: string }[]): ScoredRow[] {
  const rows = files.flatMap(({ name, text: csv }) => rowsIn(name, csv));
  const judged = rows.filter(({ status, valid }) => status === "graded" && valid !== "false");
  const cases = groupBy(judged, (row) => JSON.stringify([agentOf(row), row.condition, row.task_id]));
  return [...cases.values()].flatMap((trials): ScoredRow[] => {
    const [first] = trials;
    if (first === undefined) return [];
    const values = METRIC_NAMES.map((name) => [name, meanOrNull(trials.map((trial) => trial.values[name]))] as const);
    const language = first.language === "" ? null : first.language;
    const { condition, task_id: task } = first;
    return [{ condition, agent: agentOf(first), task, language, values: Object.fromEntries(values) as MetricValues }];
  });
}

/** The model, where the built-in loop worked; a control by its name. */
function agentOf({ agent, model }: TrialRow): string {
  if (agent === "loop") return model;
  return agent === model || agent.startsWith("scripted:") ? agent : `${agent}, ${model}`;
}

function rowsIn(name: string, csv: string): TrialRow[] {
  const table = readCsv(name, csv);
  return table.rows.map(({ line, cells }) => {
    const read = rowSchema.safeParse(cells);
    const values = METRIC_NAMES.map((metric) => [metric, valueIn(cells[metric])] as const);
    const bad = values.find(([, value]) => value === undefined)?.[0];
    if (read.success && bad === undefined) return { ...read.data, values: Object.fromEntries(values) as MetricValues };
    const column = bad ?? String(read.error?.issues[0]?.path[0] ?? "");
    const found = Object.hasOwn(cells, column) ? `"${shorten(cells[column] ?? "", 80)}"` : "no such column";
    throw badInput(
      `Expected trials of CodeTaste in ${name}, found ${found} in column ${column}, line ${line}. Name trials.csv of a run.`,
    );
  });
}

/** `null`: an empty cell, or a column that is not there; `undefined`: no number. */
function valueIn(cell: string | undefined): MetricValues[MetricName] | undefined {
  if (cell === undefined || cell === "") return null;
  if (cell === "true" || cell === "false") return Number(cell === "true");
  const value = Number(cell);
  return Number.isFinite(value) ? value : undefined;
}
