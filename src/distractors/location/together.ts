import { type DrawInteger, sampled } from "../../base/random.js";
import type { Location } from "../../dataset/example.js";
import { DISTRACTORS } from "../build-files.js";
import { ascending } from "./hard-locations.js";
import { type DrawnLines, type LocationTriple, runsIn } from "./location-shape.js";

/** Threes of places that are drawn. */
const DRAWS = 1200;
/** Threes that are kept. */
const MOST = 160;
/** So many triples need none that share more lines. */
export const ENOUGH = 6;

/**
 * Triples of lines that belong together as the truth's do: as many that follow each other, or lines as like each other
 * where the truth is scattered. Two of the four sets share no line where there are enough such triples, else one, two …
 * lines, and always fewer than the hard ones share.
 */
export function togetherTriples(lines: DrawnLines, draw: DrawInteger): LocationTriple[] {
  const { truth } = lines;
  const places = placesOf(lines, draw);
  let triples: LocationTriple[] = [];
  for (let most = 0; most <= truth.length - 2 && triples.length < ENOUGH; most++) {
    triples = triplesOf(truth, places, most, draw);
  }
  return triples;
}

/** Triples of places of which no two share more than so many lines, nor one and the truth; those with fewest shared first. */
function triplesOf(truth: Location, places: readonly Location[], most: number, draw: DrawInteger): LocationTriple[] {
  const allowed = (a: Location, b: Location) => a.filter((line) => b.includes(line)).length <= most;
  const apart = places.filter((place) => allowed(place, truth));
  if (apart.length < DISTRACTORS) return [];
  const found = new Map<string, { readonly triple: LocationTriple; readonly lines: number }>();
  for (let i = 0; i < DRAWS; i++) {
    const triple = sampled(apart, DISTRACTORS, draw);
    const [a = [], b = [], c = []] = triple;
    if (!allowed(a, b) || !allowed(a, c) || !allowed(b, c)) continue;
    const lines = new Set([...truth, ...triple.flat()]).size;
    found.set(triple.map(String).sort().join(" "), { triple, lines });
  }
  return [...found.values()]
    .sort((a, b) => b.lines - a.lines)
    .slice(0, MOST)
    .map(({ triple }) => triple);
}

/** Locations of lines that belong together, without the truth; each once. */
function placesOf(lines: DrawnLines, draw: DrawInteger): Location[] {
  const { truth, others } = lines;
  const all = ascending([...truth, ...others]);
  const isScattered = runsIn(truth).length > 1;
  const places = [...moved(truth, all), ...(isScattered ? [...scattered(lines, all, draw), ...alike(lines, all)] : [])];
  const own = new Map(places.map((place) => [String(place), place]));
  own.delete(String(truth));
  return [...own.values()];
}

/** The truth moved along the lines that could be meant. */
function moved(truth: Location, all: Location): Location[] {
  const at = truth.map((line) => all.indexOf(line));
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  return Array.from({ length: all.length - (last - first) }, (_, start) =>
    at.map((position) => all[position - first + start] ?? 0),
  );
}

/** Runs of the truth's sizes, each at a drawn place. */
function scattered({ truth }: DrawnLines, all: Location, draw: DrawInteger): Location[] {
  const sizes = runsIn(truth).map((run) => run.length);
  return Array.from({ length: 4 * all.length }, () => {
    const place = new Set<number>();
    for (const size of sizes) {
      const start = draw(0, Math.max(0, all.length - size));
      for (const line of all.slice(start, start + size)) place.add(line);
    }
    return ascending([...place]);
  }).filter((place) => place.length === truth.length && runsIn(place).length > 1);
}

/** Each line with those that are most like it. */
function alike({ truth, likeness }: DrawnLines, all: Location): Location[] {
  return all.map((line) => {
    const nearest = all.filter((other) => other !== line).sort((a, b) => likeness(line, b) - likeness(line, a));
    return ascending([line, ...nearest.slice(0, truth.length - 1)]);
  });
}
