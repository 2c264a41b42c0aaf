import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesOf } from "../../../workspace/tree-files.js";
import { type CompileCheck, compileCheck } from "../compile/compile-errors.js";
import { newErrors } from "../compile/new-errors.js";
import type { Fixture } from "../fixture/fixture.js";
import type { TestResult } from "../runner/judge-report.js";
import { type Bucket, failureBucket } from "./buckets.js";

/** What a fixture is before anybody works on it. */
export interface Original {
  readonly files: readonly string[];
  readonly targetLines: number;
  readonly check: CompileCheck;
}

/** What a refactoring is worth; shares 0–1. */
export interface Scores {
  /** The hidden test passed, and nothing tampered with it. */
  readonly passesTests: boolean;
  /** The headline: passes, at least one new file, the target at least a tenth shorter, not tampered with. */
  readonly decomposed: boolean;
  readonly nonTrivial: boolean;
  readonly tampered: boolean;
  readonly filesCompiled: number | null;
  readonly filesCompiledPublished: number | null;
  readonly failureBucket: Bucket;
  /** By structure, not by words; `null`: passed. */
  readonly failureKind: string | null;
  readonly targetLinesBefore: number;
  /** `null`: there is no such file any more. */
  readonly targetLinesAfter: number | null;
  readonly filesBefore: number;
  readonly filesAfter: number;
  /** Source files that were looked through for errors. */
  readonly filesChecked: number;
}

/** The least share of its lines by which the target must shrink. */
const LEAST_SHRINKAGE = 0.1;

/** Reads what a fixture is, once, for all that is made of it. */
export async function readOriginal({ folder, target }: Fixture): Promise<Original> {
  const source = join(folder, "src");
  const lines = await linesOf(join(source, target));
  if (lines === null) throw new Error(`Expected ${target} in ${source}, found none.`);
  return { files: await filesOf(source), targetLines: lines, check: await compileCheck(source) };
}

/** A refactoring, and what its hidden test said. */
export interface Refactoring {
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
    decomposed: passesTests && nonTrivial && isShorter,
    nonTrivial,
    tampered: hidden.isTampered,
    ...{ filesCompiled, filesCompiledPublished },
    failureBucket: failureBucket({
      ...{ passesTests, reportedSuccess, isNonTrivial: nonTrivial },
      ...{ testMessage: hidden.message, compileMessage: message },
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
