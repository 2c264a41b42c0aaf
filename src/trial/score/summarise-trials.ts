import { groupBy } from "../../base/grouping.js";
import { seededIntegers } from "../../base/random.js";
import { bootstrapMeans } from "../../stats/bootstrap.js";
import { type Bounds, clusteredInterval, type Estimate, proportion, tInterval } from "../../stats/interval.js";
import { falseConfidence, passAtK, passHatK } from "../../stats/repeated-trials.js";
import type { TrialRecord } from "../trial-records.js";
import type { ScoreColumn } from "./score-column.js";
import type { SummaryRow } from "./trial-tables.js";

const RESAMPLES = 10_000;

/** Options of a summary. */
export interface SummaryOptions {
  readonly scores: readonly ScoreColumn[];
  readonly headline: string;
  /** Trials a task and condition that were asked for. */
  readonly trials: number;
  readonly cluster: "task" | "group";
  readonly seed: number;
}

/** A measure: its name, its kind, and its value for a trial; `null`: none. */
interface Measure {
  readonly name: string;
  readonly kind: "share" | "mean";
  readonly value: (record: TrialRecord) => number | null;
  /** Limits of its mean; absent: 0–1 of a share, none of others. */
  readonly limits?: Bounds;
}

const SHARE: Bounds = { least: 0, most: 1 };

/** Trials of valid tasks that were graded: what every rate is over. */
export function judgedTrials(records: readonly TrialRecord[]): TrialRecord[] {
  return records.filter(({ status, valid }) => status === "graded" && valid === true);
}

/** All numbers of a run, by agent and condition, in the order in which they first stand. */
export function summarise(records: readonly TrialRecord[], options: SummaryOptions): SummaryRow[] {
  const arms = groupBy(records, ({ agent, condition }) => JSON.stringify([agent, condition]));
  return [...arms.values()].flatMap((own) => armRows(own, options));
}

function armRows(records: readonly TrialRecord[], options: SummaryOptions): SummaryRow[] {
  const [first] = records;
  if (first === undefined) return [];
  const { agent, condition } = first;
  const judged = judgedTrials(records);
  const rows: Omit<SummaryRow, "agent" | "condition">[] = [...overallRows(judged, options), ...countRows(records)];
  const groups = [...new Set(judged.map(({ group }) => group))].sort();
  if (groups.length > 1) {
    for (const group of groups) {
      const own = judged.filter((record) => record.group === group);
      const measures = measuresOf(options.scores);
      rows.push(...measures.map((measure) => measureRow(measure, own, options, { groupBy: "group", group })));
    }
  }
  return rows.map((row) => ({ agent, condition, ...row }));
}

const OVERALL = { groupBy: "overall", group: "" } as const;
type Place = Pick<SummaryRow, "groupBy" | "group">;
type Row = Omit<SummaryRow, "agent" | "condition">;

function overallRows(judged: readonly TrialRecord[], options: SummaryOptions): Row[] {
  const measures = [...measuresOf(options.scores), ...COMMON];
  return [
    ...measures.map((measure) => measureRow(measure, judged, options, OVERALL)),
    ...publishedRows(judged, options),
    ...passRows(judged, options),
    confidenceRow(judged, options.headline),
  ];
}

function measuresOf(scores: readonly ScoreColumn[]): Measure[] {
  return scores.flatMap(({ name, kind }): Measure[] => {
    if (kind === "label") return [];
    return [{ name, kind: kind === "share" ? "share" : "mean", value: ({ scores: own }) => numberOf(own[name]) }];
  });
}

/** Measures of every suite. */
const COMMON: readonly Measure[] = [
  { name: "reported_success", kind: "share", value: (record) => numberOf(record.reported_success) },
  { name: "non_trivial", kind: "share", value: (record) => numberOf(record.non_trivial) },
  { name: "tampered", kind: "share", value: (record) => numberOf(record.tampered) },
  { name: "patch_applies", kind: "share", value: (record) => numberOf(record.patch_applies) },
  { name: "attempts", kind: "mean", value: (record) => record.attempts },
  { name: "calls", kind: "mean", value: (record) => record.calls },
  { name: "cost_usd", kind: "mean", value: (record) => record.cost_usd },
  { name: "prompt_tokens", kind: "mean", value: (record) => record.prompt_tokens },
  { name: "completion_tokens", kind: "mean", value: (record) => record.completion_tokens },
];

/** A score as a number; a word is none. */
export function numberOf(value: string | number | boolean | null | undefined): number | null {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "number" ? value : null;
}

/** The number of a measure over some trials, with its interval. */
export function measureRow(
  measure: Measure,
  records: readonly TrialRecord[],
  options: SummaryOptions,
  place: Place,
): Row {
  const known = records.filter((record) => measure.value(record) !== null);
  const { estimate, interval } = estimateOf(measure, known, options);
  const counts = { n: known.length, excluded: records.length - known.length };
  return {
    ...place,
    metric: measure.name,
    ...bounds(estimate),
    interval: hasBounds(estimate) ? interval : "",
    ...counts,
    note: "",
  };
}

function estimateOf(
  { kind, value, limits = kind === "share" ? SHARE : undefined }: Measure,
  known: readonly TrialRecord[],
  { trials, cluster, seed }: SummaryOptions,
): { readonly estimate: Estimate | null; readonly interval: SummaryRow["interval"] } {
  const values = known.map((record) => value(record) ?? 0);
  if (cluster === "group") {
    const estimate = bootstrapped(
      values,
      clustersOf(known, ({ group }) => group, value),
      seed,
    );
    if (estimate === null) return { estimate, interval: "" };
    return { estimate, interval: "bootstrap_by_group" };
  }
  if (trials > 1)
    return {
      estimate: clusteredInterval(
        clustersOf(known, ({ task_id }) => task_id, value),
        limits,
      ),
      interval: "t_by_task",
    };
  if (kind === "share") return { estimate: proportion(sumOf(values), values.length), interval: "wilson" };
  return { estimate: tInterval(values, limits), interval: "t" };
}

function clustersOf(
  records: readonly TrialRecord[],
  clusterOf: (record: TrialRecord) => string,
  value: Measure["value"],
): number[][] {
  return [...groupBy(records, clusterOf).values()].map((own) => own.map((record) => value(record) ?? 0));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function bounds(estimate: Estimate | null): Pick<SummaryRow, "value" | "low" | "high"> {
  return { value: estimate?.value ?? null, low: estimate?.low ?? null, high: estimate?.high ?? null };
}

function hasBounds(estimate: Estimate | null): boolean {
  return estimate?.low != null;
}

/** Wilson's interval over all trials, as papers print it: too narrow where trials of a task go together. */
function publishedRows(judged: readonly TrialRecord[], { scores, trials, headline }: SummaryOptions): Row[] {
  const name = `${headline}_published`;
  if (trials === 1 || scores.some((score) => score.name === name)) return [];
  const values = judged.flatMap((record) => numberOf(record.scores[headline]) ?? []);
  const estimate = proportion(sumOf(values), values.length);
  const note = "all trials taken as independent";
  const counts = { n: values.length, excluded: judged.length - values.length };
  return [
    { ...OVERALL, metric: name, ...bounds(estimate), interval: estimate === null ? "" : "wilson", ...counts, note },
  ];
}

/** Metrics that are computed of the headline besides itself. @param trials a task and condition */
export function headlineMetrics(trials: number): string[] {
  const counts = Array.from({ length: trials }, (_, i) => i + 1);
  return ["false_confidence", ...counts.flatMap((k) => PASS_RULES.map(({ name }) => `${name}_${k}`))];
}

const PASS_RULES = [
  { name: "pass_at", rule: passAtK },
  { name: "pass_hat", rule: passHatK },
];

/** Pass@k and Pass^k of the headline, for every k up to the trials: means over the tasks that have so many. */
function passRows(judged: readonly TrialRecord[], options: SummaryOptions): Row[] {
  const { trials, headline } = options;
  if (trials === 1) return [];
  const known = judged.filter((record) => numberOf(record.scores[headline]) !== null);
  const tasks = [...groupBy(known, ({ task_id }) => task_id).values()];
  return Array.from({ length: trials }, (_, i) => i + 1).flatMap((k) =>
    PASS_RULES.map(({ name, rule }): Row => {
      const values = tasks.flatMap((own) => {
        const passed = sumOf(own.map((record) => numberOf(record.scores[headline]) ?? 0));
        const value = rule(passed, own.length, k);
        return value === null ? [] : [{ value, group: own[0]?.group ?? "" }];
      });
      const { estimate, interval } = meanOfTasks(values, options);
      const counts = { n: values.length, excluded: tasks.length - values.length };
      return { ...OVERALL, metric: `${name}_${k}`, ...bounds(estimate), interval, ...counts, note: "n counts tasks" };
    }),
  );
}

/** The mean of a value a task, with its interval over tasks or over groups of them. */
function meanOfTasks(
  values: readonly { readonly value: number; readonly group: string }[],
  { cluster, seed }: SummaryOptions,
): { readonly estimate: Estimate | null; readonly interval: SummaryRow["interval"] } {
  const plain = values.map(({ value }) => value);
  if (cluster === "task") {
    const estimate = tInterval(plain, { least: 0, most: 1 });
    return { estimate, interval: hasBounds(estimate) ? "t_by_task" : "" };
  }
  const groups = [...groupBy(values, ({ group }) => group).values()].map((own) => own.map(({ value }) => value));
  const estimate = bootstrapped(plain, groups, seed);
  return { estimate, interval: hasBounds(estimate) ? "bootstrap_by_group" : "" };
}

/** The mean with an interval over its clusters, drawn anew many times; `null` without values. */
function bootstrapped(
  values: readonly number[],
  clusters: readonly (readonly number[])[],
  seed: number,
): Estimate | null {
  if (values.length === 0) return null;
  const sums = Float64Array.from(clusters, sumOf);
  const counts = Float64Array.from(clusters, ({ length }) => length);
  const draw = seededIntegers(seed);
  const [found = null] = bootstrapMeans([{ sums, counts }], { examples: clusters.length, resamples: RESAMPLES, draw });
  return { value: sumOf(values) / values.length, low: found?.low ?? null, high: found?.high ?? null };
}

/** The headline, Pass@k and Pass^k of trials that a suite sets apart, such as by language. */
export function headlineRows(
  records: readonly TrialRecord[],
  options: SummaryOptions,
  place: Pick<SummaryRow, "agent" | "condition" | "groupBy" | "group">,
): SummaryRow[] {
  const judged = judgedTrials(records);
  const measures = measuresOf(options.scores.filter(({ name }) => name === options.headline));
  const rows = [
    ...measures.map((measure) => measureRow(measure, judged, options, OVERALL)),
    ...passRows(judged, options),
  ];
  return rows.map((row) => ({ ...row, ...place }));
}

/** Every score of trials that a suite sets apart, such as by difficulty. */
export function scoreRows(
  records: readonly TrialRecord[],
  options: SummaryOptions,
  place: Pick<SummaryRow, "agent" | "condition" | "groupBy" | "group">,
): SummaryRow[] {
  const judged = judgedTrials(records);
  return measuresOf(options.scores).map((measure) => ({ ...measureRow(measure, judged, options, OVERALL), ...place }));
}

function confidenceRow(judged: readonly TrialRecord[], headline: string): Row {
  const reported = judged.filter((record) => record.reported_success === true && record.scores[headline] !== null);
  const failed = reported.filter((record) => record.scores[headline] === false).length;
  const estimate = falseConfidence({ reported: reported.length, failed });
  const counts = { n: reported.length, excluded: judged.length - reported.length };
  const note = `reported successes that are not ${headline}`;
  return {
    ...OVERALL,
    metric: "false_confidence",
    ...bounds(estimate),
    interval: estimate === null ? "" : "wilson",
    ...counts,
    note,
  };
}

/** Counts of trials that are in no rate. */
function countRows(records: readonly TrialRecord[]): Row[] {
  const statuses = ["invalid_task", "unreachable", "grader_failed"] as const;
  return statuses.map((status): Row => {
    const n = records.filter((record) => record.status === status).length;
    return {
      ...OVERALL,
      metric: `trials_${status}`,
      value: n,
      low: null,
      high: null,
      interval: "",
      n: records.length,
      excluded: 0,
      note: "",
    };
  });
}
