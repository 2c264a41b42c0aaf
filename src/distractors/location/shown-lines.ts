import { type DrawInteger, hash32, sampled, seededIntegers, shuffled } from "../../base/random.js";
import type { Location } from "../../dataset/example.js";
import { diffHunk, type HunkDiff } from "../../dataset/hunk-diff.js";
import type { Triple } from "../../dataset/triple.js";
import { shownLines } from "../../question/floors/location-rules.js";
import { DISTRACTORS } from "../build-files.js";
import { otherLines, wordsBeside } from "./candidate-lines.js";
import type { LocationHunk } from "./location-features.js";
import { locationChoices } from "./matched-locations.js";

/** Distance of the truth from the middle below which a hunk is cut evenly around it, in lines. */
const EVEN = 1;
/** Most lines above and below a change of which every cut is looked at; of more lines as many cuts are drawn. */
const MOST_CUTS = 40;
/** Best cuts that are tried. */
const TRIES = 8;

/**
 * Shares of cuts: those that have neither a side as it was nor the change in the middle, those with a side as it was, those
 * with the change beside the middle, and in it.
 */
const SHARES = { uneven: 0.5, oneSide: 0.5, beside: 0.35, middle: 0.15 } as const;
type Sort = keyof typeof SHARES;

interface ShownHunk {
  readonly triple: Triple;
  readonly diff: HunkDiff;
}

interface Cut extends ShownHunk {
  readonly sort: Sort;
  /** See `undecidedBy`: of more, less is given away. */
  readonly undecided: number;
}

/**
 * The hunk with fewer lines around its change, where it is cut evenly around it: there its middle is the answer to "which
 * lines", whatever the others are, and so is the line that has as many lines before it as hunks are cut with. A cut leaves
 * lines enough for wrong locations, of which some are longer or have more words of the review than the truth where that can be.
 * Hunks that lie unevenly stay as they are.
 */
export function unevenlyCut(triple: Triple, diff: HunkDiff, seed: number): ShownHunk {
  const whole = { triple, diff };
  if (offMiddle(diff, triple.preReviewLines.length) >= EVEN || !isBuilt(whole)) return whole;
  const draw = seededIntegers(hash32(`cut ${triple.id}`, seed));
  const all = shuffled(cutsOf(whole, draw), draw);
  const most = Math.max(...all.flatMap(({ sort, undecided }) => (sort === "middle" ? [] : undecided)));
  const cuts = all.filter(({ sort, undecided }) => sort === "middle" || undecided === most);
  const sorts = new Set(cuts.map(({ sort }) => sort));
  const drawn = draw(0, STEPS - 1) / STEPS;
  const wanted = sortAt(drawn, sorts);
  const first = cuts.filter(({ sort }) => sort === wanted);
  const cut = first.slice(0, TRIES).find(isBuilt);
  return cut === undefined ? whole : { triple: cut.triple, diff: cut.diff };
}

/** Finest difference between two drawn numbers. */
const STEPS = 2 ** 30;

function sortAt(drawn: number, sorts: ReadonlySet<Sort>): Sort | undefined {
  const own = (Object.keys(SHARES) as Sort[]).filter((sort) => sorts.has(sort));
  let left = drawn * own.reduce((sum, sort) => sum + SHARES[sort], 0);
  return own.find((sort) => {
    left -= SHARES[sort];
    return left < 0;
  });
}

function isBuilt({ triple, diff }: ShownHunk): boolean {
  return locationChoices(hunkOf({ triple, diff }), triple.id, seededIntegers(0)) !== null;
}

function hunkOf({ triple: { preReviewLines: lines, review }, diff: { location: truth, changeType } }: ShownHunk) {
  return { truth, lines, changeType, review };
}

/** The cuts that leave three other lines. */
function cutsOf(whole: ShownHunk, draw: DrawInteger): Cut[] {
  const [above, below] = contextOf(whole.diff);
  const all = Array.from(
    { length: (above + 1) * (below + 1) },
    (_, i) => [Math.floor(i / (below + 1)), i % (below + 1)] as const,
  );
  return sampled(all, Math.min(all.length, MOST_CUTS), draw).flatMap(([top, bottom]): Cut[] => {
    const cut = withContext(whole, above - top, below - bottom);
    if (cut === null) return [];
    const hunk = hunkOf(cut);
    const others = otherLines(hunk);
    if (others.length < DISTRACTORS) return [];
    const off = offMiddle(cut.diff, hunk.lines.length);
    const isSide = top === above || bottom === below;
    const sort = off >= EVEN ? (isSide ? "oneSide" : "uneven") : off > 0 && !isSide ? "beside" : "middle";
    return [{ ...cut, sort, undecided: undecidedBy(hunk, others) }];
  });
}

/** 2 where another line is as long as the truth's, and 1 where another has as many words of the review. */
function undecidedBy(hunk: LocationHunk, others: Location): number {
  const isUndecided = (measure: (line: number) => number) => {
    const own = hunk.truth.reduce((sum, line) => sum + measure(line), 0) / hunk.truth.length;
    return others.some((line) => measure(line) >= own);
  };
  const lengthOf = (line: number) => shownLines([line], hunk).join("").trim().length;
  return 2 * Number(isUndecided(lengthOf)) + Number(isUndecided(wordsBeside(hunk)));
}

/** Distance of the middle of the truth from that of the hunk. */
function offMiddle({ location, changeType }: HunkDiff, lines: number): number {
  const middle = location.reduce((sum, line) => sum + line, 0) / location.length;
  return Math.abs(middle - (changeType === "add" ? lines : lines + 1) / 2);
}

/** Lines before the first change, and behind the last. */
function contextOf({ old, new: fresh }: HunkDiff): [number, number] {
  const sides = [old, fresh].map((code) => code.split("\n").map((line) => /^[-+]/.test(line)));
  const above = sides.map((own) => (own.includes(true) ? own.indexOf(true) : own.length));
  const below = sides.map((own) => own.length - 1 - own.lastIndexOf(true));
  return [Math.min(...above), Math.min(...below)];
}

/** @returns `null` where the change would be another */
function withContext({ triple, diff }: ShownHunk, top: number, bottom: number): ShownHunk | null {
  const cut = (lines: readonly string[]) => lines.slice(top, lines.length - bottom);
  const [preReviewLines, postReviewLines] = [cut(triple.preReviewLines), cut(triple.postReviewLines)];
  if (preReviewLines.length === 0 || postReviewLines.length === 0) return null;
  const own = diffHunk(preReviewLines, postReviewLines);
  const isSame = own !== null && String(own.location) === String(moved(diff.location, top));
  return isSame ? { triple: { ...triple, preReviewLines, postReviewLines }, diff: own } : null;
}

function moved(location: Location, lines: number): Location {
  return location.map((line) => line - lines);
}
