import { join } from "node:path";
import { structuredPatch } from "diff";
import type { Language } from "../../base/language.js";
import { type DrawInteger, hash32, seededIntegers } from "../../base/random.js";
import { languageOfFile } from "../../base/source-path.js";
import { type Bytes, shorten } from "../../base/text.js";
import { sourceOfProbe } from "../../verdict/task-probe.js";
import { sealedText } from "../../workspace/sealed-files.js";
import { Workspace } from "../../workspace/workspace.js";
import type { BenchAdapter } from "../adapter.js";
import type { Bench, BenchTask } from "../bench-task.js";

/** A hunk with the instruction as its review: a line that `probe dataset build` takes. */
interface ProbeTriple {
  /** `task#hunk`, counted from 1. */
  readonly id: string;
  readonly language: Language;
  readonly pre_review_code: string;
  readonly code_review: string;
  readonly post_review_code: string;
  readonly repo: string;
  readonly source: string;
}

/** Probes from a patch. */
export interface TaskProbes {
  readonly triples: readonly ProbeTriple[];
  /** Changed files without a hunk, by the reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** A patch of a task, and whose it is. */
export interface TaskPatch {
  readonly bytes: Bytes;
  /** Such as `gold`. */
  readonly origin: string;
}

/**
 * Cuts a patch of a task into hunks, each with what was asked for. A new file stands beside the code that was moved there; of
 * one that nothing was moved to there is nothing to ask, nor of files whose language no probe knows.
 */
export async function probesOf<Task extends BenchTask>(
  adapter: Pick<BenchAdapter<Task>, "name" | "request">,
  task: Task,
  { bytes, origin }: TaskPatch,
  bench: Pick<Bench, "folder">,
): Promise<TaskProbes> {
  const review = await adapter.request?.(task);
  if (review === undefined) return { triples: [], leftOut: [] };
  const changed = await Workspace.create(join(await bench.folder(), "work"), task.source);
  const fault = await changed.apply(bytes);
  if (fault !== null) return { triples: [], leftOut: [{ path: "", why: `does not apply: ${shorten(fault, 200)}` }] };
  // The same hunks on every machine; a task's do not depend on what is cut besides.
  const draw = seededIntegers(hash32(task.id, 0));
  const triples: ProbeTriple[] = [];
  const leftOut: { path: string; why: string }[] = [];
  const files = await textsOf(changed);
  for (const file of files) {
    const { path, language } = file;
    const hunks = language === null ? "a language that no probe knows" : hunksOf(file, files, draw);
    if (typeof hunks === "string" || language === null) {
      leftOut.push({ path, why: String(hunks) });
      continue;
    }
    for (const hunk of hunks)
      triples.push({
        id: `${task.id}#${triples.length + 1}`,
        language,
        pre_review_code: codeOf(hunk.before),
        code_review: review,
        post_review_code: codeOf(hunk.after),
        repo: task.group,
        source: sourceOfProbe(adapter.name, task.id, path, origin),
      });
  }
  return { triples, leftOut };
}

/** A file that a patch touches. */
interface ChangedText {
  readonly path: string;
  readonly language: Language | null;
  /** `null`: the patch makes it. */
  readonly before: string | null;
  /** `null`: it is no plain file any more. */
  readonly after: string | null;
}

async function textsOf(changed: Workspace): Promise<ChangedText[]> {
  const files: ChangedText[] = [];
  for (const { path, change } of await changed.changedFiles()) {
    const before = change === "added" ? null : ((await changed.original(path))?.toString("utf8") ?? "");
    files.push({
      path,
      language: languageOfFile(path),
      before,
      after: await sealedText(changed.tree, path, MOST_BYTES),
    });
  }
  // What is changed where it stands comes first, as the numbers of its hunks are older.
  return [...files.filter(({ before }) => before !== null), ...files.filter(({ before }) => before === null)];
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Hunks of a file that a patch touches; a text: why there is none. */
function hunksOf(file: ChangedText, files: readonly ChangedText[], draw: DrawInteger): Hunk[] | string {
  const { before, after } = file;
  if (after === null) return "deleted";
  const from = before ?? movedTo(file, files);
  if (from === null) return "added, with no code that was there before";
  const hunks = cutHunks(from, after, draw);
  return hunks.length > 0 ? hunks : "no hunk with code before and after it, or too many changes";
}

/** Code of the same language that other files lost to a new one. */
function movedTo({ language, after }: ChangedText, files: readonly ChangedText[]): string | null {
  const others = files.filter((each) => each.language === language && each.before !== null);
  const runs = others.flatMap((other) => removedRuns(other.before ?? "", other.after ?? ""));
  return movedCode(after ?? "", runs);
}

function codeOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A piece of a change: the lines before and after, with some around them that stay. */
interface Hunk {
  /** Without line ends. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Lines of a hunk, before and after it each (suites.md §6). */
const MOST_LINES = 60;
/** Lines that stay around a change, above and below it together, where there are so many. */
const CONTEXT = 12;

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

/** Lines that go and come in a file that is compared; of more, the difference takes minutes, and there is none. */
const MOST_EDITS = 4000;

/** Lines that stood together, and that a patch took away. */
type RemovedRun = readonly string[];

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
