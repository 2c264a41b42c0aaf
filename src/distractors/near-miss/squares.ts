import { hash32 } from "../../base/random.js";
import { normaliseText } from "../../base/text.js";
import type { Difficulty } from "../../dataset/example.js";
import { diffHunk } from "../../dataset/hunk-diff.js";
import type { Triple } from "../../dataset/triple.js";
import { unitDistance } from "../../question/floors/solution-rules.js";
import { areIndependent, type NearMiss, nameOf, withMisses } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Four revisions of two near misses, a and b: neither (the right one), a, b, both. */
export interface Square {
  readonly misses: readonly [NearMiss, NearMiss];
  /** Diffs as the question shows them, the right one first. */
  readonly solutions: readonly [string, string, string, string];
  /** Cost of the quality of both near misses. */
  readonly cost: number;
}

/** Squares that a question is chosen from, for each difficulty. */
const MOST_SQUARES = 40;
/** Near misses at one range that are tried: the best, of equals drawn ones. */
const MOST_AT_PLACE = 6;
/** Highest cost of a square: two near misses of which one at least is made every day. */
const MAX_COST = 2.2;
/** Highest cost where none is below that. */
const MAX_COST_ALONE = 6;
/** Part of the squares that each difficulty is chosen from: a little more than half, so that ranks can be even. */
const PART = 0.65;
/** Squares that are tried before they are compared; fewer of a hunk that is longer than usual, see `mostTried`. */
const MOST_TRIED = 160;
const LEAST_TRIED = 16;
/** Lines before and after of a usual hunk: no longer one is among the paper's. */
const USUAL_LINES = 200;

/**
 * The squares of a revision. Every option has two neighbours and one opposite, so that no rule of centre, length or
 * tokens finds the right one. Hard ones are of the half whose near misses change fewest characters of the question.
 * @param seed decides among equals
 * @returns by difficulty, the best first; empty where two independent near misses are not to be had
 */
export function squaresOf(
  misses: readonly NearMiss[],
  revision: Revision,
  triple: Triple,
  seed: number,
): Record<Difficulty, readonly Square[]> {
  const shown = shownIn(revision, triple);
  const best = bestOf(misses, seed);
  const most = mostTried(triple);
  const within = (cost: number) =>
    pairsOf(best, { seed, cost, most }).flatMap((pair) => squareOf(pair, revision, shown) ?? []);
  const good = within(MAX_COST);
  const tried = good.length > 0 ? good : within(MAX_COST_ALONE);
  const far = tried
    .map((square) => ({ square, far: unitDistance(square.solutions[0], square.solutions[3]) }))
    .sort((a, b) => a.far - b.far);
  // One square alone is that of both.
  const part = Math.round(far.length * PART);
  const take = (own: typeof far) =>
    own
      .map(({ square }) => square)
      .sort((a, b) => a.cost - b.cost)
      .slice(0, MOST_SQUARES);
  return { hard: take(far.slice(0, part)), easy: take(far.slice(-part)) };
}

/** The time of a diff grows with the square of a hunk's length, and each square takes three. */
function mostTried({ preReviewLines, postReviewLines }: Triple): number {
  const share = USUAL_LINES / Math.max(USUAL_LINES, preReviewLines.length + postReviewLines.length);
  return Math.max(LEAST_TRIED, Math.floor(MOST_TRIED * share ** 2));
}

/** The best near misses of each range; different texts only. */
function bestOf(misses: readonly NearMiss[], seed: number): NearMiss[] {
  const ranges = new Map<string, Map<string, NearMiss>>();
  for (const miss of misses) {
    const key = miss.edits.map(({ start, end }) => `${start} ${end}`).join(" ");
    const own = ranges.get(key) ?? new Map<string, NearMiss>();
    const name = nameOf(miss);
    const known = own.get(name);
    if (known === undefined || miss.cost < known.cost) own.set(name, miss);
    ranges.set(key, own);
  }
  return [...ranges.values()].flatMap((own) =>
    [...own.values()]
      .map((miss) => ({ miss, draw: hash32(nameOf(miss), seed) }))
      .sort((a, b) => a.miss.cost - b.miss.cost || a.draw - b.draw)
      .slice(0, MOST_AT_PLACE)
      .map(({ miss }) => miss),
  );
}

type Pair = readonly [NearMiss, NearMiss];

/**
 * Independent pairs, one at least of what the review asks for; the cheapest first, a little drawn. A long hunk has
 * millions: only what may still be among the `most` best is looked at.
 */
function pairsOf(
  misses: readonly NearMiss[],
  { seed, cost, most }: { readonly seed: number; readonly cost: number; readonly most: number },
): Pair[] {
  const best: { readonly pair: Pair; readonly key: number }[] = [];
  const byCost = misses.map((miss, at) => ({ miss, at })).sort((a, b) => a.miss.cost - b.miss.cost);
  for (const [i, one] of byCost.entries()) {
    for (const other of byCost.slice(i + 1)) {
      const sum = one.miss.cost + other.miss.cost;
      if (sum > Math.min(cost, best[most - 1]?.key ?? cost)) break;
      const pair: Pair = one.at < other.at ? [one.miss, other.miss] : [other.miss, one.miss];
      if (isPair(pair)) enter({ pair, key: sum + drawnShare(pair, seed) }, best, most);
    }
  }
  return best.map(({ pair }) => pair);
}

/** Puts an item among the best, which ascend. */
function enter<T extends { readonly key: number }>(item: T, best: T[], most: number): void {
  const at = best.findLastIndex(({ key }) => key <= item.key) + 1;
  if (at >= most) return;
  best.splice(at, 0, item);
  best.length = Math.min(best.length, most);
}

function isPair([a, b]: Pair): boolean {
  return (a.isAsked || b.isAsked) && areIndependent(a, b) && !areOneRename(a, b);
}

/** Two places put back alike: together they are another name for one thing, and change nothing. */
function areOneRename(a: NearMiss, b: NearMiss): boolean {
  const texts = ({ edits }: NearMiss) => edits.map(({ to }) => to).join("\n");
  return a.kind === "put_back" && b.kind === "put_back" && texts(a) === texts(b);
}

function drawnShare([a, b]: Pair, seed: number): number {
  return hash32(`${nameOf(a)} ${nameOf(b)}`, seed) / 2 ** 32;
}

/** The diff that shows a text, or `null` where it parses worse than the right one or changes nothing. */
type Shown = (text: string) => string | null;

/** Most texts stand in several squares: each is read once. */
export function shownIn({ syntax, parsed }: Revision, { preReviewLines }: Triple): Shown {
  const known = new Map<string, string | null>();
  const shownAnew: Shown = (text) =>
    syntax.errors(text) > parsed.errors ? null : (diffHunk(preReviewLines, text.split("\n"))?.solution ?? null);
  return (text) => {
    const shown = known.get(text);
    if (shown !== undefined) return shown;
    const anew = shownAnew(text);
    known.set(text, anew);
    return anew;
  };
}

/** @returns `null` where an option is not shown, or is another's twin */
function squareOf(misses: Pair, revision: Revision, shown: Shown): Square | null {
  const [a, b] = misses;
  const texts = [[], [a], [b], [a, b]].map((own) => withMisses(revision.text, own));
  // Where depth says nothing, space does not tell two revisions apart.
  const codes = texts.map((text) => (revision.language === "python" ? text : text.replace(/\s+/g, "")));
  if (new Set(codes).size < codes.length) return null;
  const [onlyA, onlyB, both] = texts.slice(1).map(shown);
  if (onlyA == null || onlyB == null || both == null) return null;
  const all = [revision.diff.solution, onlyA, onlyB, both] as const;
  const isDistinct = new Set(all.map((text) => normaliseText(text).replace(/\s+/g, ""))).size === all.length;
  return isDistinct ? { misses, solutions: all, cost: a.cost + b.cost } : null;
}
