import type { ChangeType, Location } from "../example/example.js";
import { isBare } from "../floors/line-kind.js";

/** What the wrong locations of an example are made of. */
export interface LocationHunk {
  /** Ascending. */
  readonly truth: Location;
  /** The pre-review code, without marker columns. */
  readonly lines: readonly string[];
  readonly changeType: ChangeType;
}

/** Lines with a word between two insertion points that cannot be mistaken for each other. */
const MIN_BETWEEN = 2;

/**
 * The lines that somebody could mean, the truth's aside. A modification or deletion whose truth has no blank line and no
 * lone bracket has none in its distractors, and for a truth of one line none that reads the same; for an addition, no
 * insertion point that could be meant as well as a true one: with less than two lines between, blank ones aside.
 * @returns ascending
 */
export function otherLines(hunk: LocationHunk): Location {
  const { truth, lines, changeType } = hunk;
  const isTrue = new Set(truth);
  if (changeType === "add") {
    return rangeFrom(0, lines.length).filter((gap) => truth.every((right) => !areNeighbours(gap, right, lines)));
  }
  const textOf = (line: number) => lines[line - 1]?.trim() ?? "";
  const isBareTrue = truth.some((line) => isBare(textOf(line)));
  const single = truth.length === 1 ? textOf(truth[0] ?? 0) : null;
  return rangeFrom(1, lines.length).filter(
    (line) => !isTrue.has(line) && (isBareTrue || !isBare(textOf(line))) && textOf(line) !== single,
  );
}

/** Whether code put at one insertion point might as well be put at the other. */
export function areNeighbours(a: number, b: number, lines: readonly string[]): boolean {
  const between = lines.slice(Math.min(a, b), Math.max(a, b));
  return between.filter((line) => line.trim() !== "").length < MIN_BETWEEN;
}

function rangeFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
