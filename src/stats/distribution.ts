import { max, mean, min, quantileSorted, sampleStandardDeviation } from "simple-statistics";

/** Spread of a set of numbers; figures that are not defined for so few are `null`. */
export interface Distribution {
  readonly n: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Sample standard deviation, divisor n − 1; `null` for fewer than two numbers. */
  readonly sd: number | null;
  readonly q1: number | null;
  readonly median: number | null;
  readonly q3: number | null;
}

/** Quartiles interpolate linearly between the two nearest of the sorted numbers, at (n − 1)p (type 7 of R and NumPy). */
export function distributionOf(numbers: readonly number[]): Distribution {
  const n = numbers.length;
  if (n === 0) return { n, min: null, max: null, mean: null, sd: null, q1: null, median: null, q3: null };
  const sorted = numbers.toSorted((a, b) => a - b);
  return {
    n,
    min: min(sorted),
    max: max(sorted),
    mean: mean(sorted),
    sd: n < 2 ? null : sampleStandardDeviation(sorted),
    q1: quantileSorted(sorted, 0.25),
    median: quantileSorted(sorted, 0.5),
    q3: quantileSorted(sorted, 0.75),
  };
}
