import { type DrawInteger, seededIntegers } from "../../../../base/random.js";

/** The paper's setting (§8): five starting points, five tokens each. */
export const NGRAM = { n: 5, starts: 5 } as const;

/** The first token that is predicted from at least two before it, as in the reference implementation. */
const FIRST = 2;

/** `even`: spread evenly over the text. `random`: drawn, all different. */
export const START_MODES = ["even", "random"] as const;
export type StartMode = (typeof START_MODES)[number];

/**
 * Where the n-grams of a text begin (paper §8, Eq. 6, s_j; Xu et al. 2024): token positions from 0, BOS not counted,
 * ascending. `even`: ⌊2 + j (length − n − 2) / (K − 1)⌋ for j = 0 … K − 1, which is the reference implementation's choice:
 * from the third token to the last n-gram.
 * @param tokens length of the text
 * @param seed of this text; for `random` only
 * @returns `null` when the text is too short for K different ones
 */
export function startingPoints(tokens: number, mode: StartMode, seed: number): readonly number[] | null {
  const last = tokens - NGRAM.n;
  if (last - FIRST + 1 < NGRAM.starts) return null;
  if (mode === "random") return drawnPoints(last, seededIntegers(seed));
  // Whole numbers until the division, so that no rounding can take a point below its place.
  return Array.from({ length: NGRAM.starts }, (_, j) => FIRST + Math.floor((j * (last - FIRST)) / (NGRAM.starts - 1)));
}

function drawnPoints(last: number, draw: DrawInteger): number[] {
  const points = new Set<number>();
  while (points.size < NGRAM.starts) points.add(draw(FIRST, last));
  return [...points].sort((a, b) => a - b);
}
