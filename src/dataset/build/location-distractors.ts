import type { Distractors, Location } from "../../domain/example.js";
import type { DrawInteger } from "../../domain/random.js";

const DISTRACTORS = 3;
const MAX_TRIES = 50;

/** The lines a location may name: 1 to the last, or from 0 where code is added after a line. */
export interface LineRange {
  readonly first: 0 | 1;
  readonly last: number;
}

/**
 * Three wrong locations of each difficulty, of the same size as the truth (paper §3.4), drawn among the admissible:
 * easy ones overlap as little as possible with the truth and each other, hard ones share all lines but one with it,
 * Jaccard (k−1)/(k+1). Constructive: time grows with lines × size, never with the number of subsets.
 * @returns `null` when the hunk has too few lines for three of each
 */
export function locationDistractors(
  truth: Location,
  range: LineRange,
  draw: DrawInteger,
): Distractors<Location> | null {
  const universe = Array.from({ length: range.last - range.first + 1 }, (_, i) => range.first + i);
  const hard = hardDistractors(truth, universe, draw);
  const easy = easyDistractors(truth, universe, draw);
  return hard === null || easy === null ? null : { easy, hard };
}

/** The truth with one line swapped for another: k (n − k) sets, of which three are drawn. */
function hardDistractors(truth: Location, universe: Location, draw: DrawInteger): Location[] | null {
  const others = universe.filter((line) => !truth.includes(line));
  const swaps = truth.length * others.length;
  if (swaps < DISTRACTORS) return null;
  const chosen = new Set<number>();
  while (chosen.size < DISTRACTORS) chosen.add(draw(0, swaps - 1));
  return [...chosen].map((swap) => {
    const dropped = truth[Math.floor(swap / others.length)];
    const taken = others[swap % others.length] ?? 0;
    return ascending([...truth.filter((line) => line !== dropped), taken]);
  });
}

/**
 * Fills one set after the other with the lines used least so far: the total overlap of the four sets, Σ C(uses, 2) over
 * the lines, is then as small as it can be. Among equally used lines, one that overlaps least with any one set.
 */
function easyDistractors(truth: Location, universe: Location, draw: DrawInteger): Location[] | null {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const sets: Location[] = [truth];
    while (sets.length <= DISTRACTORS) sets.push(leastUsedSet(sets, universe, truth.length, draw));
    if (new Set(sets.map((set) => ascending(set).join())).size === sets.length) return sets.slice(1).map(ascending);
  }
  return null;
}

function leastUsedSet(sets: readonly Location[], universe: Location, size: number, draw: DrawInteger): Location {
  const chosen: number[] = [];
  const uses = new Map(universe.map((line) => [line, sets.filter((set) => set.includes(line)).length]));
  const candidates = new Set(universe);
  while (chosen.length < size) {
    const cost = (line: number) => {
      const overlaps = sets
        .filter((set) => set.includes(line))
        .map((set) => chosen.filter((taken) => set.includes(taken)).length);
      return (uses.get(line) ?? 0) * (size + 1) + Math.max(0, ...overlaps);
    };
    const costs = [...candidates].map((line) => ({ line, cost: cost(line) }));
    const least = Math.min(...costs.map((entry) => entry.cost));
    const best = costs.filter((entry) => entry.cost === least);
    const line = best[draw(0, best.length - 1)]?.line ?? 0;
    chosen.push(line);
    candidates.delete(line);
  }
  return chosen;
}

function ascending(lines: Location): Location {
  return lines.toSorted((a, b) => a - b);
}
