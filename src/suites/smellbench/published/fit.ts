/** All combinations of seven smells, three difficulties, two settings and seven projects. */
export const ALL_CASES = 294;
/** Of one setting and difficulty. */
export const CELL_CASES = 49;

/** As many decimals as the paper prints. */
const DECIMALS = 4;

/** What a printed share counts: k of n; `null`: none of n rounds to it. */
export function countOf(share: number, n: number): number | null {
  const k = Math.round(share * n);
  return (k / n).toFixed(DECIMALS) === share.toFixed(DECIMALS) ? k : null;
}

/** Of how many cases two printed shares are, and how many each counts. */
export interface Fit {
  readonly n: number;
  /** Of all, those that are not among them. */
  readonly excluded: number;
  readonly passed: number;
  readonly located: number;
}

/**
 * The one n, at most all, of which both shares can be: all where they can be of all; `null` where none fits, or several
 * smaller ones do.
 */
export function fitOf(tpr: number, la: number, all: number): Fit | null {
  const whole = fitAt(tpr, la, all, all);
  if (whole !== null) return whole;
  const found = Array.from({ length: all - 1 }, (_, i) => fitAt(tpr, la, i + 1, all)).filter((fit) => fit !== null);
  const [only = null, ...others] = found;
  return others.length === 0 ? only : null;
}

function fitAt(tpr: number, la: number, n: number, all: number): Fit | null {
  const [passed, located] = [countOf(tpr, n), countOf(la, n)];
  return passed === null || located === null ? null : { n, excluded: all - n, passed, located };
}
