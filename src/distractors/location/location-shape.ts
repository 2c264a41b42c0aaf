import type { Location } from "../../dataset/example.js";
import { isBare, runsOf } from "../../question/floors/location-rules.js";
import type { Likeness, LocationHunk } from "./location-features.js";

/** Three distractors that a question could have. */
export type LocationTriple = readonly Location[];

/** Lines to draw from. */
export interface DrawnLines {
  /** Ascending. */
  readonly truth: Location;
  /** Lines that are not in the truth, ascending. */
  readonly others: Location;
  /** Number of words of the review beside a line: half of the draws favour lines that have many. */
  readonly words: (line: number) => number;
  readonly likeness: Likeness;
}

/** Sizes of the runs of consecutive lines, from the first; ascending lines. */
export function runSizes(location: Location): number[] {
  return runsIn(location).map((run) => run.length);
}

/** Distance of the numbers of runs to the truth's, summed over the options. */
export function runsAstray(truth: Location, wrong: readonly Location[]): number {
  const runs = runsOf(truth);
  return wrong.reduce((sum, location) => sum + Math.abs(runsOf(location) - runs), 0);
}

/** Pieces that wrong locations have more than the truth: runs, where blank lines and lone brackets between break none. */
export function scattered({ truth, lines }: LocationHunk, wrong: readonly Location[]): number {
  const isBetween = (line: number) => isBare(lines[line - 1] ?? "");
  const pieces = (location: Location) =>
    location.filter((line, i) => {
      let before = line - 1;
      while (before > 0 && isBetween(before) && before !== location[i - 1]) before--;
      return before !== location[i - 1];
    }).length;
  const own = pieces(truth);
  return wrong.reduce((sum, location) => sum + Math.max(0, pieces(location) - own), 0);
}

/**
 * Pieces of code that wrong locations break, where the truth breaks fewer: of a run of lines, one that begins deeper than
 * it goes on, ends blank, or opens or closes a bracket alone.
 */
export function breaks(hunk: LocationHunk, wrong: readonly Location[]): number {
  if (hunk.changeType === "add") return 0;
  const own = brokenIn(hunk.truth, hunk.lines);
  return wrong.reduce((sum, location) => sum + Math.max(0, brokenIn(location, hunk.lines) - own), 0);
}

function brokenIn(location: Location, lines: readonly string[]): number {
  return runsIn(location).filter((run) => isBroken(run.map((line) => lines[line - 1] ?? ""))).length;
}

function isBroken(run: readonly string[]): boolean {
  const [first = "", last = ""] = [run[0], run.at(-1)];
  if (first.trim() === "" || last.trim() === "") return true;
  const depth = depthOf(first);
  return run.some((line) => !isBare(line) && depthOf(line) < depth) || bracketsOf(run.join("\n")) !== 0;
}

function depthOf(line: string): number {
  return (/^\s*/u.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}

/** Brackets that are opened and not closed, less those that are closed and were not opened; texts are not told apart. */
function bracketsOf(text: string): number {
  let open = 0;
  let lowest = 0;
  for (const [bracket] of text.matchAll(/[()[\]{}]/gu)) {
    open += "([{".includes(bracket) ? 1 : -1;
    lowest = Math.min(lowest, open);
  }
  return open - lowest + -lowest;
}

/** Runs of consecutive lines; ascending. */
export function runsIn(location: Location): number[][] {
  const runs: number[][] = [];
  for (const line of location) {
    const last = runs.at(-1);
    if (last?.at(-1) === line - 1) last.push(line);
    else runs.push([line]);
  }
  return runs;
}
