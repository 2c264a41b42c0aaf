import { structuredPatch } from "diff";
import type { DrawInteger } from "../../base/random.js";

/** A piece of a change: the lines before and after, with some around them that stay. */
export interface Hunk {
  /** Without line ends. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Lines of a hunk, before and after it each (suites.md §6). */
export const MOST_LINES = 60;
/** Lines that stay around a change, above and below it together, where there are so many. */
const CONTEXT = 12;

/**
 * Cuts the change of a file into hunks of at most 60 lines on either side. One that is longer is cut where its next line
 * would be too many; pieces in which nothing changes, and those with no code before or after it, are left out. How many of
 * the lines that stay are above a change is drawn: with as many above as below, the change were in the middle, and who
 * picks the middle were right.
 */
export function cutHunks(before: string, after: string, draw: DrawInteger): Hunk[] {
  const { hunks } = structuredPatch("a", "b", before, after, undefined, undefined, { context: CONTEXT });
  return hunks
    .flatMap(({ lines }) => pieces(trimmed(lines, draw)))
    .filter((hunk) => hunk.before.length > 0 && hunk.after.length > 0 && isChange(hunk));
}

/** A hunk less what is not drawn of the lines that stay at its ends. */
function trimmed(lines: readonly string[], draw: DrawInteger): string[] {
  const signed = lines.filter((line) => !line.startsWith("\\"));
  const first = signed.findIndex((line) => !line.startsWith(" "));
  const last = signed.findLastIndex((line) => !line.startsWith(" "));
  if (first === -1) return [];
  const [above, below] = [first, signed.length - 1 - last];
  const kept = Math.min(CONTEXT, above + below);
  const before = draw(Math.max(0, kept - below), Math.min(above, kept));
  return signed.slice(first - before, last + 1 + kept - before);
}

/** Lines with their signs, cut. */
function pieces(lines: readonly string[]): Hunk[] {
  const found: Hunk[] = [];
  let [before, after]: [string[], string[]] = [[], []];
  for (const line of lines) {
    const [isBefore, isAfter] = [!line.startsWith("+"), !line.startsWith("-")];
    if (before.length + Number(isBefore) > MOST_LINES || after.length + Number(isAfter) > MOST_LINES) {
      found.push({ before, after });
      [before, after] = [[], []];
    }
    if (isBefore) before.push(line.slice(1));
    if (isAfter) after.push(line.slice(1));
  }
  return [...found, { before, after }];
}

function isChange({ before, after }: Hunk): boolean {
  return before.length !== after.length || before.some((line, i) => line !== after[i]);
}
