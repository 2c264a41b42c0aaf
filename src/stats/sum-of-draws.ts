/** Probabilities of the whole numbers from `from` on. */
export interface Law {
  readonly from: number;
  readonly probabilities: Float64Array;
}

/** Ends of a law below this are cut off: together far less than 1e-80, for any number of draws that can be computed. */
const NEGLIGIBLE = 1e-100;

/**
 * The law of the sum of `n` independent draws from `single`, by repeated squaring: about 2 log2(n) convolutions, each
 * as wide as the law spreads (43 standard deviations, whatever the range). Only positive terms are added, so that small
 * probabilities keep their digits. Sums whose probability is below 1e-100 may be missing at both ends.
 * @param single probabilities of 0, 1, 2, …
 * @param n at least 0; the sum of no draws is 0
 */
export function sumOfDraws(single: readonly number[], n: number): Law {
  let sum: Law = { from: 0, probabilities: Float64Array.of(1) };
  let power = withoutEnds({ from: 0, probabilities: Float64Array.from(single) });
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) sum = added(sum, power);
    if (left > 1) power = doubled(power);
  }
  return sum;
}

/** The law of the sum of two independent numbers. */
function added(a: Law, b: Law): Law {
  const probabilities = new Float64Array(a.probabilities.length + b.probabilities.length - 1);
  for (let i = 0; i < a.probabilities.length; i++) {
    const left = a.probabilities[i] ?? 0;
    for (let j = 0; j < b.probabilities.length; j++) {
      probabilities[i + j] = (probabilities[i + j] ?? 0) + left * (b.probabilities[j] ?? 0);
    }
  }
  return withoutEnds({ from: a.from + b.from, probabilities });
}

/** The law of the sum of two independent numbers of the same law: each pair of different places counts twice. */
function doubled({ from, probabilities: own }: Law): Law {
  const probabilities = new Float64Array(2 * own.length - 1);
  for (let i = 0; i < own.length; i++) {
    const left = own[i] ?? 0;
    probabilities[2 * i] = (probabilities[2 * i] ?? 0) + left * left;
    for (let j = i + 1; j < own.length; j++) {
      probabilities[i + j] = (probabilities[i + j] ?? 0) + 2 * left * (own[j] ?? 0);
    }
  }
  return withoutEnds({ from: 2 * from, probabilities });
}

function withoutEnds({ from, probabilities }: Law): Law {
  let [first, last] = [0, probabilities.length - 1];
  while (first < last && (probabilities[first] ?? 0) < NEGLIGIBLE) first++;
  while (last > first && (probabilities[last] ?? 0) < NEGLIGIBLE) last--;
  return { from: from + first, probabilities: probabilities.slice(first, last + 1) };
}
