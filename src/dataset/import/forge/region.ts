import { diffArrays } from "diff";

/** Lines of a file, 1-based, both ends included. */
export interface Region {
  readonly first: number;
  readonly last: number;
}

/** Lines of the hunk that are kept on either side of the commented ones. */
const WINDOW_LINES = 10;

/** The part of a hunk's new side that a comment's pre-review code is: at most `WINDOW_LINES` around its lines. */
export function regionAround(commented: Region, hunk: Region, fileLines: number): Region {
  return {
    first: Math.max(Math.min(hunk.first, commented.first), commented.first - WINDOW_LINES),
    last: Math.min(Math.max(hunk.last, commented.last), commented.last + WINDOW_LINES, fileLines),
  };
}

/** Fate of a region in a later version of its file. */
export type Followed =
  | { readonly status: "unchanged" }
  /** `before` and `after`: the lines from one unchanged line to another, around all that changed; no blank edges. */
  | { readonly status: "changed"; readonly before: readonly string[]; readonly after: readonly string[] }
  | { readonly status: "lost" };

/** Lines by which an end of the region moves to find one that did not change, at most. */
export const MOST_WIDENED = 10;
/** Versions that differ in more lines than this are not compared further: the diff would take for ever. */
const MOST_EDITS = 2000;

/**
 * Follows the lines of `region` from one version of a file to a later one, by the minimal line diff. When something in
 * it changed, both ends must stand on a line that did not (or on the file's edge): an end that does not moves outwards,
 * at most `MOST_WIDENED` lines; else the region is lost.
 */
export function followRegion(before: readonly string[], after: readonly string[], region: Region): Followed {
  const places = matchLines(before, after);
  if (places === null) return { status: "lost" };
  if (isUnchanged(places, region)) return { status: "unchanged" };
  const first = anchor(places, region.first, -1);
  const last = anchor(places, region.last, +1);
  if (first === null || last === null) return { status: "lost" };
  return withoutBlankEdges(slice(before, first.here, last.here), slice(after, first.there, last.there));
}

/** Place of a line of one version in another, 1-based; `null` when it changed, or they are too different. */
export function placeOfLine(line: number, here: readonly string[], there: readonly string[]): number | null {
  const place = matchLines(here, there)?.[line] ?? NOWHERE;
  return place === NOWHERE || line < 1 || line > here.length ? null : place;
}

/** Without the blank lines that both versions begin or end with. */
function withoutBlankEdges(before: readonly string[], after: readonly string[]): Followed {
  const isBlank = (at: number) => before.at(at)?.trim() === "" && before.at(at) === after.at(at);
  if (isBlank(0)) return withoutBlankEdges(before.slice(1), after.slice(1));
  if (isBlank(-1)) return withoutBlankEdges(before.slice(0, -1), after.slice(0, -1));
  return { status: "changed", before, after };
}

const NOWHERE = -1;

/**
 * Place of each line in the other version, 1-based; the file's edges (0 and length + 1) always match. `null`: too
 * different.
 */
function matchLines(before: readonly string[], after: readonly string[]): Int32Array | null {
  const changes = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (changes === undefined) return null;
  const places = new Int32Array(before.length + 2).fill(NOWHERE);
  places[0] = 0;
  places[before.length + 1] = after.length + 1;
  let here = 1;
  let there = 1;
  for (const { added, removed, value } of changes) {
    if (added) there += value.length;
    else if (removed) here += value.length;
    else for (const _ of value) places[here++] = there++;
  }
  return places;
}

function isUnchanged(places: Int32Array, { first, last }: Region): boolean {
  const start = places[first] ?? NOWHERE;
  if (start === NOWHERE) return false;
  for (let line = first; line <= last; line++) {
    if (places[line] !== start + line - first) return false;
  }
  return true;
}

/** The nearest line outwards that did not change, in both versions. */
function anchor(places: Int32Array, from: number, step: 1 | -1): { here: number; there: number } | null {
  for (let here = from; Math.abs(here - from) <= MOST_WIDENED; here += step) {
    const there = places[here];
    if (there === undefined) return null;
    if (there !== NOWHERE) return { here, there };
  }
  return null;
}

/** Lines 1-based, both ends included; an end on the file's edge is cut to the file. */
function slice(lines: readonly string[], first: number, last: number): readonly string[] {
  return lines.slice(Math.max(first, 1) - 1, Math.min(last, lines.length));
}
