import { type Estimate, proportion } from "../interval.js";

/** How often all votes on an item are the same. */
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
