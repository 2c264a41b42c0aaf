import type { TokenScores } from "../../../../model/model.js";
import type { TextRange } from "../../../../syntax/load.js";

/**
 * Mean surprisal of the tokens of a piece of text, −log₂ P (bits; Algorithm 1, S_node). A token that only begins or ends
 * in it counts whole.
 * @param range in the scored text
 * @returns `null` when it has no token, or one that was not predicted
 */
export function meanSurprisalBits(
  { ends, logprobs }: Pick<TokenScores, "ends" | "logprobs">,
  range: TextRange,
): number | null {
  const bits: number[] = [];
  for (let i = firstEndingAfter(ends, range.start); i < ends.length && (ends[i - 1] ?? 0) < range.end; i++) {
    const logprob = logprobs[i];
    if (logprob == null) return null;
    bits.push(-logprob / Math.LN2);
  }
  return bits.length === 0 ? null : bits.reduce((sum, value) => sum + value, 0) / bits.length;
}

/** The first token that ends after a place; by bisection, since `ends` ascends. */
function firstEndingAfter(ends: readonly number[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
