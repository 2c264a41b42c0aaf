import { combination } from "js-combinatorics";

/**
 * Fisher's exact test of a 2×2 table, two-sided: with all four margins fixed, the sum of the probabilities of all tables
 * that are no more probable than the one found (Fisher 1935; Freeman & Halton 1951). Computed in whole numbers, so that
 * equally probable tables are told apart from nearly equal ones. 0 < p <= 1; 1 where a margin is empty, and so without
 * observations: there is but one table.
 * @param table whole numbers, [[a, b], [c, d]]
 */
export function fisherExact([[a, b], [c, d]]: readonly [readonly [number, number], readonly [number, number]]): number {
  const [row, other, column] = [a + b, c + d, a + c];
  const ways = (k: number) => combination(row, k) * combination(other, column - k);
  const found = ways(a);
  let atMost = 0n;
  for (let k = Math.max(0, column - other); k <= Math.min(row, column); k++) {
    const count = ways(k);
    if (count <= found) atMost += count;
  }
  return share(atMost, combination(row + other, column));
}

/** More than the digits of a double. */
const BITS = 64;

/** part / whole, for numbers too large for a double; never 0, which an exact p cannot be. */
function share(part: bigint, whole: bigint): number {
  const shift = Math.max(0, bitsOf(whole) - bitsOf(part)) + BITS;
  const scaled = Number((part << BigInt(shift)) / whole) / 2 ** BITS;
  return Math.max(Number.MIN_VALUE, scaled * 2 ** (BITS - shift));
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}
