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
