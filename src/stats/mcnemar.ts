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
