import { benjaminiHochberg } from "../../../stats/benjamini-hochberg.js";
import { type ComparableRun, readComparableRun } from "../record/comparable-run.js";
import { requirePairable, requireSameGenerations, requireSameQuestions } from "../record/same-questions.js";
import { findNamedRun, type NamedRun } from "../record/stored-run.js";
import { comparePairs, type RunPairs } from "./compare-pairs.js";
import type { Pair } from "./paired-means.js";
import type { PairedRow } from "./paired-row.js";

/** Resamples of each bootstrap interval. */
const RESAMPLES = 10_000;

/** The runs to compare. */
export interface ComparisonRequest {
  /** Folders of runs, at least two; the first is the baseline. */
  readonly folders: readonly string[];
  /** Each pair of runs, instead of each run with the first. */
  readonly allPairs: boolean;
  /** Of the bootstrap. */
  readonly seed: number;
}

/** A row, with its p-value adjusted for all tests of the report (Benjamini & Hochberg). */
export type AdjustedRow = PairedRow & { readonly adjustedPValue: number };

/** Two runs, compared. */
export interface RunComparison {
  readonly baseline: ComparableRun;
  readonly candidate: ComparableRun;
  /** Besides the model's name: what else the runs do not have in common, such as the prompt mode. */
  readonly alsoDiffer: readonly RunDifference[];
  readonly rows: readonly AdjustedRow[];
}

/** In what two runs were asked differently. */
export interface RunDifference {
  readonly name: string;
  readonly baseline: unknown;
  readonly candidate: unknown;
}

/** Runs compared pair by pair. */
export interface ComparisonReport {
  readonly comparisons: readonly RunComparison[];
  /** Over how many p-values the adjustment goes. */
  readonly tests: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * Compares finished runs over the same questions, question by question; generations by exact match. Reads journals, writes nothing.
 * @throws ProbeError `bad_input` when a run is unfinished or named twice, or the runs asked different questions
 */
export async function compareRuns({ folders, allPairs, seed }: ComparisonRequest): Promise<ComparisonReport> {
  const runs = await readPairableRuns(folders);
  const pairs = runs
    .slice(0, allPairs ? undefined : 1)
    .flatMap((baseline, i) => runs.slice(i + 1).map((candidate) => ({ baseline, candidate })));
  const rows = comparePairs(
    pairs.map(({ baseline, candidate }) => pairRuns(baseline, candidate)),
    { seed, resamples: RESAMPLES },
  );
  const adjusted = benjaminiHochberg(rows.flat().map(({ pValue }) => pValue));
  let next = 0;
  const comparisons = pairs.map(({ baseline, candidate }, i) => ({
    baseline,
    candidate,
    alsoDiffer: otherDifferences(baseline, candidate),
    rows: (rows[i] ?? []).map((row) => ({ ...row, adjustedPValue: adjusted[next++] ?? 1 })),
  }));
  return { comparisons, tests: adjusted.length, resamples: RESAMPLES, seed };
}

/** What can be refused by `run.json` is refused before the first journal is read. */
async function readPairableRuns(folders: readonly string[]): Promise<ComparableRun[]> {
  const named: NamedRun[] = [];
  for (const folder of folders) {
    const run = await findNamedRun(folder);
    for (const earlier of named) requirePairable(earlier, run);
    named.push(run);
  }
  const runs: ComparableRun[] = [];
  for (const each of named) {
    const run = await readComparableRun(each);
    const [first] = runs;
    if (first !== undefined) {
      requireSameQuestions(first, run);
      requireSameGenerations(first, run);
    }
    runs.push(run);
  }
  return runs;
}

function pairRuns(baseline: ComparableRun, candidate: ComparableRun): RunPairs {
  return {
    questions: pairScores(baseline.questions, candidate.questions),
    generations: pairScores(baseline.generations, candidate.generations),
  };
}

interface Scored<T> {
  readonly score: T;
}

/** Both in the order of the run, and known to be about the same. */
function pairScores<T>(baseline: readonly Scored<T>[], candidate: readonly Scored<T>[]): Pair<T>[] {
  return baseline.flatMap(({ score }, i) => {
    const other = candidate[i];
    return other === undefined ? [] : [{ baseline: score, candidate: other.score }];
  });
}

/** Parameters that say how the same questions were asked. */
const MANNER = ["prompt_mode", "mode", "early_stop", "max_completion_tokens"];

/** What two runs do not have in common besides the model's name. */
export function otherDifferences({ run: then }: NamedRun, { run: now }: NamedRun): RunDifference[] {
  const isSameName = then.model.label === now.model.label;
  // Models of different names differ in these as a matter of course.
  const identity = isSameName ? Object.keys({ ...then.model.identity, ...now.model.identity }) : [];
  const parameters = isSameName ? [...MANNER, "model_args"] : MANNER;
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
  ].filter(({ baseline, candidate }) => JSON.stringify(baseline) !== JSON.stringify(candidate));
}
