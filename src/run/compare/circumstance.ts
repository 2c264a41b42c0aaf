import type { PairedRow } from "../../verdict/compare-verdicts.js";

/** Why no difference is shown, where that can be said; begins with a comma. */
export function circumstance(row: PairedRow, level: number): string {
  const { onlyBaseline, onlyCandidate, pValue, share, items } = row;
  const { baseline } = share;
  if (onlyBaseline + onlyCandidate > 0) return pValue <= level ? ", as all tests are counted" : "";
  if (baseline === 0) return `, neither run passes any of the ${items}`;
  return baseline === 1 ? `, both runs pass all of the ${items}` : `, both runs pass the same ${items}`;
}
