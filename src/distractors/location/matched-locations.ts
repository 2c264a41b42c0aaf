import { Combination } from "js-combinatorics";
import { type DrawInteger, sampled } from "../../base/random.js";
import { DIFFICULTIES, type Difficulty, type Distractors, type Location } from "../../dataset/example.js";
import { isBare, runsOf } from "../../question/floors/location-rules.js";
import { DISTRACTORS } from "../build-files.js";
import {
  ascending,
  compareLocations,
  countFamilies,
  drawFamily,
  everyFamily,
  type HardFamily,
  membersOf,
} from "./hard-locations.js";
import {
  type HunkLooks,
  type Likeness,
  type LocationBalance,
  type LocationHunk,
  locationFeatures,
  looksOf,
  mutualLikeness,
} from "./location-balance.js";
import { type Arrange, dealtEasily, type LocationDistractors, shuffledBy } from "./paper-locations.js";

/** Hard triples of single lines: the most alike of the candidates, this share of them but not fewer than so many. */
const ALIKE_SHARE = 0.4;
const MIN_ALIKE = 12;

/** Cost of an option with other runs than the truth, in the balance's unit, for each run more or fewer. */
const RUN_COST = 0.1;

/**
 * Three wrong locations of each difficulty that give nothing away to who does not read (spec §3). As alike, or as
 * different, as the paper's, of lines that could be meant; of the candidates the one that keeps the truth's rank under
 * every no-read rule most uniform over the benchmark so far. It is entered into `balance`.
 * @returns `too_few_lines` when there are not three of either difficulty; `balance` is as before
 */
export function matchedLocations(hunk: LocationHunk, balance: LocationBalance, draw: DrawInteger): LocationDistractors {
  const task = { ...hunk, truth: ascending(hunk.truth) };
  const others = otherLines(task);
  const looks = looksOf(task);
  const wrongOnly = (triple: LocationTriple) => triple.every((location) => !meansTheSame(location, task));
  const candidates = {
    easy: easyCandidates(task, others, draw).filter(wrongOnly),
    hard: hardCandidates(task, others, looks.likeness, draw).filter(wrongOnly),
  };
  if (candidates.easy.length === 0 || candidates.hard.length === 0) return { status: "too_few_lines" };
  const chosen = (difficulty: Difficulty) => {
    const triple = fairest(candidates[difficulty], difficulty, task, looks, balance);
    return triple.toSorted(compareLocations);
  };
  const built = { easy: chosen("easy"), hard: chosen("hard") };
  enterLocations(task, built, balance);
  return { status: "built", ...built };
}

/** Counts a question that was built before, as on resuming. */
export function enterLocations(hunk: LocationHunk, wrong: Distractors<Location>, balance: LocationBalance): void {
  const looks = looksOf(hunk);
  for (const difficulty of DIFFICULTIES) {
    balance.add(difficulty, hunk, locationFeatures(hunk, [hunk.truth, ...wrong[difficulty]], looks));
  }
}

function easyCandidates({ truth }: LocationHunk, others: Location, draw: DrawInteger): LocationTriple[] {
  return others.length === 0 ? [] : easyTriples(truth, others, draw);
}

function hardCandidates(
  { truth }: LocationHunk,
  others: Location,
  likeness: Likeness,
  draw: DrawInteger,
): LocationTriple[] {
  const triples = hardTriples(truth, others, draw);
  if (truth.length > 1) return triples;
  const rated = triples.map((triple) => ({ triple, likeness: mutualLikeness([truth, ...triple], likeness) }));
  const kept = Math.max(MIN_ALIKE, Math.ceil(ALIKE_SHARE * rated.length));
  return rated
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, kept)
    .map(({ triple }) => triple);
}

function fairest(
  triples: readonly LocationTriple[],
  difficulty: Difficulty,
  hunk: LocationHunk,
  looks: HunkLooks,
  balance: LocationBalance,
): LocationTriple {
  const costs = triples.map((triple) => {
    const scores = locationFeatures(hunk, [hunk.truth, ...triple], looks);
    return balance.cost(difficulty, hunk, scores) + RUN_COST * runsAstray(hunk.truth, triple);
  });
  return triples[costs.indexOf(Math.min(...costs))] ?? [];
}

/** Three distractors that a question could have. */
type LocationTriple = readonly Location[];

/** Candidate sets of a question; where there are no more, all of them. */
const CANDIDATES = 400;

/** Steps by which a candidate comes to have runs like the truth's. */
const EXCHANGES = 40;

/** Triples for a truth of one line. */
function singleTriples(others: Location, draw: DrawInteger): LocationTriple[] {
  const asLocations = (lines: Location) => lines.map((line) => [line]);
  if (others.length < DISTRACTORS) return [];
  const all = new Combination([...others], DISTRACTORS);
  if (all.length <= CANDIDATES) return [...all].map(asLocations);
  return Array.from({ length: CANDIDATES }, () => asLocations(ascending(sampled(others, DISTRACTORS, draw))));
}

/**
 * Triples that share as few lines as can be with the truth and with each other. Half of them are dealt in runs like the
 * truth's, half of either kind have their lines exchanged until the sets have as many runs, so that shape is no mark.
 */
function easyTriples(truth: Location, others: Location, draw: DrawInteger): LocationTriple[] {
  if (truth.length === 1) return singleTriples(others, draw);
  const atRandom = shuffledBy(draw);
  const inRuns = inRunsBy(runSizes(truth), draw);
  return Array.from({ length: CANDIDATES }, (_, i) => {
    const triple = dealtEasily(truth, others, i % 4 >= 2 ? inRuns : atRandom, draw);
    return i % 2 === 0 ? triple : withRunsOf(truth, others, triple, draw);
  });
}

/** Distance of the numbers of runs to the truth's, summed over the options. */
function runsAstray(truth: Location, triple: LocationTriple): number {
  const runs = runsOf(truth);
  return triple.reduce((sum, location) => sum + Math.abs(runsOf(location) - runs), 0);
}

/** Exchanges two lines of the truth, or two others, in all sets at once, which leaves what they share as it is. */
function withRunsOf(truth: Location, others: Location, triple: LocationTriple, draw: DrawInteger): LocationTriple {
  let best = triple;
  let astray = runsAstray(truth, best);
  for (let step = 0; step < EXCHANGES && astray > 0; step++) {
    const [a, b] = sampled(draw(0, 2) === 0 ? truth : others, 2, draw);
    if (a === undefined || b === undefined) continue;
    const exchanged = best.map((set) => ascending(set.map((line) => (line === a ? b : line === b ? a : line))));
    const next = runsAstray(truth, exchanged);
    if (next <= astray) [best, astray] = [exchanged, next];
  }
  return best;
}

/** Triples that share all lines but one with the truth and with each other; half of those drawn are near the truth. */
export function hardTriples(truth: Location, others: Location, draw: DrawInteger): LocationTriple[] {
  if (truth.length === 1) return singleTriples(others, draw);
  const { core, cover } = countFamilies(truth.length, others.length);
  if (core + cover === 0) return [];
  const families =
    core + cover <= CANDIDATES
      ? everyFamily(truth, others)
      : Array.from({ length: CANDIDATES }, (_, i) =>
          i % 2 === 0 ? drawFamily(truth, others, draw) : drawNear(truth, others, draw),
        );
  return families.map((family) => membersOf(family, truth));
}

/** A family that drops an end of a run, and has a line at another end: sets of as many runs as the truth, where it can. */
function drawNear(truth: Location, others: Location, draw: DrawInteger): HardFamily {
  const has = new Set(truth);
  const touching = others.filter((line) => has.has(line - 1) || has.has(line + 1));
  const { core } = countFamilies(truth.length, others.length);
  if (core === 0 || touching.length === 0) return drawFamily(truth, others, draw);
  const ends = truth.filter((line) => !has.has(line - 1) || !has.has(line + 1));
  const [dropped = 0] = sampled(ends, 1, draw);
  const near = sampled(touching, draw(1, DISTRACTORS), draw);
  const far = sampled(
    others.filter((line) => !near.includes(line)),
    DISTRACTORS - near.length,
    draw,
  );
  return { kind: "core", dropped, taken: [...near, ...far] };
}

/** First the lines of three sets, each in runs of these sizes laid out in random order at random places; then the rest. */
function inRunsBy(sizes: readonly number[], draw: DrawInteger): Arrange {
  const needed = DISTRACTORS * sizes.reduce((sum, size) => sum + size, 0);
  return (lines) => {
    if (lines.length < needed) return shuffledBy(draw)(lines);
    const runs = sampled([...Array(DISTRACTORS * sizes.length).keys()], DISTRACTORS * sizes.length, draw);
    const skips = ascending(runs.map(() => draw(0, lines.length - needed)));
    const placed = new Map<number, Location>();
    let at = 0;
    runs.forEach((run, i) => {
      const size = sizes[run % sizes.length] ?? 0;
      const start = at + (skips[i] ?? 0);
      placed.set(run, lines.slice(start, start + size));
      at += size;
    });
    const first = [...placed].sort(([a], [b]) => a - b).flatMap(([, own]) => own);
    const isPlaced = new Set(first);
    return [...first, ...lines.filter((line) => !isPlaced.has(line))];
  };
}

/** Sizes of the runs of consecutive lines, from the first; ascending lines. */
function runSizes(location: Location): number[] {
  const sizes = Array.from({ length: runsOf(location) }, () => 0);
  let run = -1;
  location.forEach((line, i) => {
    if (line - 1 !== location[i - 1]) run++;
    sizes[run] = (sizes[run] ?? 0) + 1;
  });
  return sizes;
}

/** Lines with a word between two insertion points that cannot be mistaken for each other. */
const MIN_BETWEEN = 2;

/**
 * The lines that somebody could mean, the truth's aside. A modification or deletion whose truth has no blank line and no
 * lone bracket has none in its distractors, and for a truth of one line none that reads the same; for an addition, no
 * insertion point that could be meant as well as a true one: with less than two lines between, blank ones aside.
 * @returns ascending
 */
export function otherLines(hunk: LocationHunk): Location {
  const { truth, lines, changeType } = hunk;
  const isTrue = new Set(truth);
  if (changeType === "add") {
    return rangeFrom(0, lines.length).filter((gap) => truth.every((right) => !areNeighbours(gap, right, lines)));
  }
  const textOf = (line: number) => lines[line - 1]?.trim() ?? "";
  const isBareTrue = truth.some((line) => isBare(textOf(line)));
  const single = truth.length === 1 ? textOf(truth[0] ?? 0) : null;
  return rangeFrom(1, lines.length).filter(
    (line) => !isTrue.has(line) && (isBareTrue || !isBare(textOf(line))) && textOf(line) !== single,
  );
}

/**
 * Tells whether a location differs from the truth in blank lines and lone brackets alone, as when the blank line before a
 * statement is taken with it in place of the one behind: both are right then.
 */
export function meansTheSame(location: Location, { truth, lines, changeType }: LocationHunk): boolean {
  if (changeType === "add") return false;
  const telling = (of: Location) => of.filter((line) => !isBare(lines[line - 1] ?? ""));
  const [own, right] = [telling(location), telling(truth)];
  return right.length > 0 && own.length === right.length && own.every((line) => right.includes(line));
}

/** Tells whether code put at one insertion point might as well be put at the other. */
function areNeighbours(a: number, b: number, lines: readonly string[]): boolean {
  const between = lines.slice(Math.min(a, b), Math.max(a, b));
  return between.filter((line) => line.trim() !== "").length < MIN_BETWEEN;
}

function rangeFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
