import type { Location } from "../../dataset/example.js";
import { isBare, shownLines } from "../../question/floors/location-rules.js";
import { partsOf, wordsOf } from "../../question/floors/solution-rules.js";
import type { LocationHunk } from "./location-features.js";

/** Lines with a word between two insertion points that cannot be mistaken for each other. */
const MIN_BETWEEN = 2;

/**
 * The lines that somebody could mean, the truth's aside. A modification or deletion whose truth has no blank line and no
 * lone bracket has none in its distractors, and for a truth of one line none that reads the same; for an addition, no
 * insertion point that could be meant as well as a true one: with less than two lines between, blank ones aside.
 * @param withBrackets lone brackets are among them: for a question that could not be built otherwise
 * @returns ascending
 */
export function otherLines(hunk: Pick<LocationHunk, "truth" | "lines" | "changeType">, withBrackets = false): Location {
  const { truth, lines, changeType } = hunk;
  const isTrue = new Set(truth);
  if (changeType === "add") {
    return rangeFrom(0, lines.length).filter((gap) => truth.every((right) => !areNeighbours(gap, right, lines)));
  }
  const textOf = (line: number) => lines[line - 1]?.trim() ?? "";
  const isBareTrue = truth.some((line) => isBare(textOf(line)));
  const single = truth.length === 1 ? textOf(truth[0] ?? 0) : null;
  const isMeant = (text: string) => isBareTrue || (withBrackets ? text !== "" : !isBare(text));
  return rangeFrom(1, lines.length).filter(
    (line) => !isTrue.has(line) && isMeant(textOf(line)) && textOf(line) !== single,
  );
}

/**
 * Tells whether a location differs from the truth in blank lines and lone brackets alone, as when the blank line before a
 * statement is taken with it in place of the one behind: both are right then.
 */
export function meansTheSame(
  location: Location,
  { truth, lines, changeType }: Pick<LocationHunk, "truth" | "lines" | "changeType">,
): boolean {
  if (changeType === "add") return false;
  const telling = (of: Location) => of.filter((line) => !isBare(lines[line - 1] ?? ""));
  const [own, right] = [telling(location), telling(truth)];
  return right.length > 0 && own.length === right.length && own.every((line) => right.includes(line));
}

/**
 * Tells whether the key of a modification holds a line that a formatter changed alone: the spaces within it, its depth
 * aside (code that is wrapped moves in). No review asks for it, beside lines that were changed otherwise.
 * @param old the hunk before, every line with its marker column; `fresh`: the hunk after
 */
export function holdsFormattedLine(old: string, fresh: string): boolean {
  const marked = (code: string, marker: string) =>
    code.split("\n").flatMap((line) => (line.startsWith(marker) ? line.slice(1).trim() : []));
  const added = new Map(marked(fresh, "+").map((line) => [line.replace(/\s+/g, ""), line]));
  const formatted = marked(old, "-").filter((line) => {
    const same = added.get(line.replace(/\s+/g, ""));
    return same !== undefined && same !== line && !isBare(line);
  });
  return formatted.length > 0 && formatted.length < marked(old, "-").length;
}

/**
 * Tells whether most of the key of a modification is carried along by a renaming: lines that differ in one name alone, the
 * same in all of them, which the review does not have, beside lines that were changed otherwise.
 * @param old the hunk before, every line with its marker column; `fresh`: the hunk after
 */
export function holdsRenamedLines(old: string, fresh: string, review: string): boolean {
  const marked = (code: string, marker: string) =>
    code.split("\n").flatMap((line) => (line.startsWith(marker) ? line.slice(1).trim() : []));
  const added = marked(fresh, "+");
  const asked = new Set(wordsOf(review));
  const lines = marked(old, "-").filter((line) => !isBare(line));
  const names = lines.flatMap((line) => added.flatMap((other) => renamedIn(line, other) ?? []).slice(0, 1));
  const carried = names.filter(({ from, to }) => !asked.has(from) && !asked.has(to));
  const isOne = new Set(carried.map(({ from, to }) => `${from} ${to}`)).size === 1;
  return isOne && carried.length < lines.length && 2 * carried.length > lines.length;
}

/** The one name that two lines differ in, wherever it stands; `null` where they differ otherwise. */
function renamedIn(line: string, other: string): { readonly from: string; readonly to: string } | null {
  const [a, b] = [line, other].map((text) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*|\S/gu) ?? []);
  if (a === undefined || b === undefined || a.length !== b.length) return null;
  const at = a.findIndex((token, i) => token !== b[i]);
  const [from, to] = [a[at], b[at]];
  if (from === undefined || to === undefined || ![from, to].every((name) => /^[\p{L}_$]/u.test(name))) return null;
  return a.every((token, i) => b[i] === (token === from ? to : token)) ? { from, to } : null;
}

/** Number of different words of the review beside each line of a hunk (parts of names, two characters or more). */
export function wordsBeside(hunk: Pick<LocationHunk, "lines" | "changeType" | "review">): (line: number) => number {
  const asked = new Set(partsOf(hunk.review).filter((part) => part.length > 1));
  const known = new Map<number, number>();
  return (line) => {
    const found =
      known.get(line) ?? new Set(partsOf(shownLines([line], hunk).join("\n")).filter((p) => asked.has(p))).size;
    known.set(line, found);
    return found;
  };
}

/** Tells whether code put at one insertion point might as well be put at the other. */
function areNeighbours(a: number, b: number, lines: readonly string[]): boolean {
  const between = lines.slice(Math.min(a, b), Math.max(a, b));
  return between.filter((line) => line.trim() !== "").length < MIN_BETWEEN;
}

function rangeFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
