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

/** Lines that go and come in a file that is cut; of more, the difference takes minutes, and none is. */
const MOST_EDITS = 4000;

/**
 * Cuts the change of a file into hunks of at most 60 lines on either side. One that is longer is cut where its next line
 * would be too many; pieces in which nothing changes, and those with no code before or after it, are left out. How many of
 * the lines that stay are above a change is drawn: with as many above as below, the change were in the middle, and who
 * picks the middle were right.
 */
export function cutHunks(before: string, after: string, draw: DrawInteger): Hunk[] {
  const limits = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const found = structuredPatch("a", "b", before, after, undefined, undefined, limits);
  return (found?.hunks ?? [])
    .flatMap(({ lines }) => pieces(byTurns(trimmed(lines, draw))))
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

/** Lines that go and come in one place, by turns: a cut leaves what is replaced beside what replaces it. */
function byTurns(lines: readonly string[]): string[] {
  const found: string[] = [];
  let [gone, come]: [string[], string[]] = [[], []];
  for (const line of [...lines, " "]) {
    if (line.startsWith("-")) gone.push(line);
    else if (line.startsWith("+")) come.push(line);
    else {
      for (let i = 0; i < Math.max(gone.length, come.length); i++)
        found.push(...gone.slice(i, i + 1), ...come.slice(i, i + 1));
      [gone, come] = [[], []];
      found.push(line);
    }
  }
  return found.slice(0, -1);
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
