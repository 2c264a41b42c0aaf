import type { Distractors, Location } from "../dataset/example.js";
import { easyDistractors } from "./location-easy.js";
import { hardDistractors } from "./location-hard.js";
import type { LocationOrder } from "./location-order.js";

/** The lines a location may name: 1 to the last, or from 0 where code is added after a line. */
export interface LineRange {
  readonly first: 0 | 1;
  readonly last: number;
}

/** Three distractors of each difficulty, or none of either: both exist for the same hunks. */
export type LocationDistractors =
  | ({ readonly status: "built" } & Distractors<Location>)
  | { readonly status: "too_few_lines" };

/**
 * Three wrong locations of each difficulty by the paper's rules (§3.4), ascending, all distinct and of the same size k as
 * the truth: easy ones with the lowest Jaccard similarities between all four options that k of n lines allow, hard ones
 * with the highest, (k − 1)/(k + 1) for every two. Constructive: time grows with n, never with the number of subsets.
 * @param truth distinct lines of the range, in any order
 * @returns `too_few_lines` when no four sets of its size are so alike
 */
export function locationDistractors(truth: Location, range: LineRange, order: LocationOrder): LocationDistractors {
  const lines = Array.from({ length: range.last - range.first + 1 }, (_, i) => range.first + i);
  const isTrue = new Set(truth);
  const right = lines.filter((line) => isTrue.has(line));
  const others = lines.filter((line) => !isTrue.has(line));
  const hard = hardDistractors(right, others, order);
  if (hard === null) return { status: "too_few_lines" };
  return { status: "built", easy: easyDistractors(right, others, order), hard };
}
