import { Combination } from "js-combinatorics";
import { type DrawInteger, sampled } from "../../base/random.js";
import type { Location } from "../../dataset/example.js";
import { DISTRACTORS } from "../build-files.js";
import { ascending, countFamilies, drawFamily, everyFamily, type HardFamily, membersOf } from "./hard-locations.js";
import { type DrawnLines, type LocationTriple, runSizes, runsAstray } from "./location-shape.js";
import { type Arrange, dealtEasily, shuffledBy } from "./paper-locations.js";
import { ENOUGH, togetherTriples } from "./together.js";

/** Candidate sets of a question; where there are no more, all of them. */
const CANDIDATES = 400;

/** Steps by which a candidate comes to have runs like the truth's. */
const EXCHANGES = 40;

/** Finest difference between two drawn keys. */
const STEPS = 2 ** 30;

/**
 * Triples that share few lines with the truth and with each other: of lines that belong together, and as few as can be
 * where of these there are not enough.
 */
export function easyTriples(lines: DrawnLines, draw: DrawInteger): LocationTriple[] {
  const { truth, others } = lines;
  if (others.length === 0) return [];
  if (truth.length === 1) return singleTriples(lines, draw);
  const together = togetherTriples(lines, draw);
  if (together.length >= ENOUGH) return together;
  const arrangements = [shuffledBy(draw), byWords(lines, draw), inRunsBy(lines, draw), inRunsBy(lines, draw)];
  const dealt = Array.from({ length: CANDIDATES }, (_, i) => {
    const arrange = arrangements[i % arrangements.length] ?? shuffledBy(draw);
    const triple = dealtEasily(truth, others, arrange, draw);
    return i % (2 * arrangements.length) < arrangements.length ? triple : withRunsOf(truth, others, triple, draw);
  });
  return [...together, ...dealt];
}

/** Triples that share all lines but one with the truth and with each other; half of those drawn are near the truth. */
export function hardTriples(lines: DrawnLines, draw: DrawInteger): LocationTriple[] {
  const { truth, others } = lines;
  if (truth.length === 1) return singleTriples(lines, draw);
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

/** Triples for a truth of one line. */
function singleTriples(lines: DrawnLines, draw: DrawInteger): LocationTriple[] {
  const { others } = lines;
  const asLocations = (own: Location) => own.map((line) => [line]);
  if (others.length < DISTRACTORS) return [];
  const all = new Combination([...others], DISTRACTORS);
  if (all.length <= CANDIDATES) return [...all].map(asLocations);
  const wordy = byWords(lines, draw);
  return Array.from({ length: CANDIDATES }, (_, i) => {
    const drawn = i % 2 === 0 ? sampled(others, DISTRACTORS, draw) : wordy(others).slice(0, DISTRACTORS);
    return asLocations(ascending(drawn));
  });
}

/** Lines that have many words of the review come earlier, as a rule (Efraimidis and Spirakis 2006). */
function byWords({ words }: DrawnLines, draw: DrawInteger): Arrange {
  return (lines) => {
    const keys = new Map(lines.map((line) => [line, -Math.log(draw(1, STEPS) / STEPS) / (1 + words(line)) ** 2]));
    return lines.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
  };
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

/**
 * First the lines of three sets, each in runs of the truth's sizes at drawn places where the lines are consecutive, of
 * several places the one with most words of the review as often as a drawn one; then the rest.
 */
function inRunsBy({ truth, words }: DrawnLines, draw: DrawInteger): Arrange {
  const sizes = runSizes(truth);
  return (lines) => {
    const free = new Set(lines);
    const first: number[] = [];
    for (let set = 0; set < DISTRACTORS; set++) {
      for (const size of sizes) {
        const starts = [...free].filter((line) => rangeOf(line, size).every((each) => free.has(each)));
        const drawn = sampled(starts, draw(1, 2), draw);
        const interest = (start: number) => rangeOf(start, size).reduce((sum, line) => sum + words(line), 0);
        const [start] = drawn.sort((a, b) => interest(b) - interest(a));
        const run = start === undefined ? sampled([...free], size, draw) : rangeOf(start, size);
        first.push(...run);
        for (const line of run) free.delete(line);
      }
    }
    return [...first, ...shuffledBy(draw)([...free])];
  };
}

function rangeOf(start: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => start + i);
}
