import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadSyntax, type Syntax, type SyntaxNode } from "../../syntax/load.js";
import { type ScoreColumn, type ScoreValue, scoreColumns } from "../../trial/trial-records.js";
import { filesOf, textsIn } from "../../workspace/tree-files.js";
import { type CompileCheck, compileCheck, newErrors } from "./compile-errors.js";
import { type Bucket, failureBucket } from "./failure-buckets.js";
import type { Fixture } from "./read-fixtures.js";
import type { TestResult } from "./runner/runner-report.js";

/** Fixture before anybody works on it. */
interface Original {
  readonly files: readonly string[];
  readonly targetLines: number;
  readonly check: CompileCheck;
  readonly held: HeldCode;
}

/** Scores of a refactoring; shares 0–1. */
export interface Scores {
  /** The hidden test passed, and nothing tampered with it. */
  readonly passesTests: boolean;
  /** The headline: passes, at least one new file, not tampered with, and the target's code was taken apart. */
  readonly decomposed: boolean;
  /** The earlier headline, which a file that is moved whole has: the target is at least a tenth shorter. */
  readonly decomposedLenient: boolean;
  readonly nonTrivial: boolean;
  readonly tampered: boolean;
  readonly filesCompiled: number | null;
  readonly filesCompiledPublished: number | null;
  readonly failureBucket: Bucket;
  /** Class of the failure, by structure, not by words; `null`: passed. */
  readonly failureKind: string | null;
  readonly targetLinesBefore: number;
  /** `null`: there is no such file any more. */
  readonly targetLinesAfter: number | null;
  readonly filesBefore: number;
  readonly filesAfter: number;
  /** Source files that were looked through for errors. */
  readonly filesChecked: number;
}

/** The least share of its lines by which the target must shrink for the lenient headline. */
const LEAST_SHRINKAGE = 0.1;

/** Reads what a fixture is, once, for all that is made of it. */
export async function readOriginal({ folder, target }: Fixture): Promise<Original> {
  const source = join(folder, "src");
  const lines = await linesOf(join(source, target));
  if (lines === null) throw new Error(`Expected ${target} in ${source}, found none.`);
  const check = await compileCheck(source);
  return { files: await filesOf(source), targetLines: lines, check, held: await heldCode(source) };
}

/** A refactoring, and what its hidden test said. */
interface Refactoring {
  readonly fixture: Fixture;
  readonly original: Original;
  /** The tree that holds its `src`. */
  readonly tree: string;
  readonly hidden: TestResult;
  /** `null`: its author did not say. */
  readonly reportedSuccess: boolean | null;
  /** Packages that the test runner has. */
  readonly provided: ReadonlySet<string>;
}

export async function scoreRefactoring(refactoring: Refactoring): Promise<Scores> {
  const { fixture, original, tree, hidden, reportedSuccess, provided } = refactoring;
  const source = join(tree, "src");
  const files = await filesOf(source);
  const compiled = newErrors(original.check, await compileCheck(source), provided);
  const lines = await linesOf(join(source, fixture.target));
  const before = new Set(original.files);
  const nonTrivial = files.some((file) => !before.has(file));
  const passesTests = hidden.passes && !hidden.isTampered;
  const isShorter = lines !== null && lines <= original.targetLines * (1 - LEAST_SHRINKAGE);
  const { filesCompiled, filesCompiledPublished, message } = compiled;
  return {
    passesTests,
    decomposed: passesTests && nonTrivial && isTakenApart(fixture.target, original.held, await heldCode(source)),
    decomposedLenient: passesTests && nonTrivial && isShorter,
    nonTrivial,
    tampered: hidden.isTampered,
    filesCompiled,
    filesCompiledPublished,
    failureBucket: failureBucket({
      passesTests,
      reportedSuccess,
      isNonTrivial: nonTrivial,
      testMessage: hidden.message,
      compileMessage: message,
    }),
    failureKind: hidden.isTampered ? "tampered" : hidden.failureKind,
    targetLinesBefore: original.targetLines,
    targetLinesAfter: lines,
    filesBefore: original.files.length,
    filesAfter: files.length,
    filesChecked: compiled.files,
  };
}

/** Lines of a file: line ends, and one more where the last line has none; `null`: no such file. */
async function linesOf(path: string): Promise<number | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  return text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
}

type Line = readonly [
  ScoreColumn["name"],
  ScoreColumn["kind"],
  ScoreColumn["description"],
  (scores: Scores) => ScoreValue,
];

const LINES: readonly Line[] = [
  ["passes_tests", "share", "The hidden tests passed, and were not tampered with.", (own) => own.passesTests],
  [
    "decomposed",
    "share",
    "Passes, tests not tampered with, at least one new file; the target lost a quarter of its code, and no other file gained more than half of it.",
    (own) => own.decomposed,
  ],
  [
    "decomposed_lenient",
    "share",
    "Passes, tests not tampered with, at least one new file, the target at least a tenth shorter; a file that is moved whole has it too.",
    (own) => own.decomposedLenient,
  ],
  ["files_compiled", "mean", "1 − files with a new error/files.", (own) => own.filesCompiled],
  ["files_compiled_published", "mean", "1 − new errors/files: may be below 0.", (own) => own.filesCompiledPublished],
  [
    "failure_bucket",
    "label",
    "Passed, or the first released class of failures that matches.",
    (own) => own.failureBucket,
  ],
  ["failure_kind", "label", "Class of the failure, by the structure of the report.", (own) => own.failureKind],
  ["target_lines_before", "count", "Lines of the target as it was.", (own) => own.targetLinesBefore],
  ["target_lines_after", "count", "Lines of the target now; empty: it is gone.", (own) => own.targetLinesAfter],
  ["files_before", "count", "Files in src as it was.", (own) => own.filesBefore],
  ["files_after", "count", "Files in src now.", (own) => own.filesAfter],
];

/** Columns of the suite in `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = scoreColumns(LINES);

/** Key in the journal, for `per_fixture.csv`. */
export const FILES_CHECKED = "files_checked";

/** The scores by their columns. */
export function scoreValues(scores: Scores): Record<string, ScoreValue> {
  const columns = Object.fromEntries(LINES.map(([name, , , value]) => [name, value(scores)]));
  return { ...columns, [FILES_CHECKED]: scores.filesChecked };
}

/** The least share of its own code that the target must lose. */
const LEAST_LOSS = 1 / 4;
/** The most that any other file may gain, as a share of what the target held. */
const MOST_GAIN = 1 / 2;

/** Tokens of the files of a tree by their paths, comments and imports left out. */
type HeldCode = ReadonlyMap<string, number>;

/** Reads the tokens of every file of a folder; a file of no language that is parsed is taken whole. */
export async function heldCode(source: string): Promise<HeldCode> {
  const javascript = await loadSyntax("javascript");
  const texts = await textsIn(source);
  return new Map(
    texts.map(({ path, text }) => [path, tokensIn(CODE.test(path) ? ownCode(text, javascript) : text)] as const),
  );
}

/** Tells whether code was taken apart: the target lost a quarter of its own, and no other file gained more than half of it. */
export function isTakenApart(target: string, before: HeldCode, after: HeldCode): boolean {
  const held = before.get(target) ?? 0;
  const kept = after.get(target);
  if (kept === undefined || kept > held * (1 - LEAST_LOSS)) return false;
  return [...after].every(([path, tokens]) => path === target || tokens - (before.get(path) ?? 0) <= held * MOST_GAIN);
}

/** Endings of code; the grammar of JavaScript finds comments and imports of TypeScript too. */
const CODE = /\.[mc]?[jt]sx?$/;

/**
 * Words and signs of a text, those within strings too, so that code that is kept in a string counts. A word counts once for
 * every eight characters begun, so that one that encodes code does as well.
 */
function tokensIn(text: string): number {
  return text.match(/[\p{L}\p{N}_$]{1,8}|[^\s\p{L}\p{N}_$]/gu)?.length ?? 0;
}

function ownCode(text: string, syntax: Syntax): string {
  const left = [...syntax.comments(text), ...importsIn(text, syntax.nodes(text))].sort((a, b) => a.start - b.start);
  let [own, from] = ["", 0];
  for (const { start, end } of left) {
    own += `${text.slice(from, Math.max(from, start))} `;
    from = Math.max(from, end);
  }
  return own + text.slice(from);
}

/** Imports, exports of what another file has, and constants that are nothing but what was required. */
function importsIn(text: string, nodes: readonly SyntaxNode[]): SyntaxNode[] {
  const reExports = new Set(
    nodes.flatMap(({ field, parent }) => (field === "source" && parent !== null ? [parent] : [])),
  );
  return nodes.filter(
    ({ kind, start, end }, place) =>
      kind === "import_statement" ||
      (kind === "export_statement" && reExports.has(place)) ||
      (/^(?:lexical|variable)_declaration$/.test(kind) && REQUIRED.test(text.slice(start, end))),
  );
}

const REQUIRED = /^(?:const|let|var)\s+[\w$\s{},:]+=\s*require\(\s*["'`][^"'`]*["'`]\s*\)\s*;?$/;
