import { median } from "simple-statistics";

/** A median absolute deviation of this many times estimates a normal distribution's standard deviation. */
const CONSISTENT = 1.4826;
const DEVIATIONS = 3;
/** Of fewer values the spread is not known well enough. */
const LEAST_VALUES = 10;

/**
 * The log perplexity below which a text stands out of its set: median − 3 × 1.4826 × MAD of the set's log perplexities.
 * The median and the MAD do not follow the very outliers that are looked for.
 * @returns `null` for fewer than 10 values, or where half of them are the same
 */
export function lowPerplexityBound(logPerplexities: readonly number[]): number | null {
  if (logPerplexities.length < LEAST_VALUES) return null;
  const centre = median([...logPerplexities]);
  const spread = CONSISTENT * median(logPerplexities.map((value) => Math.abs(value - centre)));
  return spread > 0 ? centre - DEVIATIONS * spread : null;
}
