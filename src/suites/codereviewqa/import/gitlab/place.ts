import { structuredPatch } from "diff";
import { DROP, type DropReason } from "../forge/change/drop-reason.js";
import { placeOfLine } from "../forge/change/follow.js";
import { type Region, regionAround } from "../forge/change/region.js";
import type { FileAtCommit, Located, ReadFile } from "../forge/forge.js";
import type { Position, Version } from "./shapes.js";

/** Lines of context around a change in a diff, and around a comment that stands on no change. */
const CONTEXT_LINES = 3;
/** As `follow.ts` has it: files that differ in more lines are not compared further. */
const MOST_EDITS = 2000;

/**
 * Finds the pre-review code of a comment: the new side of the diff hunk it stands in, near its lines, in the version that
 * was there when it was written. GitLab tells the position in the last version that left the commented line alone, which
 * may have answered beside it; the line is followed back from there.
 * @param versions oldest first
 */
export async function locateNote(
  position: Position,
  writtenAt: number,
  versions: readonly Version[],
  readFile: ReadFile,
): Promise<Located> {
  const { head_sha: head, base_sha: base, new_path: path, new_line: line } = position;
  if (!head || !path || line == null) return none(DROP.lost);
  const told = await readFile(path, head);
  if (told.status !== "text") return none(reasonOf(told, DROP.gone));
  const version = writtenOn(head, writtenAt, versions);
  const commit = version?.head_commit_sha ?? head;
  const file = commit === head ? told : await readFile(path, commit);
  if (file.status !== "text") return none(reasonOf(file, DROP.deleted));
  const place = commit === head ? line : placeOfLine(line, told.lines, file.lines);
  if (place === null || place < 1 || place > file.lines.length) return none(DROP.lost);
  const baseSha = version?.base_commit_sha ?? base;
  const before = baseSha ? await readFile(position.old_path ?? path, baseSha) : null;
  const hunk = hunkAt(before?.status === "text" ? before.lines : [], file.lines, place);
  const commented = { first: Math.max(1, place - linesBefore(position)), last: place };
  return { status: "found", commit, lines: file.lines, region: regionAround(commented, hunk, file.lines.length) };
}

/** The version that was commented, if the position was moved on from it; `null`: it is the position's own. */
function writtenOn(head: string, writtenAt: number, versions: readonly Version[]): Version | null {
  const at = versions.findLastIndex(({ created_at: createdAt }) => Date.parse(createdAt) <= writtenAt);
  const told = versions.findLastIndex(({ head_commit_sha: sha }) => sha === head);
  return told > at ? (versions[at] ?? null) : null;
}

/** How many lines of a comment on several come before its last. */
function linesBefore({ line_range: range }: Position): number {
  const [first, last] = [newLineOf(range?.start), newLineOf(range?.end)];
  return first === null || last === null ? 0 : Math.max(0, last - first);
}

/** `null` for a line of the old side. */
function newLineOf(end: NonNullable<Position["line_range"]>["start"]): number | null {
  if (end == null || end.type === "old") return null;
  const coded = /_\d+_(\d+)$/.exec(end.line_code ?? "")?.[1];
  return end.new_line ?? (coded === undefined ? null : Number(coded));
}

/** The new side of the hunk that shows the line; the lines around it where it stands in none. */
function hunkAt(before: readonly string[], after: readonly string[], line: number): Region {
  const text = (lines: readonly string[]) => lines.map((each) => `${each}\n`).join("");
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
  const patch = structuredPatch("", "", text(before), text(after), undefined, undefined, options);
  const hunks = patch?.hunks.map(
    ({ newStart, newLines }): Region => ({ first: newStart, last: newStart + newLines - 1 }),
  );
  const own = hunks?.find(({ first, last }) => first <= line && line <= last);
  return own ?? { first: Math.max(1, line - CONTEXT_LINES), last: line + CONTEXT_LINES };
}

function reasonOf({ status }: FileAtCommit, missing: DropReason): DropReason {
  return status === "missing" ? missing : DROP.unreadable;
}

function none(reason: DropReason): Located {
  return { status: "none", reason };
}
