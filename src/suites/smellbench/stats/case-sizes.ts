import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import { groupBy } from "../../../base/grouping.js";
import { languageOfFile } from "../../../base/source-path.js";
import { meanOrNull } from "../../../base/sums.js";
import type { Block } from "../../../report/block.js";
import { type ColumnOf, numberColumn, sentence, tableOf, textColumn } from "../../../report/make-block.js";
import { loadSyntax } from "../../../syntax/load.js";
import { type PatchedFile, patchedFiles } from "../../../workspace/patched-files.js";
import { commitText } from "../../../workspace/received-repository.js";
import { sealedText } from "../../../workspace/sealed-files.js";
import type { TreeSource } from "../../../workspace/workspace.js";
import type { SmellTask } from "../smell-case.js";

/** Size of a case, by the patch that puts its smell in. */
export interface CaseSize {
  readonly project: string;
  /** Lines that it adds and removes. */
  readonly lines: number;
  readonly files: number;
  /** Functions and methods in which it changes a line; `null`: the code is not at hand. */
  readonly methods: number | null;
  readonly tests: number;
}

/** Mean sizes of a project's cases: a row of the paper's Table 2. */
export interface SizeRow extends Record<"lines" | "files" | "methods" | "tests", number | null> {
  readonly project: string;
  readonly count: number;
  /** Cases whose methods are counted. */
  readonly located: number;
}

/** Larger files are not parsed. */
const MOST_BYTES = 4_000_000;

/** Size of a case; `null`: it cannot be read. */
export async function caseSize({ smellCase, smellPatch, clean }: SmellTask): Promise<CaseSize | null> {
  if (smellCase === null) return null;
  const patch = smellPatch.toString("utf8");
  const files = patchedFiles(patch);
  return {
    project: smellCase.project_name,
    lines: files.reduce((all, { added, removed }) => all + added.length + removed.length, 0),
    files: new Set(files.map(({ before, after }) => after ?? before)).size,
    methods: await methodsIn(patch, clean),
    tests: smellCase.testsuites.length,
  };
}

/** Functions with a changed line in the clean or in the smelly code, the innermost alone; a file of no known language has none. */
async function methodsIn(patch: string, clean: TreeSource): Promise<number | null> {
  const found = new Set<string>();
  const [files, parts] = [patchedFiles(patch), parsePatch(patch)];
  if (files.length !== parts.length) return null;
  for (const [i, file] of files.entries()) {
    const path = file.after ?? file.before ?? "";
    if (languageOfFile(path) === null) continue;
    const texts = await textsOf(file, parts[i], clean);
    if (texts === null) return null;
    const names = [
      ...(await functionsAt(path, texts.before, file.removed)),
      ...(await functionsAt(path, texts.behind, file.added)),
    ];
    for (const name of names) found.add(`${path} ${name}`);
  }
  return found.size;
}

/** A file without the smell and with it; `null`: it is not at hand. */
async function textsOf(
  { before: path }: PatchedFile,
  part: StructuredPatch | undefined,
  clean: TreeSource,
): Promise<{ readonly before: string; readonly behind: string } | null> {
  const before = path === null ? "" : await cleanText(clean, path);
  const behind = before === null || part === undefined ? false : applyPatch(before, part);
  return before === null || behind === false ? null : { before, behind };
}

async function cleanText(clean: TreeSource, path: string): Promise<string | null> {
  if (clean.kind === "folder") return sealedText(clean.path, path, MOST_BYTES);
  return commitText(clean.repository, clean.commit, path, MOST_BYTES);
}

/** Names of the innermost functions that the lines stand in. */
async function functionsAt(path: string, text: string, lines: readonly number[]): Promise<readonly string[]> {
  const language = languageOfFile(path);
  if (language === null || lines.length === 0) return [];
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const functions = (await loadSyntax(language)).declarations(text).filter(({ kind }) => kind === "function");
  return lines.flatMap((line) => {
    const [start = 0, end = text.length] = [starts[line - 1], starts[line]];
    const around = functions.filter((each) => each.start < end && each.end > start);
    const inner = around.toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];
    return inner === undefined ? [] : [[...inner.within, inner.name].join(".")];
  });
}

/** Means by project, and the plain mean of the projects' means, as in the paper's last row. */
export function sizeRows(sizes: readonly CaseSize[]): SizeRow[] {
  const rows = [...groupBy(sizes, ({ project }) => project)].map(([project, own]) => rowOf(project, own));
  return rows.length < 2 ? rows : [...rows, rowOf("Overall", rows)];
}

type Sized = Omit<SizeRow, "count" | "located"> & Partial<SizeRow>;

function rowOf(project: string, own: readonly Sized[]): SizeRow {
  const mean = (of: "lines" | "files" | "methods" | "tests") => meanOrNull(own.map((each) => each[of]));
  return {
    project,
    lines: mean("lines"),
    files: mean("files"),
    methods: mean("methods"),
    tests: mean("tests"),
    count: own.reduce((all, { count = 1 }) => all + count, 0),
    located: own.reduce((all, { methods, located = Number(methods !== null) }) => all + located, 0),
  };
}

const COLUMNS: readonly ColumnOf<SizeRow>[] = [
  textColumn("project", "project", ({ project }) => project),
  numberColumn("lines", "lines", "short", ({ lines }) => lines),
  numberColumn("files", "files", "short", ({ files }) => files),
  numberColumn("methods", "methods", "short", ({ methods }) => methods),
  numberColumn("tests", "tests", "short", ({ tests }) => tests),
  numberColumn("count", "cases", "count", ({ count }) => count),
];

/** Table 2 of cases at hand; nothing without any. */
export function sizeBlocks(rows: readonly SizeRow[]): Block[] {
  if (rows.length === 0) return [];
  const unlocated = rows.some(({ count, located }) => located < count);
  return [
    tableOf("Table 2: means of what the smell's patch changes, and tests, by project", COLUMNS, rows),
    ...(unlocated ? [sentence("Methods are counted where the code is at hand: name clones with --repo.")] : []),
  ];
}
