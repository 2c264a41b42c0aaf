import { groupBy } from "../../base/grouping.js";
import type { GoldSimilarity, TrialRecord } from "../records.js";
import { judgedTrials, measureRow, type SummaryOptions } from "../score/summarise.js";
import type { SummaryRow } from "../score/trial-tables.js";

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
 * Of the passing trials of each arm, how like their patches are to the right solutions, and two baselines; none where no
 * right solution is known. A suite that has `gold_jaccard` among its scores has that row already.
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
        limits: { least: 0, most: 1 },
        value: ({ gold_similarity: found }: TrialRecord) => found?.[part] ?? null,
      };
      const row = measureRow(measure, own, options, { groupBy: "overall", group: "" });
      return { agent: first.agent, condition: first.condition, ...row, note: NOTES[part] };
    });
  });
}
