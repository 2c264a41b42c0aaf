import type { TrialRecord } from "../trial-records.js";

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
