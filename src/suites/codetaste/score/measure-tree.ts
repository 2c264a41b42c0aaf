import { join } from "node:path";
import { groupBy } from "../../../base/grouping.js";
import type { Language } from "../../../base/language.js";
import { languageOfFile } from "../../../base/source-path.js";
import type { Bytes } from "../../../base/text.js";
import { loadSyntax } from "../../../syntax/load.js";
import type { Bench } from "../../../trial/bench-task.js";
import { stands } from "../../../trial/lineup/line-up.js";
import { sealedText } from "../../../workspace/sealed-files.js";
import { Workspace } from "../../../workspace/workspace.js";
import { isRun, NOWHERE, type RuleSide, type ScanResult } from "../rules/taste-rule.js";
import type { TasteTask } from "../taste-task.js";
import { type ChangedLines, changedLines, filesOfPatch, type PlacedLine, withoutSide } from "./changed-lines.js";
import { precisionCounts, tally } from "./following.js";
import { lineUpOf, runTests, type TestRun } from "./run-repo-tests.js";
import { type Measured, scoresOf } from "./taste-scores.js";
import { passes } from "./test-counts.js";
import { reportOf, type TrialReport } from "./trial-report.js";

/** Scans of unmodified trees, by task and side: the same for every trial of a session. */
const onBase = new Map<string, Promise<ScanResult>>();

/** Scores a tree that a patch was applied to, and says by what. */
export async function measureTree(
  task: TasteTask,
  tree: Workspace,
  { patch, applies }: { readonly patch: Bytes; readonly applies: boolean },
  bench: Bench,
): Promise<{ readonly measured: Measured; readonly report: TrialReport; readonly tests: TestRun | null }> {
  const { rules, band } = task;
  // Before the tests, which may write.
  const patched = new Set((await tree.changedFiles()).map(({ path }) => path));
  const additive = await changedScan(task, "additive", tree.tree, bench);
  const reductive = await changedScan(task, "reductive", tree.tree, bench, patched);
  const base = await baseScan(task, "reductive", bench);
  const changed = changedLines(patch.toString("utf8"));
  const code = changed && (await codeLines(changed, (side, path) => textIn(tree, side, path)));
  const untouched = await Workspace.create(await bench.folder(), { kind: "folder", path: tree.tree });
  const tests = task.tests === null ? null : await runTests(task.tests, tree.tree, bench);
  // A patch that does not apply passes no test, as where the report is lost.
  const isPassed = tests === null ? null : passes(applies ? tests.counts : null, band);
  const lineUp = isPassed === true ? await lineUpOf(task, untouched.tree, patched, bench) : null;
  const scans = { additiveOnTree: additive, reductiveOnBase: base };
  const tallies = {
    additive: tally(rules.additive.rules, additive),
    reductive: tally(rules.reductive.rules, reductive),
  };
  const measured: Measured = {
    tallies,
    lines: changed && precisionCounts(changed, scans),
    code: code && precisionCounts(code, scans),
    pass: lineUp === null ? isPassed : stands(lineUp),
  };
  const report = reportOf({
    task,
    additive,
    reductive,
    base,
    changed,
    tests,
    lineUp,
    scores: scoresOf(measured),
    measured,
  });
  return { measured, report, tests };
}

/** Larger files are not parsed: all of their lines count. */
const MOST_BYTES = 1_000_000;

async function textIn(tree: Workspace, side: "added" | "removed", path: string): Promise<string | null> {
  if (side === "added") return sealedText(tree.tree, path, MOST_BYTES);
  const bytes = await tree.original(path);
  return bytes === null || bytes.length > MOST_BYTES ? null : bytes.toString("utf8");
}

/** Rules that end on the base and not on a changed tree are not followed: else a patch takes them out of its rates. */
async function changedScan(
  task: TasteTask,
  side: RuleSide,
  tree: string,
  bench: Bench,
  patched?: ReadonlySet<string>,
): Promise<ScanResult> {
  const scan = await task.engine.scan(task.rules[side], tree, bench, patched);
  if (isRun(scan)) return scan;
  const base = await baseScan(task, side, bench);
  if (base.status === "missing") return scan;
  if (scan.status === "missing") throw new Error(`${scan.detail}, and not so on the unmodified tree`);
  const ended = scan.notRun.filter(({ rule }) => base.matches.has(rule));
  const notFollowed = ended.map(({ rule }) => [rule, side === "reductive" ? [NOWHERE] : []] as const);
  return { ...scan, matches: new Map([...scan.matches, ...notFollowed]) };
}

async function baseScan(task: TasteTask, side: RuleSide, bench: Bench): Promise<ScanResult> {
  const key = `${task.sha256} ${side} ${task.engine.name} ${task.engine.version}`;
  const known = onBase.get(key) ?? scanBase(task, side, bench);
  onBase.set(key, known);
  try {
    const scan = await known;
    if (scan.status === "missing") onBase.delete(key);
    return scan;
  } catch (error) {
    onBase.delete(key);
    throw error;
  }
}

async function scanBase({ source, engine, rules }: TasteTask, side: RuleSide, bench: Bench): Promise<ScanResult> {
  const base = await Workspace.create(join(await bench.folder(), "work"), source);
  return engine.scan(rules[side], base.tree, bench);
}

/** Text of a changed file: of the changed tree for added lines, of the base for removed ones; `null`: not known. */
type TextAt = (side: keyof ChangedLines, path: string) => Promise<string | null>;

const DOCUMENT = /(?:^|\/)docs\/|\.(?:md|rst|adoc|txt)$/i;
const CONFIGURATION = /\.(?:json|ya?ml|toml|ini|cfg|conf|lock|properties|xml)$/i;

/**
 * The filter of the paper's Table 6, for which no code was released; the rule is ours: lines of documents and configuration,
 * blank ones, and those that are comment alone by the syntax tree do not count. Languages without a grammar keep their
 * comments; TypeScript is read as JavaScript.
 */
export async function codeLines(lines: ChangedLines, textAt: TextAt): Promise<ChangedLines> {
  const keep = async (side: keyof ChangedLines): Promise<PlacedLine[]> => {
    const kept: PlacedLine[][] = [];
    for (const [path, own] of groupBy(lines[side], (line) => line.path)) {
      if (DOCUMENT.test(path) || CONFIGURATION.test(path)) continue;
      const text = await textAt(side, path);
      const isCode = text === null ? () => true : await codeTest(path, text);
      kept.push(own.filter(({ line }) => isCode(line)));
    }
    return kept.flat();
  };
  return { added: await keep("added"), removed: await keep("removed") };
}

/** Test of a file's lines, from 1, for anything besides blanks and comments. */
async function codeTest(path: string, text: string): Promise<(line: number) => boolean> {
  const language = grammarOf(path);
  const comments = language === null ? [] : (await loadSyntax(language)).comments(text);
  let code = "";
  let end = 0;
  for (const comment of comments) {
    code += text.slice(end, comment.start) + text.slice(comment.start, comment.end).replace(/[^\n]/g, " ");
    end = comment.end;
  }
  const lines = (code + text.slice(end)).split("\n");
  return (line) => /\S/.test(lines[line - 1] ?? "");
}

function grammarOf(path: string): Language | null {
  return languageOfFile(path) ?? (/\.[cm]?tsx?$/i.test(path) ? "javascript" : null);
}

/** A hunk may name any line: behind this one no text is kept, so that its lines are no code. */
const MOST_LINES = 1_000_000;

/** Texts of a patch's files as far as its hunks show them, each line at its place: a comment that begins outside is code. */
export function textsOfPatch(patch: string): TextAt {
  const texts = { added: new Map<string, string[]>(), removed: new Map<string, string[]>() };
  for (const { oldFileName, newFileName, hunks } of filesOfPatch(patch) ?? []) {
    const added = linesIn(texts.added, withoutSide(newFileName));
    const removed = linesIn(texts.removed, withoutSide(oldFileName));
    for (const { lines, oldStart, newStart } of hunks) {
      place(added, newStart, lines, "-");
      place(removed, oldStart, lines, "+");
    }
  }
  return async (side, path) => {
    const own = texts[side].get(path);
    return own === undefined ? null : Array.from(own, (line) => line ?? "").join("\n");
  };
}

function linesIn(texts: Map<string, string[]>, path: string): string[] {
  const own = texts.get(path) ?? [];
  texts.set(path, own);
  return own;
}

/** @param other sign of the other side's lines */
function place(own: string[], start: number, lines: readonly string[], other: "+" | "-"): void {
  const shown = lines.filter((line) => line[0] !== other && line[0] !== "\\");
  if (start + shown.length > MOST_LINES) return;
  for (const [i, line] of shown.entries()) own[start - 1 + i] = line.slice(1);
}
