import type { AdjustedRow } from "../compare/compare.js";

/** Why no difference is shown, where that can be said; begins with a comma. */
export function circumstance(row: AdjustedRow, level: number): string {
  const { onlyBaseline, onlyCandidate, pValue, invariantAccuracy } = row;
  const { baseline } = invariantAccuracy;
  if (onlyBaseline + onlyCandidate > 0) return pValue <= level ? ", as all tests are counted" : "";
  if (row.kind === "generations") {
    if (baseline === 0) return ", neither run matches any revision";
    return baseline === 1 ? ", both runs match every revision" : ", both runs match the same revisions";
  }
  if (baseline === 0) return ", neither run is right on any question";
  return baseline === 1 ? ", both runs are right on every question" : ", both runs are right on the same questions";
}
