import { groupBy } from "../../base/grouping.js";
import { counted } from "../../base/text.js";
import type { Block } from "../../report/block.js";
import {
  type ColumnOf,
  estimateColumn,
  heading,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../report/make-block.js";
import { numberText } from "../../report/number-text.js";
import { areAlike, type Estimate, proportion, SHARE, tInterval } from "../../stats/interval.js";
import type { RealityFact } from "../../verdict/verdict.js";
import { isWeak } from "../check/mutant-blocks.js";
import type { PlacedCheck, TrialRecord } from "../trial-records.js";
import type { TrialRun } from "../trial-run.js";
import { judgedTrials, measureRow, type SummaryOptions } from "./summarise-trials.js";
import { type SummaryRow, TRIAL_METRICS } from "./trial-tables.js";

/** Facts about a run's tasks: strength of their tests, and similarity of passing patches to right solutions. */
export function trialReality(
  run: Pick<TrialRun, "agents">,
  checks: readonly PlacedCheck[],
  summary: readonly SummaryRow[],
): RealityFact[] {
  return [validity(checks), strength(checks, summary), ...likeness(run, summary)];
}

/** Over all conditions, by their trials; no fact where nothing passed, or no right solution is known. */
function likeness({ agents }: Pick<TrialRun, "agents">, summary: readonly SummaryRow[]): RealityFact[] {
  const own = summary.filter((row) => row.agent === agents[0]?.name && row.groupBy === "overall");
  const meanOf = (metric: string) => {
    const rows = own.filter((row) => row.metric === metric && row.value !== null);
    const n = rows.reduce((sum, row) => sum + row.n, 0);
    return n === 0 ? null : rows.reduce((sum, row) => sum + (row.value ?? 0) * row.n, 0) / n;
  };
  const value = meanOf(GOLD_METRICS.jaccard);
  // Runs of earlier versions have no baselines: alone the number says nothing.
  if (value === null || meanOf(GOLD_METRICS.copy) === null) return [];
  const [copy, other] = [GOLD_METRICS.copy, GOLD_METRICS.other].map((metric) => numberText(meanOf(metric), "fraction"));
  return [
    {
      title: "passing patches like the right solution",
      share: { value, low: null, high: null },
      state: "unknown",
      text: `a copy of the original: ${copy}; another task's: ${other}`,
    },
  ];
}

function validity(checks: readonly PlacedCheck[]): RealityFact {
  const valid = checks.filter((check) => check.valid === true).length;
  const text = `${valid} of ${checks.length}; the others are in no rate`;
  const share = proportion(valid, checks.length);
  const title = "tasks whose own tests hold";
  if (checks.length === 0) return { title, share: null, state: "unknown", text: "not checked" };
  if (valid === checks.length) return { title, share, state: "good", text: `all ${valid}` };
  return { title, share, state: "doubtful", text };
}

function strength(checks: readonly PlacedCheck[], summary: readonly SummaryRow[]): RealityFact {
  const title = "mutants that hidden tests kill";
  const row = summary.find(({ metric }) => metric === MUTANTS_KILLED);
  if (row?.value == null)
    return { title, share: null, state: "unknown", text: "not measured: suite check --mutants 20, then a run" };
  const weak = checks.flatMap(({ task_id, strength: own }) => (own !== undefined && isWeak(own) ? [task_id] : []));
  const share = { value: row.value, low: row.low, high: row.high };
  if (weak.length > 0) return { title, share, state: "bad", text: `fewer than half: ${weak.join(", ")}` };
  return { title, share, state: "good", text: `mean of ${counted(row.n, "tasks")}, none below one half` };
}

/** Metrics of `summary.csv`: passing patches beside right solutions, and what these are held against. */
const GOLD_METRICS = {
  jaccard: "gold_jaccard",
  copy: "gold_jaccard_copy",
  other: "gold_jaccard_other",
} as const;

/**
 * Similarity of passing patches to the right solutions, by arm, and two baselines; none where no right solution is
 * known. A suite that has `gold_jaccard` among its scores has that row already.
 */
export function goldRows(records: readonly TrialRecord[], options: SummaryOptions): SummaryRow[] {
  const isScored = options.scores.some(({ name }) => name === GOLD_METRICS.jaccard);
  const parts = (["jaccard", "copy", "other"] as const).filter((part) => part !== "jaccard" || !isScored);
  const passed = judgedTrials(records).filter(
    ({ scores, gold_similarity }) => scores[options.headline] === true && gold_similarity !== undefined,
  );
  const arms = groupBy(passed, ({ agent, condition }) => JSON.stringify([agent, condition]));
  return [...arms.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    return parts.map((part) => {
      const measure = {
        name: GOLD_METRICS[part],
        kind: "mean" as const,
        limits: SHARE,
        value: ({ gold_similarity: found }: TrialRecord) => found?.[part] ?? null,
      };
      const row = measureRow(measure, own, options, { groupBy: "overall", group: "" });
      return { agent: first.agent, condition: first.condition, ...row, note: TRIAL_METRICS[GOLD_METRICS[part]] };
    });
  });
}

/** Numbers of one condition, by their metric. */
interface LikenessRow {
  readonly condition: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

/**
 * Table of the similarity of passing patches to right solutions, for the agent that a run is about, a row a condition;
 * nothing where none is known.
 */
export function goldBlocks(run: TrialRun, summary: readonly SummaryRow[]): Block[] {
  const own = run.conditions.flatMap((condition): LikenessRow[] => {
    const rows = summary.filter(
      (row) => row.agent === run.agents[0]?.name && row.condition === condition && row.groupBy === "overall",
    );
    const byMetric = new Map(rows.map((row) => [row.metric, row]));
    return byMetric.has(GOLD_METRICS.copy) ? [{ condition, rows: byMetric }] : [];
  });
  if (own.length === 0) return [];
  return [
    heading(3, "Passing patches beside right solutions"),
    tableOf(null, COLUMNS, own, { isCards: true }),
    sentence(
      "Of all lines that either adds, the share that both add. Beside it what is reached without a thought: adding every line of the changed files again (copy), and the right solution of another task (other). Far above both, a solution may be remembered, or be the only one there is.",
    ),
  ];
}

const COLUMNS: readonly ColumnOf<LikenessRow>[] = [
  textColumn("condition", "condition", ({ condition }) => condition),
  numberColumn("n", "n", "count", ({ rows }) => rows.get(GOLD_METRICS.jaccard)?.n),
  estimateColumn(GOLD_METRICS.jaccard, "like the right one", "fraction", ({ rows }) => rows.get(GOLD_METRICS.jaccard)),
  baseline(GOLD_METRICS.copy, "copy"),
  baseline(GOLD_METRICS.other, "other"),
];

/** Its interval is in `summary.csv`. */
function baseline(metric: string, label: string): ColumnOf<LikenessRow> {
  return numberColumn(metric, label, "fraction", ({ rows }) => rows.get(metric)?.value);
}

/** Row beside every pass rate: the share of mutants that the hidden tests kill. */
export const MUTANTS_KILLED = "mutants_killed";

/**
 * The mean, over the tasks in an arm's rates, of the share of mutants that their hidden tests kill, with its t interval over
 * tasks; of one task its share with Wilson's. No row where no task was checked with mutants.
 */
export function strengthRows(records: readonly TrialRecord[], checks: readonly PlacedCheck[]): SummaryRow[] {
  const strengths = new Map(
    checks.flatMap(({ task_id, strength }) =>
      strength === undefined || strength.mutants === 0 ? [] : [[task_id, strength] as const],
    ),
  );
  if (strengths.size === 0) return [];
  const arms = groupBy(judgedTrials(records), ({ agent, condition }) => JSON.stringify([agent, condition]));
  return [...arms.values()].flatMap((own) => {
    const [first] = own;
    const tasks = [...new Set(own.map(({ task_id }) => task_id))];
    const found = tasks.flatMap((id) => strengths.get(id) ?? []);
    if (first === undefined || found.length === 0) return [];
    const [only] = found;
    const isOne = found.length === 1 && only !== undefined;
    const shares = found.map(({ killed, mutants }) => killed / mutants);
    const estimate: Estimate | null = isOne ? proportion(only.killed, only.mutants) : tInterval(shares, SHARE);
    return {
      agent: first.agent,
      condition: first.condition,
      groupBy: "overall",
      group: "",
      metric: MUTANTS_KILLED,
      value: estimate?.value ?? null,
      low: estimate?.low ?? null,
      high: estimate?.high ?? null,
      interval: isOne ? ("wilson" as const) : areAlike(shares) ? ("wilson_by_task" as const) : ("t_by_task" as const),
      n: found.length,
      excluded: tasks.length - found.length,
      note: "n counts tasks: share of mutants of their code that the hidden tests kill",
    };
  });
}
