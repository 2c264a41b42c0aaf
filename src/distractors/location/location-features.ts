import type { ChangeType, Location } from "../../dataset/example.js";
import { tokensIn } from "../../question/floors/fluency.js";
import {
  kindOfLine,
  type LineKind,
  LOCATION_RULES,
  type LocationView,
  runsOf,
  shownNumbers,
} from "../../question/floors/location-rules.js";
import { rounded, sumsOverOthers } from "../../question/floors/rule.js";
import type { RuleScores, RuleWeights } from "../selection/rank-balance.js";

/** A hunk to make wrong locations of. */
export interface LocationHunk {
  /** Ascending. */
  readonly truth: Location;
  /** The pre-review code, without marker columns. */
  readonly lines: readonly string[];
  readonly changeType: ChangeType;
  readonly review: string;
}

const BALANCED = LOCATION_RULES.filter(({ balance }) => balance !== undefined);

/** Weight of a feature that no rule of ours sees. */
const FURTHER_WEIGHT = 0.5;
const FURTHER_FEATURES = 5;

/** Rules of `locationFeatures`, in their order. */
export const LOCATION_WEIGHTS: RuleWeights = {
  weights: [
    ...BALANCED.map(({ balance = 1 }) => balance),
    ...Array.from({ length: FURTHER_FEATURES }, () => FURTHER_WEIGHT),
  ],
  fitted: BALANCED.length,
  groups: [BALANCED.flatMap(({ sees }, rule) => (sees === "lexical" ? [] : rule)), BALANCED.map((_, rule) => rule)],
};

const TAB_COLUMNS = 4;

/** Likeness of two places of a hunk, from 0 to 1. */
export type Likeness = (a: number, b: number) => number;

/** Looks of a hunk, worked out once. */
export interface HunkLooks {
  readonly likeness: Likeness;
  /** Look of each line, by line number − 1. */
  readonly looks: readonly Look[];
}

interface Look {
  readonly words: ReadonlySet<string>;
  readonly length: number;
  /** Depth of indentation, in steps of four columns. */
  readonly levels: number;
  readonly kind: LineKind;
}

/**
 * Features of a CL question to somebody who does not understand it: the rules that sets are chosen by, and what no rule of
 * ours sees yet: comments, declarations, indentation, how like the others its lines are, and how far off from them it lies.
 * @param locations the truth first
 */
export function locationFeatures(
  hunk: LocationHunk,
  locations: readonly Location[],
  { looks, likeness }: HunkLooks,
): RuleScores {
  const view: LocationView = { ...hunk, locations };
  const shown = locations.map((location) => shownNumbers(location, view).flatMap((number) => looks[number - 1] ?? []));
  const shares = (wanted: LineKind) => shown.map((lines) => average(lines.map(({ kind }) => Number(kind === wanted))));
  const means = locations.map(average);
  return [
    ...BALANCED.map(({ score }) => score(view)),
    shares("comment"),
    shares("declaration"),
    shown.map((lines) => average(lines.map(({ levels }) => levels))),
    sumsOverOthers(locations, (a, b) => betweenOwnLines(a, b, likeness)).map(rounded),
    means.map((own, i) => Math.min(...means.filter((_, j) => j !== i).map((other) => Math.abs(own - other)))),
  ];
}

/** Mean likeness of every two of the options, by the lines that they do not share. */
export function mutualLikeness(locations: readonly Location[], likeness: Likeness): number {
  return average(locations.flatMap((a, i) => locations.slice(i + 1).map((b) => betweenOwnLines(a, b, likeness))));
}

/** Mean likeness of every two lines of a location of several runs; 0 of one run, which needs none. */
export function innerLikeness(location: Location, likeness: Likeness): number {
  if (runsOf(location) === 1) return 0;
  return average(location.flatMap((a, i) => location.slice(i + 1).map((b) => likeness(a, b))));
}

/**
 * The likeness of two places is the mean of how alike they are in words (Dice), length (shorter/longer), indentation
 * (1/(1 + levels between)) and kind (0 or 1). Two insertion points are as alike as the lines before them and the lines
 * behind them are. Computed once for each pair.
 */
export function looksOf({ lines, changeType }: Pick<LocationHunk, "lines" | "changeType">): HunkLooks {
  const known = new Map<number, number>();
  const looks = lines.map(lookOf);
  const compare = (a: number, b: number) => alike(looks[a - 1], looks[b - 1]);
  const likeness = (a: number, b: number) => {
    const key = Math.min(a, b) * (lines.length + 1) + Math.max(a, b);
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = changeType === "add" ? (compare(a, b) + compare(a + 1, b + 1)) / 2 : compare(a, b);
    known.set(key, computed);
    return computed;
  };
  return { looks, likeness };
}

function lookOf(line: string): Look {
  const words = new Set(tokensIn(line));
  return { words, length: line.trim().length, levels: indentOf(line) / TAB_COLUMNS, kind: kindOfLine(line) };
}

function alike(a: Look | undefined, b: Look | undefined): number {
  if (a === undefined || b === undefined) return 0;
  const common = [...a.words].filter((word) => b.words.has(word)).length;
  const dice = (2 * common) / Math.max(1, a.words.size + b.words.size);
  const length = Math.min(a.length, b.length) / Math.max(1, a.length, b.length);
  return average([dice, length, 1 / (1 + Math.abs(a.levels - b.levels)), Number(a.kind === b.kind)]);
}

/** Columns of the space before the text. */
function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].replaceAll("\t", " ".repeat(TAB_COLUMNS)).length ?? 0;
}

function betweenOwnLines(a: Location, b: Location, likeness: Likeness): number {
  const [ofA, ofB] = [a.filter((line) => !b.includes(line)), b.filter((line) => !a.includes(line))];
  return average(ofA.flatMap((line) => ofB.map((other) => likeness(line, other))));
}

/** 0 for none. */
function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
