import { mean, sum } from "simple-statistics";
import { type Estimate, proportion } from "./interval.js";

/** Agreement of two annotators beyond chance, over one set of categories. */
export interface Agreement {
  /** Examples that both decided. */
  readonly n: number;
  /** Share of them with the same category, 0–1; `null` when n = 0. */
  readonly observed: number | null;
  /** Share expected from the annotators' own category shares alone, 0–1; `null` when n = 0. */
  readonly expected: number | null;
  /** −1 to 1; `null` when n = 0 or `expected` is 1 (both used one and the same category: nothing to tell apart). */
  readonly kappa: number | null;
  /** `null` with kappa, and when n < 2. */
  readonly standardError: number | null;
  /** Ends of the 95 % interval, within −1 and 1; `null` when the standard error is absent or 0. */
  readonly low: number | null;
  readonly high: number | null;
}

/** The 97.5 % point of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * Cohen's kappa (Cohen 1960) with its large-sample interval (Fleiss, Cohen & Everitt 1969, "Large sample standard errors
 * of kappa and weighted kappa", for a kappa that need not be 0). With shares p_ij (row: first annotator, column:
 * second), row sums r_i and column sums c_i, po = Σ p_ii, pe = Σ r_i c_i:
 *
 *   κ = (po − pe) / (1 − pe)
 *   SE² = { Σ_i p_ii [(1 − pe) − (r_i + c_i)(1 − po)]² + (1 − po)² Σ_{i≠j} p_ij (c_i + r_j)²
 *           − (po pe − 2 pe + po)² } / (n (1 − pe)⁴)
 *
 * The interval is κ ± z SE. At perfect agreement (κ = 1) the formula gives a standard error of 0 whatever n is: there
 * the interval is absent, since a width of 0 would claim a certainty that nobody has.
 * @param counts square; `counts[i][j]`: examples the first annotator put into category i, the second into j
 */
export function cohensKappa(counts: readonly (readonly number[])[]): Agreement {
  const n = total(counts.map(total));
  if (n === 0) return { n, observed: null, expected: null, ...UNDEFINED };
  const shares = counts.map((row) => row.map((count) => count / n));
  const rows = counts.map((row) => total(row) / n);
  const columns = counts.map((_, j) => total(counts.map((row) => row[j] ?? 0)) / n);
  const observed = total(counts.map((row, i) => row[i] ?? 0)) / n;
  const expected = total(rows.map((row, i) => row * (columns[i] ?? 0)));
  const usesOneCategory = rows.some((row, i) => row === 1 && columns[i] === 1);
  if (usesOneCategory) return { n, observed, expected: 1, ...UNDEFINED };
  const kappa = (observed - expected) / (1 - expected);
  if (n < 2) return { n, observed, expected, ...UNDEFINED, kappa };
  const standardError = largeSampleError({ n, shares, rows, columns, observed, expected });
  const interval =
    standardError === 0
      ? { low: null, high: null }
      : { low: Math.max(-1, kappa - Z * standardError), high: Math.min(1, kappa + Z * standardError) };
  return { n, observed, expected, kappa, standardError, ...interval };
}

const UNDEFINED = { kappa: null, standardError: null, low: null, high: null };

/** Below this a variance is rounding: the terms are sums of products of shares. */
const ROUNDING = 1e-15;

interface Shares {
  readonly n: number;
  readonly shares: readonly (readonly number[])[];
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly observed: number;
  readonly expected: number;
}

function largeSampleError({ n, shares, rows, columns, observed: po, expected: pe }: Shares): number {
  let agreeing = 0;
  let differing = 0;
  shares.forEach((row, i) => {
    row.forEach((share, j) => {
      if (i === j) agreeing += share * (1 - pe - ((rows[i] ?? 0) + (columns[i] ?? 0)) * (1 - po)) ** 2;
      else differing += share * ((columns[i] ?? 0) + (rows[j] ?? 0)) ** 2;
    });
  });
  const spread = agreeing + (1 - po) ** 2 * differing - (po * pe - 2 * pe + po) ** 2;
  return spread < ROUNDING ? 0 : Math.sqrt(spread / (n * (1 - pe) ** 4));
}

function total(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Macro-averaged F1 of two raters over the same items: the plain mean of the classes' F1 = 2 p_ii / (row_i + column_i),
 * 0–1 (the "averaged F1" of Opitz & Burst 2019). It does not matter
 * who of the two is the row. A class that one side uses and the other never has F1 = 0. `null` if a class is absent on
 * both sides, which leaves its F1 undefined, and so without items or classes.
 * @param counts square; `counts[i][j]`: items that the first put into class i, the second into class j
 */
export function macroF1(counts: readonly (readonly number[])[]): number | null {
  const scores = counts.map((row, i) => {
    const both = sum([...row]) + sum(counts.map((other) => other[i] ?? 0));
    return both === 0 ? null : (2 * (row[i] ?? 0)) / both;
  });
  const defined = scores.filter((score) => score !== null);
  return defined.length === 0 || defined.length < scores.length ? null : mean(defined);
}

/** Share of items on which all votes are the same. */
export interface Unanimity {
  /** Share of the items with Wilson's 95 % interval; `null` when n = 0. */
  readonly share: Estimate | null;
  /** Items with at least two votes. */
  readonly n: number;
  /** Items with fewer: nothing to compare. */
  readonly excluded: number;
}

/**
 * Share of items on which all votes agree, 0–1. The more votes an item has, the harder it is to be unanimous: compare
 * only equal numbers of votes. A vote that could not be read is `null`; it counts neither for nor against.
 * @param votes by item
 */
export function unanimity(votes: readonly (readonly (string | null)[])[]): Unanimity {
  const known = votes.map((each) => each.filter((vote) => vote !== null)).filter(({ length }) => length >= 2);
  const unanimous = known.filter((each) => new Set(each).size === 1);
  return {
    share: proportion(unanimous.length, known.length),
    n: known.length,
    excluded: votes.length - known.length,
  };
}
