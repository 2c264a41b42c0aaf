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
  const least = Math.max(0, column - other);
  const most = Math.min(row, column);
  const ways = [combination(row, least) * combination(other, column - least)];
  for (let k = least; k < most; k++) {
    // From C(row, k) C(other, column − k) to the next: the division leaves no rest.
    const next = (ways[k - least] ?? 0n) * BigInt((row - k) * (column - k));
    ways.push(next / BigInt((k + 1) * (other - column + k + 1)));
  }
  const found = ways[a - least] ?? 0n;
  const atMost = ways.reduce((sum, count) => (count <= found ? sum + count : sum), 0n);
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
