import { Combination } from "js-combinatorics";
import { type DrawInteger, sampled } from "../../base/random.js";
import type { Distractors, Location } from "../../dataset/example.js";
import { DISTRACTORS } from "../build-files.js";
import { ascending, compareLocations, hardDistractors, type LocationOrder } from "./hard-locations.js";

/** The lines a location may name: 1 to the last, or from 0 where code is added after a line. */
export interface LineRange {
  readonly first: 0 | 1;
  readonly last: number;
}

/** Three distractors of each difficulty, or none of either: both exist for the same hunks. */
export type LocationDistractors =
  | ({ readonly status: "built" } & Distractors<Location>)
  | { readonly status: "too_few_lines" };

/**
 * Three wrong locations of each difficulty by the paper's rules (§3.4), ascending, all distinct and of the same size k as
 * the truth: easy ones with the lowest Jaccard similarities between all four options that k of n lines allow, hard ones
 * with the highest, (k − 1)/(k + 1) for every two. Constructive: time grows with n, never with the number of subsets.
 * @param truth distinct lines of the range, in any order
 * @returns `too_few_lines` when no four sets of its size are so alike
 */
export function locationDistractors(truth: Location, range: LineRange, order: LocationOrder): LocationDistractors {
  const lines = Array.from({ length: range.last - range.first + 1 }, (_, i) => range.first + i);
  const isTrue = new Set(truth);
  const right = lines.filter((line) => isTrue.has(line));
  const others = lines.filter((line) => !isTrue.has(line));
  const hard = hardDistractors(right, others, order);
  if (hard === null) return { status: "too_few_lines" };
  return { status: "built", easy: easyDistractors(right, others, order), hard };
}

/** Finer than any difference between two weights that matters. */
const STEPS = 2 ** 30;

/**
 * Three sets of the truth's size k such that the Jaccard similarities of all pairs of the four options are as low as
 * possible (paper §3.4): no four sets of that size in n lines have a lower maximum or a lower sum over the six pairs.
 * `first`: of all such triples the first, compared by their first set, then the second, then the third.
 *
 * Two sets share 2k − n lines more than the lines they leave out do. So where the sets hold more than half of the lines,
 * the lines left out are chosen instead: never more than half, and no line is needed in more than two of them.
 * @param truth ascending
 * @param others the lines that are not in the truth, ascending
 */
function easyDistractors(truth: Location, others: Location, order: LocationOrder): Location[] {
  if (order.kind === "sampled") return dealtEasily(truth, others, shuffledBy(order.draw), order.draw);
  const { base, rest, choices, dealt, inverted } = tableOf(truth, others);
  // The set that leaves out the highest lines comes first.
  const [from, to] = inverted ? [base.toReversed(), rest.toReversed()] : [base, rest];
  const triples = choices.map((overlaps) => dealt(from, to, overlaps));
  return triples.sort((a, b) => compareLocations(a.flat(), b.flat()))[0] ?? [];
}

/** Puts lines in the order in which they are dealt. */
export type Arrange = (lines: Location) => Location;

export function shuffledBy(draw: DrawInteger): Arrange {
  return (lines) => sampled(lines, lines.length, draw);
}

/** One admissible triple, of lines dealt in the order that `arrange` puts them in. */
export function dealtEasily(truth: Location, others: Location, arrange: Arrange, draw: DrawInteger): Location[] {
  const { base, rest, choices, dealt } = tableOf(truth, others);
  return dealt(arrange(base), arrange(rest), drawByWays(choices, draw));
}

function tableOf(truth: Location, others: Location) {
  const inverted = truth.length > others.length;
  const [base, rest] = inverted ? [others, truth] : [truth, others];
  const lines = ascending([...truth, ...others]);
  const dealt = (from: Location, to: Location, overlaps: Overlaps) =>
    deal(from, to, overlaps).map((set) => lines.filter((line) => set.has(line) !== inverted));
  return { base, rest, inverted, dealt, choices: leastOverlaps(base.length, lines.length) };
}

/**
 * Deals three more sets of the size of `base`: each takes from every set before it the lines the two are to share, out of
 * those that no third set has, and the others from the free lines. Always the foremost of them: a random triple from
 * lines in random order, the lexicographically first with these overlaps from ascending ones.
 */
function deal(base: Location, rest: Location, overlaps: Overlaps): ReadonlySet<number>[] {
  const free = [...rest];
  const onlyIn = [[...base]];
  const sets: ReadonlySet<number>[] = [];
  for (let set = 1; set <= DISTRACTORS; set++) {
    const shared = onlyIn.flatMap((lines, earlier) => lines.splice(0, overlaps.between(earlier, set)));
    const own = free.splice(0, base.length - shared.length);
    onlyIn.push(own);
    sets.push(new Set([...shared, ...own]));
  }
  return sets;
}

/** With every way to deal the lines equally likely, whichever overlaps it has. */
function drawByWays(choices: readonly Overlaps[], draw: DrawInteger): Overlaps {
  const total = choices.reduce((sum, { ways }) => sum + ways, 0);
  let left = (draw(0, STEPS - 1) / STEPS) * total;
  const drawn = choices.find(({ ways }) => {
    left -= ways;
    return left < 0;
  });
  return drawn ?? (choices.at(-1) as Overlaps);
}

/** The pairs of the four options; option 0 is the truth. */
const PAIRS = [...new Combination([0, 1, 2, 3], 2)] as [number, number][];

/** Lines that each two of the four options share, when that is as few as can be. */
interface Overlaps {
  /** Lines shared by options `a` and `b`. */
  readonly between: (a: number, b: number) => number;
  /** Number of ways to give lines to the options so, relative to the other overlaps of the same hunk and size. */
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
function leastOverlaps(size: number, lines: number): Overlaps[] {
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
