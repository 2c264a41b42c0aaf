import { combination } from "js-combinatorics";

/**
 * McNemar's exact test for two runs over the same questions (McNemar 1947): two-sided p = min(1, 2 P(X <= min(b, c))),
 * X binomial over the b + c discordant pairs with probability 1/2. 0 < p <= 1; b = c gives 1, and so does no discordant
 * pair: the only outcome there could be. Not mid-p: the error rate is at most the level, whatever n. Pairs must be
 * independent: at most one an example; see `signFlipTest` for more.
 * @param b pairs that only the first run has right
 * @param c pairs that only the second run has right
 */
export function mcNemarExact(b: number, c: number): number {
  const fewer = Math.min(b, c);
  if (b === c) return 1;
  let ways = 1n;
  let total = 1n;
  for (let k = 1; k <= fewer; k++) {
    ways = (ways * BigInt(b + c - k + 1)) / BigInt(k);
    total += ways;
  }
  return Math.min(1, timesPowerOfHalf(total, b + c - 1));
}

/** value / 2^halvings, rounded once; never 0, which an exact p cannot be. */
function timesPowerOfHalf(value: bigint, halvings: number): number {
  const shift = Math.max(0, value.toString(2).length - 64);
  return Math.max(Number.MIN_VALUE, Number(value >> BigInt(shift)) * 2 ** (shift - halvings));
}

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
  return shareOf(atMost, combination(row + other, column));
}

/** More than the digits of a double. */
const BITS = 64;

/** part / whole, for numbers too large for a double; never 0, which an exact p cannot be. */
function shareOf(part: bigint, whole: bigint): number {
  const shift = Math.max(0, bitsOf(whole) - bitsOf(part)) + BITS;
  const scaled = Number((part << BigInt(shift)) / whole) / 2 ** BITS;
  return Math.max(Number.MIN_VALUE, scaled * 2 ** (BITS - shift));
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

/**
 * p-values adjusted for how many tests there are (Benjamini & Hochberg 1995): with p ranked upwards, the adjusted value
 * of rank i is the least of m/j · p(j) over j >= i, at most 1. Calling what is at most q a difference keeps the
 * expected share of false ones among them at q or below. In the order given; ties get the same value; none for none.
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const byRank = pValues.map((p, index) => ({ p, index })).sort((left, right) => left.p - right.p);
  const adjusted = pValues.map(() => 1);
  let least = 1;
  for (let rank = byRank.length; rank >= 1; rank--) {
    const entry = byRank[rank - 1];
    if (entry === undefined) continue;
    // The factor is at least 1, so that rounding never lowers a value.
    least = Math.min(least, entry.p * (byRank.length / rank));
    adjusted[entry.index] = least;
  }
  return adjusted;
}
