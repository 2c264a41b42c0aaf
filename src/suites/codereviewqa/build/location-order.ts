import type { DrawInteger } from "../../../base/random.js";
import type { Location } from "../example/example.js";

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
