import { Combination } from "js-combinatorics";
import type { DrawInteger } from "../../../base/random.js";
import type { Location } from "../example/example.js";
import { runsOf } from "../floors/location-rules.js";
import { type Arrange, dealtEasily, shuffledBy } from "./location-easy.js";
import { countFamilies, drawFamily, everyFamily, type HardFamily, membersOf } from "./location-hard.js";
import { ascending, DISTRACTORS, drawnFrom } from "./location-order.js";

/** Three distractors that a question could have. */
export type LocationTriple = readonly Location[];

/** Candidate sets of a question; where there are no more, all of them. */
export const CANDIDATES = 400;

/** Steps by which a candidate comes to have runs like the truth's. */
const EXCHANGES = 40;

/** Triples for a truth of one line. */
export function singleTriples(others: Location, draw: DrawInteger): LocationTriple[] {
  const asLocations = (lines: Location) => lines.map((line) => [line]);
  if (others.length < DISTRACTORS) return [];
  const all = new Combination([...others], DISTRACTORS);
  if (all.length <= CANDIDATES) return [...all].map(asLocations);
  return Array.from({ length: CANDIDATES }, () => asLocations(ascending(drawnFrom(others, DISTRACTORS, draw))));
}

/**
 * Triples that share as few lines as can be with the truth and with each other. Half of them are dealt in runs like the
 * truth's, half of either kind have their lines exchanged until the sets have as many runs, so that shape is no mark.
 */
export function easyTriples(truth: Location, others: Location, draw: DrawInteger): LocationTriple[] {
  if (truth.length === 1) return singleTriples(others, draw);
  const atRandom = shuffledBy(draw);
  const inRuns = inRunsBy(runSizes(truth), draw);
  return Array.from({ length: CANDIDATES }, (_, i) => {
    const triple = dealtEasily(truth, others, i % 4 >= 2 ? inRuns : atRandom, draw);
    return i % 2 === 0 ? triple : withRunsOf(truth, others, triple, draw);
  });
}

/** How far the numbers of runs are from the truth's, summed over the options. */
export function runsAstray(truth: Location, triple: LocationTriple): number {
  const runs = runsOf(truth);
  return triple.reduce((sum, location) => sum + Math.abs(runsOf(location) - runs), 0);
}

/** Exchanges two lines of the truth, or two others, in all sets at once, which leaves what they share as it is. */
function withRunsOf(truth: Location, others: Location, triple: LocationTriple, draw: DrawInteger): LocationTriple {
  let best = triple;
  let astray = runsAstray(truth, best);
  for (let step = 0; step < EXCHANGES && astray > 0; step++) {
    const [a = 0, b = 0] = drawnFrom(draw(0, 2) === 0 ? truth : others, 2, draw);
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
  const [dropped = 0] = drawnFrom(ends, 1, draw);
  const near = drawnFrom(touching, draw(1, DISTRACTORS), draw);
  const far = drawnFrom(
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
    const runs = drawnFrom([...Array(DISTRACTORS * sizes.length).keys()], DISTRACTORS * sizes.length, draw);
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
