import type { DrawInteger } from "../../../base/random.js";
import type { Location } from "../example/example.js";
import { compareLocations, DISTRACTORS, type LocationOrder } from "./location-order.js";

/**
 * Three distinct sets that share all lines but one with the truth: Jaccard similarity (k − 1)/(k + 1), the highest that a
 * wrong set of the truth's size k can have (paper §3.4). One of its lines is swapped for one of the others, k (n − k)
 * ways; there must be three.
 * @param truth ascending
 * @param others the lines that are not in the truth, ascending
 */
export function hardDistractors(truth: Location, others: Location, order: LocationOrder): Location[] {
  return order.kind === "first" ? firstSwaps(truth, others) : drawnSwaps(truth, others, order.draw);
}

function drawnSwaps(truth: Location, others: Location, draw: DrawInteger): Location[] {
  const chosen = new Set<number>();
  while (chosen.size < DISTRACTORS) chosen.add(draw(0, truth.length * others.length - 1));
  return [...chosen].map((swap) =>
    swapped(truth, truth[Math.floor(swap / others.length)], others[swap % others.length]),
  );
}

/**
 * A swap comes earlier the lower the line it takes, and the higher the line it drops. So the first three take one of the
 * three lowest and drop one of the three highest: any other has three before it.
 */
function firstSwaps(truth: Location, others: Location): Location[] {
  const dropped = truth.slice(-DISTRACTORS);
  const taken = others.slice(0, DISTRACTORS);
  return dropped
    .flatMap((drop) => taken.map((take) => swapped(truth, drop, take)))
    .sort(compareLocations)
    .slice(0, DISTRACTORS);
}

function swapped(truth: Location, drop: number | undefined, take: number | undefined): Location {
  return truth.map((line) => (line === drop && take !== undefined ? take : line)).sort((a, b) => a - b);
}
