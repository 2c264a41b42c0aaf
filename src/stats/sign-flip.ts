/**
 * Fisher's randomisation test of paired differences, exact, by example: if the two runs were equally good, each
 * example's difference would as likely have the other sign. Two-sided p = P(|T| >= |t|), T = Σ ±dᵢ over all 2^n sign
 * patterns, each as probable; all questions of an example change sign together, so that they need not be independent.
 * 0 < p <= 1; t = 0 gives 1. With one question an example this is McNemar's exact test. Time: examples × Σ|dᵢ|.
 * @param differences one whole number an example: questions right in the second run, minus those right in the first
 */
export function signFlipTest(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size !== 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const reach = sizes.reduce((sum, size) => sum + size, 0);
  const law = lawOfSum(sizes, reach);
  const tail = law.reduce((sum, probability, at) => (at - reach >= observed ? sum + probability : sum), 0);
  return observed === 0 ? 1 : Math.max(Number.MIN_VALUE, Math.min(1, 2 * tail));
}

/** Probability of each sum from −reach to reach. */
function lawOfSum(sizes: readonly number[], reach: number): Float64Array {
  let law = new Float64Array(2 * reach + 1);
  law[reach] = 1;
  let covered = 0;
  for (const size of sizes) {
    const next = new Float64Array(law.length);
    for (let at = reach - covered; at <= reach + covered; at++) {
      const half = (law[at] ?? 0) / 2;
      next[at - size] = (next[at - size] ?? 0) + half;
      next[at + size] = (next[at + size] ?? 0) + half;
    }
    covered += size;
    law = next;
  }
  return law;
}
