import { sum } from "simple-statistics";

/** Up to so many draws (the orders of five options) the distribution is summed out; above, approximated. */
const MAX_EXACT_DRAWS = 120;

const known = new Map<string, readonly number[]>();

/**
 * Distribution of k, the largest count among N options in M independent uniform draws, as probabilities of 0…M. With
 * M = N! this is what plurality agreement is under uniform guessing. Exact up to 120 draws; above by Levin's
 * approximation, which is off by less than 0.002 there.
 */
export function largestCountDistribution(optionCount: number, draws: number): readonly number[] {
  const key = `${optionCount} ${draws}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const cumulative =
    draws <= MAX_EXACT_DRAWS
      ? Array.from({ length: draws + 1 }, (_, m) => probabilityAllAtMost(m, optionCount, draws))
      : approximateCumulative(optionCount, draws);
  const distribution = cumulative.map((p, m) => Math.max(0, p - (cumulative[m - 1] ?? 0)));
  known.set(key, distribution);
  return distribution;
}

/** P(k <= m) is M!/N^M times the coefficient of x^M in (Σ_{j<=m} x^j/j!)^N. */
function probabilityAllAtMost(most: number, optionCount: number, draws: number): number {
  // Adds one option at a time; `reach[t]` is Π 1/j! summed over the ways to spend t draws, times t!/N^t.
  let reach = [1, ...Array.from({ length: draws }, () => 0)];
  for (let option = 0; option < optionCount; option++) {
    reach = reach.map((_, total) =>
      sum(Array.from({ length: Math.min(most, total) + 1 }, (_x, j) => (reach[total - j] ?? 0) * choose(total, j))),
    );
  }
  return (reach[draws] ?? 0) / optionCount ** draws;
}

function choose(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

/**
 * P(k <= m) for all m by Levin (1981, Annals of Statistics 9:1123): independent Poisson counts of mean M/N, none above
 * m, given that they sum to M; the density of their sum by an Edgeworth expansion.
 */
export function approximateCumulative(optionCount: number, draws: number): number[] {
  const mean = draws / optionCount;
  // Σ p(k) (k − mean)^i over k <= m, for i = 0…4.
  const sums = [0, 0, 0, 0, 0];
  let logP = -mean;
  const raw = Array.from({ length: draws + 1 }, (_, m) => {
    if (m > 0) logP += Math.log(mean) - Math.log(m);
    for (let i = 0, power = Math.exp(logP); i < sums.length; i++, power *= m - mean) sums[i] = (sums[i] ?? 0) + power;
    return m * optionCount < draws ? 0 : levinWeight(sums, mean, optionCount);
  });
  // The constants that the expansion leaves out are those that make the last one 1.
  const last = raw.at(-1) ?? 1;
  const cumulative: number[] = [];
  for (const value of raw) cumulative.push(Math.min(1, Math.max(cumulative.at(-1) ?? 0, value / last)));
  return cumulative;
}

/** F^N times the density of the truncated counts' sum at M, both by their moments. */
function levinWeight([s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0]: readonly number[], mean: number, n: number): number {
  if (s0 === 0) return 0;
  const [a, b, c, d] = [s1 / s0, s2 / s0, s3 / s0, s4 / s0];
  const variance = b - a * a;
  if (variance <= 0 || mean <= 0) return 0;
  const third = c - 3 * a * b + 2 * a ** 3;
  const fourth = d - 4 * a * c + 6 * a * a * b - 3 * a ** 4;
  const deviation = Math.sqrt(n * variance);
  const z = (-n * a) / deviation;
  const skew = third / variance ** 1.5 / Math.sqrt(n);
  const excess = (fourth / variance ** 2 - 3) / n;
  const edgeworth =
    1 +
    (skew / 6) * (z ** 3 - 3 * z) +
    (excess / 24) * (z ** 4 - 6 * z ** 2 + 3) +
    (skew ** 2 / 72) * (z ** 6 - 15 * z ** 4 + 45 * z ** 2 - 15);
  return Math.max(0, ((s0 ** n * Math.exp((-z * z) / 2)) / deviation) * edgeworth);
}
