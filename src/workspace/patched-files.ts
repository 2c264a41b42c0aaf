import type { Bytes } from "../base/text.js";

/** Part of a patch about one file, line by line. */
export interface PatchedFile {
  /** Its path before the patch; `null`: the patch makes it. */
  readonly before: string | null;
  /** Its path behind it; `null`: the patch deletes it. */
  readonly after: string | null;
  /** Lines that go, by their numbers before the patch, from 1. */
  readonly removed: readonly number[];
  /** Lines that come, by their numbers behind it, from 1. */
  readonly added: readonly number[];
  /** For each line that comes, the line before the patch that it stands behind; 0: it comes first. */
  readonly addedBehind: readonly number[];
}

/** A file while its part of the patch is read. */
interface Reading {
  before: string | null;
  after: string | null;
  readonly removed: number[];
  readonly added: number[];
  readonly addedBehind: number[];
}

/** A hunk while it is read: the next line of either side, and how many are left. */
interface Hunk {
  old: number;
  oldLeft: number;
  new: number;
  newLeft: number;
}

/** The files of a patch as git writes it, in its order; of binary ones no lines are known. */
export function patchedFiles(patch: string): PatchedFile[] {
  const files: Reading[] = [];
  let hunk: Hunk | null = null;
  for (const line of patch.split("\n")) {
    const file = files.at(-1);
    if (file !== undefined && hunk !== null && isUnderWay(hunk)) {
      readLine(file, hunk, line);
    } else if (line.startsWith("diff --git ")) {
      files.push(fileOf(line));
      hunk = null;
    } else if (file !== undefined) {
      hunk = hunkOf(line);
      if (hunk === null) readHeader(file, line);
    }
  }
  return files;
}

/** Tests for lines that go or come: modes, names and bytes have none. */
export function hasLines({ added, removed }: PatchedFile): boolean {
  return added.length > 0 || removed.length > 0;
}

/** Part of a patch about one file, with its text. */
interface PatchSection {
  readonly file: PatchedFile;
  /** Its path behind the change, or before it where it is deleted. */
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a patch with the texts of their parts, in its order. Only a line feed ends a line: a file may hold what begins
 * a line for a regular expression (CR, U+2028), and would hide what stands behind it.
 */
export function patchSections(patch: string): PatchSection[] {
  return patch.split(/(?<=^|\n)(?=diff --git )/).flatMap((text) => {
    const [file] = patchedFiles(text);
    return file === undefined ? [] : [{ file, path: file.after ?? file.before ?? "", text }];
  });
}

/** Bytes of the binary parts of a patch, unpacked, by their own words: git takes as much memory before it looks at a file. */
export function binaryBytes(patch: Bytes): number {
  const text = patch.toString("latin1");
  const start = text.search(/^GIT binary patch$/m);
  if (start < 0) return 0;
  let bytes = 0;
  // As C reads numbers: one below zero becomes the largest.
  for (const [, sign, digits] of text.slice(start).matchAll(/^(?:literal|delta) [ \t\v\f\r]*([+-]?)(\d*)/gm))
    bytes += sign === "-" ? Number.POSITIVE_INFINITY : Number(digits);
  return bytes;
}

function isUnderWay({ oldLeft, newLeft }: Hunk): boolean {
  return oldLeft > 0 || newLeft > 0;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function hunkOf(line: string): Hunk | null {
  const found = HUNK.exec(line);
  if (found === null) return null;
  const [, old = "0", oldCount = "1", fresh = "0", newCount = "1"] = found;
  const [oldLeft, newLeft] = [Number(oldCount), Number(newCount)];
  // A side without lines names the line before the place.
  return { old: Number(old) + (oldLeft === 0 ? 1 : 0), oldLeft, new: Number(fresh) + (newLeft === 0 ? 1 : 0), newLeft };
}

function readLine(file: Reading, hunk: Hunk, line: string): void {
  if (line.startsWith("\\")) return;
  if (line.startsWith("+")) {
    file.added.push(hunk.new++);
    file.addedBehind.push(hunk.old - 1);
    hunk.newLeft--;
    return;
  }
  if (line.startsWith("-")) {
    file.removed.push(hunk.old++);
    hunk.oldLeft--;
    return;
  }
  hunk.old++;
  hunk.oldLeft--;
  hunk.new++;
  hunk.newLeft--;
}

/**
 * Reads the names in a file's first line: both are the same, those of files that are neither made, deleted nor renamed.
 */
function fileOf(line: string): Reading {
  const names = line.slice("diff --git ".length);
  const half = names.slice(0, (names.length - 1) / 2);
  const path = pathOf(half);
  return { before: path, after: path, removed: [], added: [], addedBehind: [] };
}

function readHeader(file: Reading, line: string): void {
  if (line.startsWith("new file mode")) file.before = null;
  else if (line.startsWith("deleted file mode")) file.after = null;
  else if (line.startsWith("rename from ")) file.before = unquoted(line.slice("rename from ".length));
  else if (line.startsWith("rename to ")) file.after = unquoted(line.slice("rename to ".length));
  else if (line.startsWith("--- ")) file.before = pathOf(line.slice(4));
  else if (line.startsWith("+++ ")) file.after = pathOf(line.slice(4));
}

/** `a/path`, `"b/p\303\244th"` or `/dev/null`. */
function pathOf(name: string): string | null {
  const path = unquoted(name.replace(/\t$/, ""));
  return path === "/dev/null" ? null : path.slice(2);
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A path without the quotes that git sets around one with characters beyond ASCII. */
function unquoted(name: string): string {
  const inner = /^"(.*)"$/.exec(name)?.[1];
  if (inner === undefined) return name;
  const parts = [...inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)].map(([text, octal, escaped]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
    if (escaped !== undefined) return Buffer.from([ESCAPES[escaped] ?? escaped.charCodeAt(0)]);
    return Buffer.from(text);
  });
  return Buffer.concat(parts).toString("utf8");
}
