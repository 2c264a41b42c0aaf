import { groupBy } from "../../base/grouping.js";
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
import { SHARE } from "../../stats/interval.js";
import type { GoldSimilarity, TrialRecord } from "../trial-records.js";
import type { TrialRun } from "../trial-run.js";
import { judgedTrials, measureRow, type SummaryOptions } from "./summarise-trials.js";
import type { SummaryRow } from "./trial-tables.js";

/** Metrics of `summary.csv`: passing patches beside right solutions, and what these are held against. */
export const GOLD_METRICS = {
  jaccard: "gold_jaccard",
  copy: "gold_jaccard_copy",
  other: "gold_jaccard_other",
} as const;

const NOTES: Readonly<Record<keyof GoldSimilarity, string>> = {
  jaccard: "of passing trials: added lines that patch and right solution share, of all that either adds",
  copy: "of the same: a patch that adds every line of the files again that the right solution changes",
  other: "of the same: right solutions of other tasks",
};

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
      return { agent: first.agent, condition: first.condition, ...row, note: NOTES[part] };
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
