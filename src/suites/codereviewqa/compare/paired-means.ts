import type { ClusteredValues, Interval } from "../../../stats/cluster-bootstrap.js";

/** What two runs made of the same question. */
export interface Pair<T> {
  readonly baseline: T;
  readonly candidate: T;
}

/** Two means over the same questions, fractions 0–1, and their difference. */
export interface PairedMeans {
  /** Questions (or generations) for which both runs have the value; at least one. */
  readonly n: number;
  readonly baseline: number;
  readonly candidate: number;
  /** Candidate minus baseline. */
  readonly difference: number;
  /** 95 % interval of the difference, bootstrapped by example; `null` with fewer than two examples. */
  readonly interval: Interval | null;
}

/** What a question is about. */
export interface OnExample {
  readonly exampleId: string;
}

/** The place of each example among all examples, from 0. */
export type ExampleIndices = ReadonlyMap<string, number>;

export function exampleIndices(pairs: readonly Pair<OnExample>[]): ExampleIndices {
  const ids = new Set(pairs.map(({ baseline }) => baseline.exampleId));
  return new Map([...ids].map((id, index) => [id, index]));
}

/** A value of both runs over the questions that have it in both, and its differences by example. */
export interface Measure extends ClusteredValues {
  readonly means: Omit<PairedMeans, "interval">;
}

/** @returns `null` where no question has the value in both runs */
export function measureOf<T extends OnExample>(
  pairs: readonly Pair<T>[],
  examples: ExampleIndices,
  value: (score: T) => number | null,
): Measure | null {
  const sums = new Float64Array(examples.size);
  const counts = new Float64Array(examples.size);
  let [n, ofBaseline, ofCandidate, ofDifference] = [0, 0, 0, 0];
  for (const pair of pairs) {
    const [before, after] = [value(pair.baseline), value(pair.candidate)];
    const example = examples.get(pair.baseline.exampleId);
    if (before === null || after === null || example === undefined) continue;
    sums[example] = (sums[example] ?? 0) + after - before;
    counts[example] = (counts[example] ?? 0) + 1;
    n++;
    ofBaseline += before;
    ofCandidate += after;
    ofDifference += after - before;
  }
  if (n === 0) return null;
  return {
    sums,
    counts,
    means: { n, baseline: ofBaseline / n, candidate: ofCandidate / n, difference: ofDifference / n },
  };
}
