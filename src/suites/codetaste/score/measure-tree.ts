import { join } from "node:path";
import type { Bytes } from "../../../base/text.js";
import type { Bench } from "../../../trial/bench-task.js";
import { stands } from "../../../trial/lineup/line-up.js";
import { sealedText } from "../../../workspace/sealed-files.js";
import { Workspace } from "../../../workspace/workspace.js";
import type { ScanResult } from "../rules/taste-rule.js";
import type { TasteTask } from "../taste-task.js";
import { changedLines } from "./changed-lines.js";
import { codeLines } from "./code-lines.js";
import { tally } from "./following.js";
import { precisionCounts } from "./precision.js";
import { lineUpOf, runTests, type TestRun } from "./run-repo-tests.js";
import { type Measured, scoresOf } from "./taste-scores.js";
import { passes } from "./test-counts.js";
import { reportOf, type TrialReport } from "./trial-report.js";

/** Scans of unmodified trees for old patterns, by task: the same for every trial of a session. */
const onBase = new Map<string, Promise<ScanResult>>();

/** Scores a tree that a patch was applied to, and says by what. */
export async function measureTree(
  task: TasteTask,
  tree: Workspace,
  { patch, applies }: { readonly patch: Bytes; readonly applies: boolean },
  bench: Bench,
): Promise<{ readonly measured: Measured; readonly report: TrialReport; readonly tests: TestRun | null }> {
  const { rules, engine, band } = task;
  // Before the tests, which may write.
  const additive = await engine.scan(rules.additive, tree.tree, bench);
  const reductive = await engine.scan(rules.reductive, tree.tree, bench);
  const base = await baseScan(task, bench);
  const patched = new Set((await tree.changedFiles()).map(({ path }) => path));
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

async function baseScan(task: TasteTask, bench: Bench): Promise<ScanResult> {
  const key = `${task.sha256} ${task.engine.name} ${task.engine.version}`;
  const known = onBase.get(key) ?? scanBase(task, bench);
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

async function scanBase({ source, engine, rules }: TasteTask, bench: Bench): Promise<ScanResult> {
  const base = await Workspace.create(join(await bench.folder(), "work"), source);
  return engine.scan(rules.reductive, base.tree, bench);
}
