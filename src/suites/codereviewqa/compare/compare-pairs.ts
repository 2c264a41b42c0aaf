import { seededIntegers } from "../../../base/random.js";
import { bootstrapMeans, type Interval } from "../../../stats/cluster-bootstrap.js";
import type { QuestionScore } from "../metric/question-score.js";
import { type DraftRow, draftGenerations, draftQuestions, type GenerationResult } from "./draft-row.js";
import { type ExampleIndices, exampleIndices, type Measure, type Pair, type PairedMeans } from "./paired-means.js";
import type { PairedRow, QuestionRow } from "./paired-row.js";

/** What two runs made of the same questions and open questions. */
export interface RunPairs {
  readonly questions: readonly Pair<QuestionScore>[];
  readonly generations: readonly Pair<GenerationResult>[];
}

interface ComparisonOptions {
  readonly seed: number;
  readonly resamples: number;
}

/**
 * Compares runs over the same questions, question by question: one row a multiple-choice form in order of appearance,
 * then one over all of these where there are several, then one a task with generations. One draw of examples serves all
 * intervals.
 */
export function comparePairs(comparisons: readonly RunPairs[], { seed, resamples }: ComparisonOptions): PairedRow[][] {
  const examples = exampleIndices(comparisons.flatMap(({ questions, generations }) => [...questions, ...generations]));
  const drafts = comparisons.map((pairs) => draftRows(pairs, examples));
  const measures = drafts.flat().flatMap(measuresOf);
  const intervals = bootstrapMeans(measures, { examples: examples.size, resamples, draw: seededIntegers(seed) });
  const intervalOf = new Map(measures.map((measure, i) => [measure, intervals[i] ?? null]));
  return drafts.map((rows) => rows.map((draft) => finishRow(draft, intervalOf)));
}

function draftRows({ questions, generations }: RunPairs, examples: ExampleIndices): DraftRow[] {
  const forms = questionGroups(questions);
  const tasks = groupBy(generations, ({ task }) => task);
  return [
    ...forms.map(([form, pairs]) => draftQuestions(form, pairs, examples)),
    // Matching a revision is not choosing an option: the two are not averaged.
    ...(forms.length > 1 ? [draftQuestions(null, questions, examples)] : []),
    ...tasks.map(([task, pairs]) => draftGenerations(task, pairs, examples)),
  ];
}

function questionGroups(
  pairs: readonly Pair<QuestionScore>[],
): (readonly [QuestionRow["form"], readonly Pair<QuestionScore>[]])[] {
  return groupBy(pairs, ({ task, difficulty }) => JSON.stringify([task, difficulty])).flatMap(([, group]) =>
    group.slice(0, 1).map(({ baseline: { task, difficulty } }) => [{ task, difficulty }, group] as const),
  );
}

function groupBy<T>(pairs: readonly Pair<T>[], key: (score: T) => string): (readonly [string, readonly Pair<T>[]])[] {
  const groups = new Map<string, Pair<T>[]>();
  for (const pair of pairs) {
    const name = key(pair.baseline);
    const group = groups.get(name) ?? [];
    group.push(pair);
    groups.set(name, group);
  }
  return [...groups];
}

function measuresOf(draft: DraftRow): Measure[] {
  const means = draft.kind === "questions" ? [draft.meanAccuracy, draft.pluralityAgreement] : [draft.editSimilarity];
  return [draft.invariantAccuracy, ...means].filter((measure) => measure !== null);
}

function finishRow(draft: DraftRow, intervalOf: ReadonlyMap<Measure, Interval | null>): PairedRow {
  const finish = (measure: Measure): PairedMeans => ({ ...measure.means, interval: intervalOf.get(measure) ?? null });
  const finishIfAny = (measure: Measure | null) => (measure === null ? null : finish(measure));
  const invariantAccuracy = finish(draft.invariantAccuracy);
  if (draft.kind === "generations") {
    return { ...draft, invariantAccuracy, editSimilarity: finishIfAny(draft.editSimilarity) };
  }
  return {
    ...draft,
    invariantAccuracy,
    meanAccuracy: finishIfAny(draft.meanAccuracy),
    pluralityAgreement: finishIfAny(draft.pluralityAgreement),
  };
}
