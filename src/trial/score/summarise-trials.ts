import { groupBy } from "../../base/grouping.js";
import { seededIntegers } from "../../base/random.js";
import { clusterIntervals, LEAST_RESAMPLED } from "../../stats/bootstrap.js";
import {
  areAlike,
  type Bounds,
  clusteredInterval,
  clusteredProportion,
  clusterMeans,
  clusterTotals,
  type Estimate,
  passAtK,
  passHatK,
  proportion,
  SHARE,
} from "../../stats/interval.js";
import type { ScoreColumn, TrialRecord } from "../trial-records.js";
import type { SummaryRow, TRIAL_METRICS } from "./trial-tables.js";

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
      const measures = measuresOf(options.scores, own);
      rows.push(...measures.map((measure) => measureRow(measure, own, options, { groupBy: "group", group })));
    }
  }
  return rows.map((row) => ({ agent, condition, ...row }));
}

const OVERALL = { groupBy: "overall", group: "" } as const;
type Place = Pick<SummaryRow, "groupBy" | "group">;
type Row = Omit<SummaryRow, "agent" | "condition">;

function overallRows(judged: readonly TrialRecord[], options: SummaryOptions): Row[] {
  const measures = [...measuresOf(options.scores, judged), ...COMMON];
  return [
    ...measures.map((measure) => measureRow(measure, judged, options, OVERALL)),
    ...publishedRows(judged, options),
    ...passRows(judged, options),
    confidenceRow(judged, options),
  ];
}

/** Measures of the scores of trials; one that is younger than all of these is none. */
function measuresOf(scores: readonly ScoreColumn[], records: readonly TrialRecord[]): Measure[] {
  return scores.flatMap(({ name, kind }): Measure[] => {
    const isYounger = records.length > 0 && records.every(({ scores: own }) => !Object.hasOwn(own, name));
    if (kind === "label" || isYounger) return [];
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
  const counts = { n: known.length, excluded: records.length - known.length };
  return { ...place, metric: measure.name, ...withBounds(estimateOf(measure, known, options)), ...counts, note: "" };
}

/** An estimate, and how its interval was made. */
interface Found {
  readonly estimate: Estimate | null;
  readonly interval: SummaryRow["interval"];
}

function estimateOf(
  { kind, value, limits = kind === "share" ? SHARE : undefined }: Measure,
  known: readonly TrialRecord[],
  options: SummaryOptions,
): Found {
  if (options.cluster === "task" && options.trials === 1 && kind === "share") {
    const values = known.map((record) => value(record) ?? 0);
    return { estimate: proportion(sumOf(values), values.length), interval: "wilson" };
  }
  return meanOfClusters(clustersOf(known, options, value), limits, options);
}

/** The mean of values that come in clusters: tasks by their means, groups of tasks by all their values. */
function meanOfClusters(
  clusters: readonly (readonly number[])[],
  limits: Bounds | undefined,
  { trials, cluster, seed }: Pick<SummaryOptions, "trials" | "cluster" | "seed">,
): Found {
  const way = areAlike(clusterMeans(clusters)) ? "wilson" : "t";
  if (cluster === "task") {
    return { estimate: clusteredInterval(clusters, limits), interval: trials === 1 ? way : `${way}_by_task` };
  }
  const totals = clusterTotals(clusters);
  const measure = limits === undefined ? totals : { ...totals, bounds: limits };
  const draw = seededIntegers(seed);
  const [found = null] = clusterIntervals([measure], { examples: clusters.length, resamples: RESAMPLES, draw });
  const value = sumOf(clusters.flat()) / clusters.flat().length;
  const isDrawn = clusters.length >= LEAST_RESAMPLED && way === "t";
  return {
    estimate: clusters.length === 0 ? null : { value, low: found?.low ?? null, high: found?.high ?? null },
    interval: isDrawn ? "bootstrap_by_group" : `${way}_by_group`,
  };
}

function clustersOf(
  records: readonly TrialRecord[],
  options: Pick<SummaryOptions, "cluster">,
  value: Measure["value"],
): number[][] {
  const clusters = groupBy(records, (record) => clusterOf(record, options));
  return [...clusters.values()].map((own) => own.map((record) => value(record) ?? 0));
}

function clusterOf({ task_id, group }: TrialRecord, { cluster }: Pick<SummaryOptions, "cluster">): string {
  return cluster === "task" ? task_id : group;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function withBounds({ estimate, interval }: Found): Pick<SummaryRow, "value" | "low" | "high" | "interval"> {
  const { value = null, low = null, high = null } = estimate ?? {};
  return { value, low, high, interval: low === null ? "" : interval };
}

/** Wilson's interval over all trials, as papers print it: too narrow where trials of a task go together. */
function publishedRows(judged: readonly TrialRecord[], { scores, trials, headline }: SummaryOptions): Row[] {
  const name = `${headline}_published`;
  if (trials === 1 || scores.some((score) => score.name === name)) return [];
  const values = judged.flatMap((record) => numberOf(record.scores[headline]) ?? []);
  const estimate = proportion(sumOf(values), values.length);
  const note = "all trials taken as independent";
  const counts = { n: values.length, excluded: judged.length - values.length };
  return [{ ...OVERALL, metric: name, ...withBounds({ estimate, interval: "wilson" }), ...counts, note }];
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
        const [first] = own;
        return value === null || first === undefined ? [] : [{ value, cluster: clusterOf(first, options) }];
      });
      const clusters = [...groupBy(values, ({ cluster }) => cluster).values()].map((own) =>
        own.map(({ value }) => value),
      );
      const found = meanOfClusters(clusters, SHARE, options);
      const counts = { n: values.length, excluded: tasks.length - values.length };
      return { ...OVERALL, metric: `${name}_${k}`, ...withBounds(found), ...counts, note: "n counts tasks" };
    }),
  );
}

/** The headline, Pass@k and Pass^k of trials that a suite sets apart, such as by language. */
export function headlineRows(
  records: readonly TrialRecord[],
  options: SummaryOptions,
  place: Pick<SummaryRow, "agent" | "condition" | "groupBy" | "group">,
): SummaryRow[] {
  const judged = judgedTrials(records);
  const scores = options.scores.filter(({ name }) => name === options.headline);
  const own = scoreRows(records, { ...options, scores }, place);
  return [...own, ...passRows(judged, options).map((row) => ({ ...row, ...place }))];
}

/** Every score of trials that a suite sets apart, such as by difficulty. */
export function scoreRows(
  records: readonly TrialRecord[],
  options: SummaryOptions,
  place: Pick<SummaryRow, "agent" | "condition" | "groupBy" | "group">,
): SummaryRow[] {
  const judged = judgedTrials(records);
  return measuresOf(options.scores, judged).map((measure) => ({
    ...measureRow(measure, judged, options, OVERALL),
    ...place,
  }));
}

/** Share that failed of trials that report success; those of one task, or group, go together. */
function confidenceRow(judged: readonly TrialRecord[], options: SummaryOptions): Row {
  const { headline, trials, cluster } = options;
  const reported = judged.filter((record) => record.reported_success === true && record.scores[headline] !== null);
  const clusters = clustersOf(reported, options, (record) => Number(record.scores[headline] === false));
  const estimate = clusteredProportion(clusterTotals(clusters));
  const interval = cluster === "task" && trials === 1 ? "wilson" : (`wilson_by_${cluster}` as const);
  const counts = { n: reported.length, excluded: judged.length - reported.length };
  const note = `reported successes that are not ${headline}`;
  return { ...OVERALL, metric: "false_confidence", ...withBounds({ estimate, interval }), ...counts, note };
}

/** Counts of trials that are in no rate. */
function countRows(records: readonly TrialRecord[]): Row[] {
  const statuses = ["invalid_task", "unreachable", "grader_failed"] as const;
  return statuses.map((status): Row => {
    const n = records.filter((record) => record.status === status).length;
    return {
      ...OVERALL,
      metric: `trials_${status}` satisfies keyof typeof TRIAL_METRICS,
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
