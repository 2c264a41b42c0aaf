import { realpath } from "node:fs/promises";
import { compareVerdicts, type PairedRow } from "../../verdict/compare-verdicts.js";
import type { RunRecord } from "../run-record.js";
import { readScore, type ScoredRun } from "../score-folder.js";
import { runCommandOf, type SuiteEntry } from "../suite-entry.js";
import { suiteOfRun } from "../suite-of-run.js";
import { type NamedRun, requirePairable, requireSameItems } from "./pairable.js";

/** Resamples of each bootstrap interval. */
const RESAMPLES = 10_000;

/** Which runs are compared, and how. */
export interface ComparisonRequest {
  /** Folders of runs, at least two; the first is the baseline. */
  readonly folders: readonly string[];
  /** Each pair of runs, instead of each run with the first. */
  readonly allPairs: boolean;
  /** Of the bootstrap. */
  readonly seed: number;
}

/** Two runs, compared. */
export interface RunComparison {
  readonly baseline: ScoredRun;
  readonly candidate: ScoredRun;
  /** Besides the model's name: what else the runs do not have in common, such as the prompt mode. */
  readonly alsoDiffer: readonly RunDifference[];
  readonly rows: readonly PairedRow[];
}

/** Something in which two runs differ, by its name in `run.json`. */
export interface RunDifference {
  readonly name: string;
  readonly baseline: unknown;
  readonly candidate: unknown;
}

/** Several runs, compared with one baseline or each with each. */
export interface ComparisonReport {
  readonly comparisons: readonly RunComparison[];
  /** Over how many p-values the adjustment goes. */
  readonly tests: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * Compares finished runs of one suite over the same items, item by item. Reads journals, writes nothing.
 * @throws ProbeError `bad_input` when a run is unfinished or named twice, or the runs asked different questions
 */
export async function compareRuns(
  suites: readonly SuiteEntry[],
  { folders, allPairs, seed }: ComparisonRequest,
): Promise<ComparisonReport> {
  const runs = await readPairableRuns(suites, folders);
  const pairs = runs
    .slice(0, allPairs ? undefined : 1)
    .flatMap((baseline, i) => runs.slice(i + 1).map((candidate) => ({ baseline, candidate })));
  const rows = compareVerdicts(
    pairs.map(({ baseline, candidate }) => ({
      baseline: baseline.score.verdicts,
      candidate: candidate.score.verdicts,
    })),
    { seed, resamples: RESAMPLES },
  );
  const comparisons = pairs.map((pair, i) => ({
    ...pair,
    alsoDiffer: otherDifferences(pair.baseline.suite.manner, pair.baseline.run, pair.candidate.run),
    rows: rows[i] ?? [],
  }));
  return { comparisons, tests: rows.flat().length, resamples: RESAMPLES, seed };
}

/** What can be refused by `run.json` is refused before the first journal is read. */
async function readPairableRuns(suites: readonly SuiteEntry[], folders: readonly string[]): Promise<ScoredRun[]> {
  const named: (NamedRun & { readonly entry: SuiteEntry })[] = [];
  for (const folder of folders) {
    const { entry, suite, run } = await suiteOfRun(suites, folder);
    const next = { folder, path: await realpath(folder), entry, suite, run };
    for (const earlier of named) requirePairable(earlier, next);
    named.push(next);
  }
  const runs: ScoredRun[] = [];
  for (const { entry, suite, folder } of named) {
    const run = await readScore(suite, folder);
    const [first] = runs;
    if (first !== undefined) requireSameItems(first, run, runCommandOf(entry));
    runs.push(run);
  }
  return runs;
}

/** What two runs do not have in common besides the model's name. */
export function otherDifferences(manner: readonly string[], then: RunRecord, now: RunRecord): RunDifference[] {
  const isSameName = then.model.label === now.model.label;
  // Models of different names differ in these as a matter of course.
  const identity = isSameName ? Object.keys({ ...then.model.identity, ...now.model.identity }) : [];
  const parameters = isSameName ? [...manner, "model_args"] : manner;
  return [
    ...identity.map((key) => ({
      name: `model ${key}`,
      baseline: then.model.identity[key] ?? null,
      candidate: now.model.identity[key] ?? null,
    })),
    ...parameters.map((key) => ({
      name: key,
      baseline: then.parameters[key] ?? null,
      candidate: now.parameters[key] ?? null,
    })),
  ].filter(({ baseline: before, candidate: after }) => JSON.stringify(before) !== JSON.stringify(after));
}
