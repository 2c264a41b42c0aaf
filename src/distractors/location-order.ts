import type { DrawInteger } from "../base/random.js";
import type { Location } from "../dataset/example.js";

/** Wrong options of a question about the location, of one difficulty. */
export const DISTRACTORS = 3;

/**
 * Which of the admissible location distractors are taken: `sampled`, every admissible choice equally likely; `first`, the
 * lexicographically first, which favours low line numbers.
 */
export type LocationOrder = { readonly kind: "sampled"; readonly draw: DrawInteger } | { readonly kind: "first" };

/** Compares two ascending locations of one size number by number: negative where `a` comes first. */
export function compareLocations(a: Location, b: Location): number {
  const at = a.findIndex((line, position) => line !== b[position]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}

export function ascending(lines: Location): Location {
  return lines.toSorted((a, b) => a - b);
}

/** `count` of the lines in random order, all of them at most (Fisher–Yates). */
export function drawnFrom(lines: Location, count: number, draw: DrawInteger): Location {
  const drawn = [...lines];
  const end = Math.min(count, drawn.length);
  for (let i = 0; i < end; i++) {
    const j = draw(i, drawn.length - 1);
    [drawn[i], drawn[j]] = [drawn[j] as number, drawn[i] as number];
  }
  return drawn.slice(0, end);
}
