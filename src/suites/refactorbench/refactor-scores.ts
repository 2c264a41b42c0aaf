import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lineCount, type TextRange } from "../../base/text.js";
import { loadSyntax, type Syntax, type SyntaxNode } from "../../syntax/load.js";
import { type ScoreColumn, type ScoreValue, scoreColumns } from "../../trial/trial-records.js";
import { filesOf, textsIn } from "../../workspace/tree-files.js";
import { type CompileCheck, compileCheck, mostCharacters, newErrors } from "./compile-errors.js";
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
  const compiled = newErrors(original.check, await compileCheck(source, original.check), provided);
  const lines = await linesOf(join(source, fixture.target));
  const before = new Set(original.files);
  const nonTrivial = files.some((file) => !before.has(file));
  const passesTests = hidden.passes && !hidden.isTampered;
  const limit = { most: mostCharacters(original.check), before: original.held };
  const isShorter = lines !== null && lines <= original.targetLines * (1 - LEAST_SHRINKAGE);
  const { filesCompiled, filesCompiledPublished, message } = compiled;
  return {
    passesTests,
    decomposed: passesTests && nonTrivial && isTakenApart(fixture.target, original.held, await heldCode(source, limit)),
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

/** Lines of a file; `null`: no such file. */
async function linesOf(path: string): Promise<number | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null ? null : lineCount(text);
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
    "Passes, tests not tampered with, at least one new file; the target lost a quarter of its code, no other file gained more than half of it, and nothing new runs texts as code.",
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

/** Code of a file. */
interface Held {
  /** Comments and imports left out. */
  readonly tokens: number;
  /** Bytes of what is no token: white space, comments, imports. */
  readonly airBytes: number;
  readonly bytes: number;
  /** Ways to run a text as code, by their places among those known. */
  readonly runsText: readonly number[];
}

/** Code of the files of a tree by their paths. */
type HeldCode = ReadonlyMap<string, Held>;

/**
 * Reads the code of every file of a folder; a file of no language that is parsed is taken whole.
 * @param limit `most` characters of a file that is read, or as many as it had bytes `before`, as data may: a longer one
 * holds more than any; absent: all are read
 */
export async function heldCode(
  source: string,
  limit?: { readonly most: number; readonly before: HeldCode },
): Promise<HeldCode> {
  const javascript = await loadSyntax("javascript");
  const texts = await textsIn(source);
  const held = (path: string, text: string) => {
    if (limit !== undefined && text.length > Math.max(limit.most, limit.before.get(path)?.bytes ?? 0))
      return WITHOUT_END;
    return CODE.test(path) ? heldIn(text, javascript) : heldIn(text);
  };
  return new Map(texts.map(({ path, text }) => [path, held(path, text)]));
}

function heldIn(text: string, syntax?: Syntax): Held {
  const comments = syntax?.comments(text) ?? [];
  const said = without(text, comments);
  const imports = syntax === undefined ? [] : importsIn(text, syntax.nodes(text));
  const tokens = without(text, [...comments, ...imports]).match(TOKEN) ?? [];
  const bytes = Buffer.byteLength(text);
  return {
    tokens: tokens.length,
    airBytes: bytes - Buffer.byteLength(tokens.join("")),
    bytes,
    runsText: RUNS_TEXT.flatMap((way, i) => (way.test(said) ? [i] : [])),
  };
}

/**
 * Tells whether code was taken apart: the target lost a quarter of its own; no other file gained more than half of it, nor
 * white space, comments and imports of more than half its size, which could keep it; nothing runs a text as code that way for
 * the first time.
 */
export function isTakenApart(target: string, before: HeldCode, after: HeldCode): boolean {
  const held = before.get(target) ?? NOTHING;
  const kept = after.get(target);
  if (kept === undefined || kept.tokens > held.tokens * (1 - LEAST_LOSS)) return false;
  const known = new Set([...before.values()].flatMap(({ runsText }) => runsText));
  return [...after].every(([path, is]) => {
    if (is.runsText.some((way) => !known.has(way))) return false;
    const was = before.get(path) ?? NOTHING;
    const isWithin =
      is.tokens - was.tokens <= held.tokens * MOST_GAIN && is.airBytes - was.airBytes <= held.bytes * MOST_GAIN;
    return path === target || isWithin;
  });
}

const NOTHING: Held = { tokens: 0, airBytes: 0, bytes: 0, runsText: [] };
const WITHOUT_END: Held = { ...NOTHING, tokens: Number.POSITIVE_INFINITY };

/** Ways to run a text as code, by their names: what is kept in a text, packed or not, is no code that was taken apart. */
const RUNS_TEXT: readonly RegExp[] = [
  /\beval\b/,
  /\bFunction\s*[([.]|(?:\.\s*|["'`])Function\b/,
  /(?:\.\s*|["'`])constructor\b/,
  // Imports of more than a plain path.
  /\b(?:import|require)\s*\((?!\s*(["'`])(?!data:)[^"'`$]*\1\s*[,)])/,
  /\b(?:import|from)\s*["']data:/,
  /["'`](?:node:)?(?:vm|module|worker_threads|child_process)["'`]/,
];

/** Endings of code; the grammar of JavaScript finds comments and imports of TypeScript too. */
const CODE = /\.[mc]?[jt]sx?$/;

/**
 * Words and signs of a text, those within strings too, so that code that is kept in a string counts. A word counts once for
 * every eight characters begun, so that one that encodes code does as well.
 */
const TOKEN = /[\p{L}\p{N}_$]{1,8}|[^\s\p{L}\p{N}_$]/gu;

/** A text with blanks in place of ranges of it. */
function without(text: string, ranges: readonly TextRange[]): string {
  let [own, from] = ["", 0];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
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

const REQUIRED = /^(?:const|let|var)\s[\w$\s{},:]*=\s*require\(\s*["'`][^"'`]*["'`]\s*\)\s*;?$/;
