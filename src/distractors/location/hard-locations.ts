import { Combination } from "js-combinatorics";
import { type DrawInteger, sampled } from "../../base/random.js";
import type { Location } from "../../dataset/example.js";
import { DISTRACTORS } from "../build-files.js";

/**
 * Four sets of k lines, every two of which share k − 1: as alike as different sets of one size can be, Jaccard similarity
 * (k − 1)/(k + 1) (paper §3.4). There are two families of such sets, and the truth can be any member of either:
 * `core`: k − 1 lines that all have, and one of their own each; of the truth one line is dropped for three others;
 * `cover`: k + 1 lines of which each leaves out another; one line joins the truth, and three of the truth's are left out.
 */
export type HardFamily =
  | { readonly kind: "core"; readonly dropped: number; readonly taken: Location }
  | { readonly kind: "cover"; readonly joining: number; readonly leftOut: Location };

/** The three distractors of a family. */
export function membersOf(family: HardFamily, truth: Location): Location[] {
  return family.kind === "core"
    ? family.taken.map((line) => swapped(truth, family.dropped, line))
    : family.leftOut.map((line) => swapped(truth, line, family.joining));
}

/** Number of families there are of each kind, for k lines of the truth and so many others. */
export function countFamilies(size: number, others: number): { readonly core: number; readonly cover: number } {
  return { core: size * threes(others), cover: others * threes(size) };
}

/** Every family; `countFamilies` tells how many. */
export function everyFamily(truth: Location, others: Location): HardFamily[] {
  return [
    ...truth.flatMap((dropped) =>
      threesOf(others).map((taken): HardFamily => {
        return { kind: "core", dropped, taken };
      }),
    ),
    ...others.flatMap((joining) =>
      threesOf(truth).map((leftOut): HardFamily => {
        return { kind: "cover", joining, leftOut };
      }),
    ),
  ];
}

/** One of all families, each equally likely; there must be one. */
export function drawFamily(truth: Location, others: Location, draw: DrawInteger): HardFamily {
  const { core, cover } = countFamilies(truth.length, others.length);
  if (draw(1, core + cover) <= core) {
    const [dropped = 0] = sampled(truth, 1, draw);
    return { kind: "core", dropped, taken: sampled(others, DISTRACTORS, draw) };
  }
  const [joining = 0] = sampled(others, 1, draw);
  return { kind: "cover", joining, leftOut: sampled(truth, DISTRACTORS, draw) };
}

/**
 * Three distractors that share all lines but one with the truth and with each other: of all such threes one, each equally
 * likely, or the lexicographically first.
 * @param truth ascending
 * @param others the lines that are not in the truth, ascending
 * @returns `null` where no four sets are so alike: with fewer than three others, and fewer than three lines in the truth
 */
export function hardDistractors(truth: Location, others: Location, order: LocationOrder): Location[] | null {
  const { core, cover } = countFamilies(truth.length, others.length);
  if (core + cover === 0) return null;
  return order.kind === "first" ? firstMembers(truth, others) : membersOf(drawFamily(truth, others, order.draw), truth);
}

/**
 * A set comes earlier the lower the line it takes, and the higher the line it drops. So of the families that drop a line
 * of the truth the first takes the three lowest others, and of those that add a line the first leaves out the three
 * highest of the truth.
 */
function firstMembers(truth: Location, others: Location): Location[] {
  const taken = others.slice(0, DISTRACTORS);
  const leftOut = truth.slice(-DISTRACTORS);
  const cores = truth.map((dropped): HardFamily => ({ kind: "core", dropped, taken }));
  const covers = others.map((joining): HardFamily => ({ kind: "cover", joining, leftOut }));
  const families = [...(taken.length === DISTRACTORS ? cores : []), ...(leftOut.length === DISTRACTORS ? covers : [])];
  const threes = families.map((family) => membersOf(family, truth).sort(compareLocations));
  return threes.sort((a, b) => compareLocations(a.flat(), b.flat()))[0] ?? [];
}

function swapped(truth: Location, drop: number, take: number): Location {
  return truth.map((line) => (line === drop ? take : line)).sort((a, b) => a - b);
}

function threes(n: number): number {
  return (n * (n - 1) * (n - 2)) / 6;
}

function threesOf(lines: Location): number[][] {
  return lines.length < DISTRACTORS ? [] : [...new Combination([...lines], DISTRACTORS)];
}

/**
 * Choice among the admissible location distractors: `sampled`, every admissible choice equally likely; `first`, the
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
