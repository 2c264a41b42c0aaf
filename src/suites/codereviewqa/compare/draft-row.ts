import { detectableDifference } from "../../../stats/detectable-difference.js";
import { mcNemarExact } from "../../../stats/mcnemar.js";
import { signFlipTest } from "../../../stats/sign-flip.js";
import { countBy, type QuestionScore } from "../metric/question-score.js";
import { type ExampleIndices, type Measure, measureOf, type OnExample, type Pair } from "./paired-means.js";
import type { GenerationRow, PairedRow, QuestionRow } from "./paired-row.js";

/** What a comparison needs to know of one generation. */
export interface GenerationResult extends OnExample {
  readonly task: string;
  /** Exact match, corrected; `false` for a failed one. */
  readonly em: boolean;
  /** 0–1; `null` for a failed one. */
  readonly editSimilarity: number | null;
  /** It failed. */
  readonly lost: boolean;
}

/** A row whose intervals are not known yet: of its means there are the measures. */
export type DraftRow =
  | (Drafted<QuestionRow, "meanAccuracy" | "pluralityAgreement"> & { readonly kind: "questions" })
  | (Drafted<GenerationRow, "editSimilarity"> & { readonly kind: "generations" });

type Drafted<Row extends PairedRow, Means extends keyof Row> = Omit<Row, "invariantAccuracy" | Means> & {
  readonly invariantAccuracy: Measure;
} & { readonly [K in Means]: Measure | null };

/** @param pairs of one form, or of all of them; at least one */
export function draftQuestions(
  form: QuestionRow["form"],
  pairs: readonly Pair<QuestionScore>[],
  examples: ExampleIndices,
): DraftRow {
  return {
    kind: "questions",
    form,
    ...testedShare(pairs, examples, ({ invariantCorrect }) => invariantCorrect),
    meanAccuracy: measureOf(pairs, examples, ({ meanAccuracy }) => meanAccuracy),
    pluralityAgreement: measureOf(pairs, examples, ({ pluralityAgreement }) => pluralityAgreement),
  };
}

/** @param pairs of one task; at least one */
export function draftGenerations(
  task: string,
  pairs: readonly Pair<GenerationResult>[],
  examples: ExampleIndices,
): DraftRow {
  return {
    kind: "generations",
    form: { task, difficulty: null },
    ...testedShare(pairs, examples, ({ em }) => em),
    editSimilarity: measureOf(pairs, examples, ({ editSimilarity }) => editSimilarity),
  };
}

interface Result extends OnExample {
  readonly lost: boolean;
}

/** The share right in both runs, and the test of whether it is the same. */
function testedShare<T extends Result>(
  pairs: readonly Pair<T>[],
  examples: ExampleIndices,
  isRight: (result: T) => boolean,
) {
  const share = measureOf(pairs, examples, (result) => Number(isRight(result)));
  if (share === null) throw new RangeError("Expected at least one pair of questions.");
  const count = (predicate: (pair: Pair<T>) => boolean) => pairs.filter(predicate).length;
  const onlyBaseline = count(({ baseline, candidate }) => isRight(baseline) && !isRight(candidate));
  const onlyCandidate = count(({ baseline, candidate }) => !isRight(baseline) && isRight(candidate));
  const perExample = countBy(pairs.map(({ baseline }) => baseline.exampleId));
  const isOneEach = perExample.size === pairs.length;
  return {
    examples: perExample.size,
    invariantAccuracy: share,
    onlyBaseline,
    onlyCandidate,
    lost: { baseline: count(({ baseline }) => baseline.lost), candidate: count(({ candidate }) => candidate.lost) },
    test: isOneEach ? ("mcnemar_exact" as const) : ("sign_flip_by_example" as const),
    pValue: isOneEach ? mcNemarExact(onlyBaseline, onlyCandidate) : signFlipTest([...share.sums]),
    detectableDifference: isOneEach ? detectableDifference(pairs.length, onlyBaseline + onlyCandidate) : null,
  };
}
