import { structuredPatch } from "diff";

/** Lines that go and come in a file that is compared; of more, the difference takes minutes, and there is none. */
export const MOST_EDITS = 4000;

/** Lines that stood together, and that a patch took away. */
export type RemovedRun = readonly string[];

/** The runs of lines that go from a text; none where there are too many changes. */
export function removedRuns(before: string, after: string): RemovedRun[] {
  const found = structuredPatch("a", "b", before, after, undefined, undefined, {
    context: 0,
    maxEditLength: MOST_EDITS,
  });
  const runs = (found?.hunks ?? []).map(({ lines }) =>
    lines.flatMap((line) => (line.startsWith("-") ? [line.slice(1)] : [])),
  );
  return runs.filter((run) => run.length > 0);
}

/** Telling lines in a row that may be missing in a new file where code was moved there: they were changed on the way. */
const MOST_MISSED = 2;
/** Telling lines of a piece that was moved, at least: one alone may be anywhere. */
const LEAST_LINES = 2;

/** Code that a new file was made of: the pieces of runs that were moved there, in their order; `null`: none was. */
export function movedCode(added: string, runs: readonly RemovedRun[]): string | null {
  const there = new Set(added.split("\n").flatMap((line) => telling(line) ?? []));
  const moved = runs.flatMap((run) => piecesIn(run, there));
  return moved.length === 0 ? null : moved.map((piece) => piece.map((line) => `${line}\n`).join("")).join("");
}

/** Pieces of a run from a line that is there to one that is, with few that are not in between. */
function piecesIn(run: RemovedRun, there: ReadonlySet<string>): RemovedRun[] {
  const pieces: { start: number; end: number; lines: number }[] = [];
  let missed = 0;
  for (const [at, line] of run.entries()) {
    const own = telling(line);
    if (own === null) continue;
    const last = pieces.at(-1);
    if (!there.has(own)) missed++;
    else if (last !== undefined && missed <= MOST_MISSED) {
      last.end = withClosing(run, at);
      last.lines++;
      missed = 0;
    } else {
      pieces.push({ start: at, end: withClosing(run, at), lines: 1 });
      missed = 0;
    }
  }
  return pieces.filter(({ lines }) => lines >= LEAST_LINES).map(({ start, end }) => run.slice(start, end));
}

/** End of a piece behind a line: brackets that close there belong to it. */
function withClosing(run: RemovedRun, at: number): number {
  let end = at + 1;
  while (end < run.length && /^\s*[)\]}]+[;,]?\s*$/.test(run[end] ?? "")) end++;
  return end;
}

/** A line by which code is known again: without its indentation and what says that others may use it; `null`: it tells nothing. */
function telling(line: string): string | null {
  const text = line.trim().replace(/^(?:export\s+(?:default\s+)?|public\s+)/, "");
  return /\w{3}/.test(text) ? text : null;
}
