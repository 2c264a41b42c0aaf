import { benjaminiHochberg } from "../metric/paired/benjamini-hochberg.js";
import { compareQuestions, type PairedRow, type QuestionPair } from "../metric/paired/compare-questions.js";
import { requirePairable, requireSameQuestions } from "./same-questions.js";
import { findNamedRun, type NamedRun, readStoredRun, type StoredRun } from "./stored-run.js";

/** Resamples of each bootstrap interval. */
const RESAMPLES = 10_000;

export interface ComparisonRequest {
  /** Folders of runs, at least two; the first is the baseline. */
  readonly folders: readonly string[];
  /** Each pair of runs, instead of each run with the first. */
  readonly allPairs: boolean;
  /** Of the bootstrap. */
  readonly seed: number;
}

/** A row, with its p-value adjusted for all tests of the report (Benjamini & Hochberg). */
export interface AdjustedRow extends PairedRow {
  readonly adjustedPValue: number;
}

/** Two runs, compared. */
export interface RunComparison {
  readonly baseline: StoredRun;
  readonly candidate: StoredRun;
  /** Besides the model's name: what else the runs do not have in common, such as the prompt mode. */
  readonly alsoDiffer: readonly RunDifference[];
  readonly rows: readonly AdjustedRow[];
}

export interface RunDifference {
  readonly name: string;
  readonly baseline: unknown;
  readonly candidate: unknown;
}

export interface ComparisonReport {
  readonly comparisons: readonly RunComparison[];
  /** Over how many p-values the adjustment goes. */
  readonly tests: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * Compares finished runs over the same questions, question by question. Reads journals, writes nothing.
 * @throws ProbeError `bad_input` when a run is unfinished or named twice, or the runs asked different questions
 */
export async function compareRuns({ folders, allPairs, seed }: ComparisonRequest): Promise<ComparisonReport> {
  const runs = await readPairableRuns(folders);
  const pairs = runs
    .slice(0, allPairs ? undefined : 1)
    .flatMap((baseline, i) => runs.slice(i + 1).map((candidate) => ({ baseline, candidate })));
  const rows = compareQuestions(
    pairs.map(({ baseline, candidate }) => pairQuestions(baseline, candidate)),
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
async function readPairableRuns(folders: readonly string[]): Promise<StoredRun[]> {
  const named: NamedRun[] = [];
  for (const folder of folders) {
    const run = await findNamedRun(folder);
    for (const earlier of named) requirePairable(earlier, run);
    named.push(run);
  }
  const runs: StoredRun[] = [];
  for (const each of named) {
    const run = await readStoredRun(each);
    const [first] = runs;
    if (first !== undefined) requireSameQuestions(first, run);
    runs.push(run);
  }
  return runs;
}

function pairQuestions(baseline: StoredRun, candidate: StoredRun): QuestionPair[] {
  return baseline.questions.flatMap(({ score }, i) => {
    const other = candidate.questions[i];
    return other === undefined ? [] : [{ baseline: score, candidate: other.score }];
  });
}

/** Parameters that say how the same questions were asked. */
const MANNER = ["prompt_mode", "mode", "early_stop"];

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
