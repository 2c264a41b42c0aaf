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
  const overlaps = sets.map(() => 0);
  const candidates = new Map(universe.map((line) => [line, positionsOf(sets, line)]));
  while (chosen.length < size) {
    const costs = [...candidates].map(([line, users]) => {
      const overlap = Math.max(0, ...users.map((position) => overlaps[position] ?? 0));
      return { line, users, cost: users.length * (size + 1) + overlap };
    });
    const least = Math.min(...costs.map((entry) => entry.cost));
    const best = costs.filter((entry) => entry.cost === least);
    const pick = best[draw(0, best.length - 1)];
    if (pick === undefined) break;
    chosen.push(pick.line);
    for (const position of pick.users) overlaps[position] = (overlaps[position] ?? 0) + 1;
    candidates.delete(pick.line);
  }
  return chosen;
}

/** Which of the sets hold the line. */
function positionsOf(sets: readonly Location[], line: number): number[] {
  return sets.flatMap((set, position) => (set.includes(line) ? [position] : []));
}

function ascending(lines: Location): Location {
  return lines.toSorted((a, b) => a - b);
}
