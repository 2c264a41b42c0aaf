import { Combination } from "js-combinatorics";

/** The pairs of the four options; option 0 is the truth. */
const PAIRS = [...new Combination([0, 1, 2, 3], 2)] as [number, number][];

/** How many lines each two of the four options share, when that is as little as can be. */
export interface Overlaps {
  /** Lines shared by options `a` and `b`. */
  readonly between: (a: number, b: number) => number;
  /** In how many ways lines can be given to the options so, relative to the other overlaps of the same hunk and size. */
  readonly ways: number;
}

/**
 * The least overlaps that four sets of `size` of `lines` lines can have, for sets of at most half of the lines. A line
 * need not be in more than two sets then, and 4·size − lines of them (if positive) must be in two: as few shared lines
 * as possible. They are spread evenly over the six pairs of sets; what a division by six leaves over goes to as many
 * different pairs, in every way that leaves no set with more lines than its size.
 *
 * Jaccard similarity, o/(2·size − o), grows with the overlap o ever faster. Hence these overlaps make its maximum over
 * the pairs, and its sum, as small as possible at once. One such way always exists.
 */
export function leastOverlaps(size: number, lines: number): Overlaps[] {
  const shared = Math.max(0, 4 * size - lines);
  const each = Math.floor(shared / PAIRS.length);
  return [...new Combination(PAIRS, shared % PAIRS.length)]
    .map((more) => ({
      between: (a: number, b: number) => each + (more.some((pair) => pair.includes(a) && pair.includes(b)) ? 1 : 0),
      ways: relativeWays(more.flat(), size - 3 * each),
    }))
    .filter(({ ways }) => ways > 0);
}

/**
 * With w lines for each pair and v lines for one set alone, the lines can be given out in a number of ways that is
 * proportional to 1/(∏ w! ∏ v!). The w are the same numbers whichever pairs have one more; v is `room` less the number
 * of those pairs that the set is in, `degree`: 1/v! is proportional to room · (room − 1) ⋯, `degree` factors.
 */
function relativeWays(setsWithMore: readonly number[], room: number): number {
  return setsWithMore.reduce((product, set, position) => {
    const before = setsWithMore.slice(0, position).filter((other) => other === set).length;
    return product * (room - before);
  }, 1);
}
