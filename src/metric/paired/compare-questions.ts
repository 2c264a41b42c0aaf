import type { Difficulty } from "../../domain/example.js";
import { seededIntegers } from "../../domain/random.js";
import { countBy, type QuestionScore } from "../question-score.js";
import { bootstrapMeans, type ClusteredValues, type Interval } from "./cluster-bootstrap.js";
import { detectableDifference } from "./detectable-difference.js";
import { mcNemarExact } from "./mcnemar.js";
import { signFlipTest } from "./sign-flip.js";

/** One question as two runs answered it. */
export interface QuestionPair {
  readonly baseline: QuestionScore;
  readonly candidate: QuestionScore;
}

/** Two means over the same questions, fractions 0–1, and their difference. */
export interface PairedMeans {
  /** Questions for which both runs have the value; at least one. */
  readonly n: number;
  readonly baseline: number;
  readonly candidate: number;
  /** Candidate minus baseline. */
  readonly difference: number;
  /** 95 % interval of the difference, bootstrapped by example; `null` with fewer than two examples. */
  readonly interval: Interval | null;
}

/** How two runs differ on one probe form, or on all questions. */
export interface PairedRow {
  /** `null`: all forms together. */
  readonly form: { readonly task: string; readonly difficulty: Difficulty | null } | null;
  readonly examples: number;
  readonly invariantAccuracy: PairedMeans;
  /** Questions that just one of the runs has right under all orders. */
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
  /** Not right only because orders failed or were undecided; they count as not right. */
  readonly lost: { readonly baseline: number; readonly candidate: number };
  /** McNemar's where each example has one question; else the sign-flip test by example, as its questions go together. */
  readonly test: "mcnemar_exact" | "sign_flip_by_example";
  /** Two-sided, of equal invariant accuracy; not adjusted for how many tests there are. */
  readonly pValue: number;
  /** Least difference found in 80 % of samples of this size; `null` where that is not defined. */
  readonly detectableDifference: number | null;
  /** `null` where no question has the value in both runs, as with early stopping. */
  readonly meanAccuracy: PairedMeans | null;
  readonly pluralityAgreement: PairedMeans | null;
}

export interface ComparisonOptions {
  readonly seed: number;
  readonly resamples: number;
}

/**
 * Compares runs over the same questions, question by question: one list of pairs a comparison, one row a probe form in
 * order of appearance, then one over all forms where there are several. One draw of examples serves all intervals.
 */
export function compareQuestions(
  comparisons: readonly (readonly QuestionPair[])[],
  { seed, resamples }: ComparisonOptions,
): PairedRow[][] {
  const examples = exampleIndices(comparisons.flat());
  const drafts = comparisons.map((pairs) => groupsOf(pairs).map((group) => draftRow(group, examples)));
  const measures = drafts.flat().flatMap((draft) => draft.measures.filter((measure) => measure !== null));
  const intervals = bootstrapMeans(measures, { examples: examples.size, resamples, draw: seededIntegers(seed) });
  const byMeasure = new Map(measures.map((measure, i) => [measure, intervals[i] ?? null]));
  const means = (measure: Measure | null) =>
    measure === null ? null : { ...measure.means, interval: byMeasure.get(measure) ?? null };
  return drafts.map((rows) =>
    rows.map(({ row, measures: [invariant, accuracy, agreement] }) => ({
      ...row,
      invariantAccuracy: { ...invariant.means, interval: byMeasure.get(invariant) ?? null },
      meanAccuracy: means(accuracy),
      pluralityAgreement: means(agreement),
    })),
  );
}

function exampleIndices(pairs: readonly QuestionPair[]): Map<string, number> {
  const ids = new Set(pairs.map(({ baseline }) => baseline.exampleId));
  return new Map([...ids].map((id, index) => [id, index]));
}

interface Group {
  readonly form: PairedRow["form"];
  readonly pairs: readonly QuestionPair[];
}

function groupsOf(pairs: readonly QuestionPair[]): Group[] {
  const byForm = new Map<string, { form: PairedRow["form"]; pairs: QuestionPair[] }>();
  for (const pair of pairs) {
    const { task, difficulty } = pair.baseline;
    const key = JSON.stringify([task, difficulty]);
    const group = byForm.get(key) ?? { form: { task, difficulty }, pairs: [] };
    group.pairs.push(pair);
    byForm.set(key, group);
  }
  const forms = [...byForm.values()];
  return forms.length > 1 ? [...forms, { form: null, pairs }] : forms;
}

/** A row whose intervals are not known yet. */
interface Draft {
  readonly row: Omit<PairedRow, "invariantAccuracy" | "meanAccuracy" | "pluralityAgreement">;
  readonly measures: readonly [Measure, Measure | null, Measure | null];
}

function draftRow({ form, pairs }: Group, examples: ReadonlyMap<string, number>): Draft {
  const invariant = measureOf(pairs, examples, ({ invariantCorrect }) => Number(invariantCorrect));
  if (invariant === null) throw new RangeError("Expected at least one pair of questions.");
  const count = (predicate: (pair: QuestionPair) => boolean) => pairs.filter(predicate).length;
  const onlyBaseline = count(({ baseline, candidate }) => baseline.invariantCorrect && !candidate.invariantCorrect);
  const onlyCandidate = count(({ baseline, candidate }) => !baseline.invariantCorrect && candidate.invariantCorrect);
  const perExample = countBy(pairs.map(({ baseline }) => baseline.exampleId));
  const isOneEach = perExample.size === pairs.length;
  return {
    row: {
      form,
      examples: perExample.size,
      onlyBaseline,
      onlyCandidate,
      lost: { baseline: count(({ baseline }) => baseline.lost), candidate: count(({ candidate }) => candidate.lost) },
      test: isOneEach ? "mcnemar_exact" : "sign_flip_by_example",
      pValue: isOneEach ? mcNemarExact(onlyBaseline, onlyCandidate) : signFlipTest([...invariant.sums]),
      detectableDifference: isOneEach ? detectableDifference(pairs.length, onlyBaseline + onlyCandidate) : null,
    },
    measures: [
      invariant,
      measureOf(pairs, examples, ({ meanAccuracy }) => meanAccuracy),
      measureOf(pairs, examples, ({ pluralityAgreement }) => pluralityAgreement),
    ],
  };
}

/** A value of both runs over the questions that have it in both, and its differences by example. */
interface Measure extends ClusteredValues {
  readonly means: Omit<PairedMeans, "interval">;
}

function measureOf(
  pairs: readonly QuestionPair[],
  examples: ReadonlyMap<string, number>,
  value: (score: QuestionScore) => number | null,
): Measure | null {
  const sums = new Float64Array(examples.size);
  const counts = new Float64Array(examples.size);
  let [n, ofBaseline, ofCandidate, ofDifference] = [0, 0, 0, 0];
  for (const pair of pairs) {
    const [before, after] = [value(pair.baseline), value(pair.candidate)];
    const example = examples.get(pair.baseline.exampleId);
    if (before === null || after === null || example === undefined) continue;
    sums[example] = (sums[example] ?? 0) + after - before;
    counts[example] = (counts[example] ?? 0) + 1;
    n++;
    ofBaseline += before;
    ofCandidate += after;
    ofDifference += after - before;
  }
  if (n === 0) return null;
  return {
    sums,
    counts,
    means: { n, baseline: ofBaseline / n, candidate: ofCandidate / n, difference: ofDifference / n },
  };
}
