import { KeptOnce } from "../../../../base/grouping.js";
import type { ProbeDefinition } from "../../../../question/question.js";
import type { Generation } from "../../answer/generation.js";
import type { CaseOf } from "../../record/run-file.js";
import type { MetricName } from "../metric-names.js";
import {
  type Measure,
  meanByCase,
  measure,
  point,
  type SummaryRow,
  shareByCase,
  summariseGroups,
} from "../summary-row.js";
import { corpusBleu, countNgrams } from "./bleu.js";
import { MATCHES, scoreGeneration } from "./generation-score.js";
import {
  type MeasuredGeneration,
  type MeasuredText,
  type ScoredGeneration,
  statusMeasures,
} from "./scored-generation.js";

/** All metrics of a probe that has the model write: overall, then by language, then by change type. */
export function summariseGenerations(
  task: string,
  generations: readonly ScoredGeneration[],
  caseOf: CaseOf | null = null,
): SummaryRow[] {
  return summariseGroups({ task, difficulty: null }, generations, (members) => [
    ...matchMeasures(members, caseOf),
    ...similarityMeasures(members, caseOf),
    ...statusMeasures(members, caseOf),
    ...copyFloors(members, caseOf),
  ]);
}

/** A generation that failed counts as no match: leaving it out would reward failing. */
function matchMeasures(generations: readonly ScoredGeneration[], caseOf: CaseOf | null): Measure[] {
  const n = generations.length;
  return MATCHES.map(([metric, key, note]) => {
    const matches = shareByCase(generations, caseOf, ({ measured }) => measured?.score[key] === true);
    return measure(metric, matches, n, note);
  });
}

function similarityMeasures(generations: readonly ScoredGeneration[], caseOf: CaseOf | null): Measure[] {
  const measured = generations.flatMap((generation) => (generation.measured === null ? [] : [generation.measured]));
  const bleu = corpusBleu(measured.map(({ ngrams }) => ngrams));
  const similarity = meanByCase(generations, caseOf, (generation) => generation.measured?.score.editSimilarity ?? null);
  return [
    measure("bleu", point(bleu.value), bleu.n, "corpus BLEU-4 over all generations that did not fail"),
    measure("edit_similarity", similarity, measured.length, "of generations that did not fail"),
  ];
}

const COPY_FLOORS: readonly (readonly [MetricName, MetricName])[] = [
  ["em", "floor_copy_em"],
  ["em_trim", "floor_copy_em_trim"],
  ["em_no_space", "floor_copy_em_no_space"],
  ["em_no_comment", "floor_copy_em_no_comment"],
  ["bleu", "floor_copy_bleu"],
  ["edit_similarity", "floor_copy_edit_similarity"],
];

/**
 * The same metrics with the pre-review code in place of everything that was generated: what understanding nothing gives
 * (many reviews change a line, or only a comment). A failed generation stays one, so that each floor has the n of its
 * metric. None where nothing was generated, or the run did not record the pre-review code of all that was.
 */
function copyFloors(generations: readonly ScoredGeneration[], caseOf: CaseOf | null): Measure[] {
  const written = generations.filter(({ measured }) => measured !== null);
  if (written.length === 0 || written.some(({ measured }) => measured?.copy === null)) return [];
  const copies = generations.map((generation) => ({ ...generation, measured: copyOf(generation) }));
  const measures = [...matchMeasures(copies, caseOf), ...similarityMeasures(copies, caseOf)];
  return COPY_FLOORS.flatMap(([metric, floor]) =>
    measures
      .filter((copied) => copied.metric === metric)
      .map(({ value, n }) => measure(floor, point(value), n, "the pre-review code, repeated unchanged")),
  );
}

function copyOf({ measured }: ScoredGeneration): MeasuredGeneration | null {
  return measured === null || measured.copy === null ? null : { ...measured.copy, copy: null };
}

/** Score of a generation by the scoring of its probe; as code where the probe has none. */
export async function scoreWritten(
  generation: Generation,
  probe: ProbeDefinition | undefined,
): Promise<Pick<ScoredGeneration, "measured" | "open">> {
  const scoring = probe?.kind === "generation" ? probe.scoring : undefined;
  if (scoring === undefined) return { measured: await measureGeneration(generation) };
  const { outcome, reference, preReview } = generation;
  const score = outcome.status === "failed" ? null : scoring.score(outcome.text, reference);
  return { measured: null, open: { score, reference, preReview: preReview ?? "" } };
}

/** The scores of a generation, and of the pre-review code in its place; `null` for a failed one. */
async function measureGeneration(generation: Generation): Promise<MeasuredGeneration | null> {
  const { outcome, preReview } = generation;
  if (outcome.status === "failed") return null;
  return {
    ...(await measureText(generation, outcome.text)),
    copy: preReview === null ? null : await measureText(generation, preReview),
  };
}

/** Measures of texts, kept once: several runs over the same examples have the same pre-review code, and like answers. */
const MEASURED = new KeptOnce<Promise<MeasuredText>>(1000);

function measureText({ language, reference }: Generation, text: string): Promise<MeasuredText> {
  return MEASURED.made([language, reference, text].join("\0"), async () => {
    const pair = { postReviewLines: reference.split("\n"), generation: text };
    const ngrams = countNgrams(pair);
    return { score: await scoreGeneration({ ...pair, language }, ngrams), ngrams };
  });
}
