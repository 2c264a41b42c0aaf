import type { Language } from "../../../base/language.js";
import type { ChangeType } from "../../../dataset/example.js";
import type { ProbeDefinition, TextScore } from "../../../question/question.js";
import { type Estimate, meanEstimate, proportion } from "../../../stats/interval.js";
import type { Generation, GenerationStatus } from "../answer/generation.js";
import { corpusBleu, countNgrams, type NgramCounts } from "./bleu.js";
import { MATCHES } from "./exact-matches.js";
import { type GenerationScore, scoreGeneration } from "./generation-score.js";
import type { MetricName } from "./metric-names.js";
import { type Measure, measure, point, type SummaryRow, summariseGroups } from "./summary-row.js";

/** What the summary needs to know of one generation: a few hundred bytes. */
export interface ScoredGeneration {
  readonly task: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  /** The task that its example is a hunk of; absent: it is a cluster of its own. */
  readonly cluster?: string;
  readonly status: GenerationStatus;
  /** As code; `null` for a failed one, and where the probe scores what is written itself. */
  readonly measured: MeasuredGeneration | null;
  /** Where the probe scores what is written itself. */
  readonly open?: OpenAnswer | undefined;
}

/** A written answer that is no code. */
export interface OpenAnswer {
  /** `null`: it failed, or is no answer. */
  readonly score: TextScore | null;
  readonly reference: string;
  readonly preReview: string;
}

/** Whether it is exactly what was to be written. */
export function isExact({ measured, open }: ScoredGeneration): boolean {
  return open === undefined ? measured?.score.em === true : open.score?.em === true;
}

/** What a text scores as the revision of an example. */
interface MeasuredText {
  readonly score: GenerationScore;
  readonly ngrams: NgramCounts;
}

interface MeasuredGeneration extends MeasuredText {
  /** What the pre-review code would have scored in its place; `null` where the run did not record that code. */
  readonly copy: MeasuredText | null;
}

/** All metrics of a probe that has the model write: overall, then by language, then by change type. */
export function summariseGenerations(task: string, generations: readonly ScoredGeneration[]): SummaryRow[] {
  return summariseGroups({ task, difficulty: null }, generations, (members) => [
    ...matchMeasures(members),
    ...similarityMeasures(members),
    ...statusMeasures(members),
    ...copyFloors(members),
  ]);
}

/** A generation that failed counts as no match: leaving it out would reward failing. */
function matchMeasures(generations: readonly ScoredGeneration[]): Measure[] {
  const n = generations.length;
  return MATCHES.map(([metric, key, note]) => {
    const matches = generations.filter(({ measured }) => measured?.score[key] === true).length;
    return measure(metric, proportion(matches, n), n, note);
  });
}

function similarityMeasures(generations: readonly ScoredGeneration[]): Measure[] {
  const measured = generations.flatMap((generation) => (generation.measured === null ? [] : [generation.measured]));
  const bleu = corpusBleu(measured.map(({ ngrams }) => ngrams));
  const similarities = measured.map(({ score }) => score.editSimilarity);
  return [
    measure("bleu", point(bleu.value), bleu.n, "corpus BLEU-4 over all generations that did not fail"),
    measure("edit_similarity", meanEstimate(similarities), similarities.length, "of generations that did not fail"),
  ];
}

/** How generations ended. */
export function statusMeasures(generations: readonly ScoredGeneration[]): Measure[] {
  const n = generations.length;
  const count = (wanted: GenerationStatus) => generations.filter(({ status }) => status === wanted).length;
  const written = n - count("failed");
  const share = (status: GenerationStatus): Estimate | null => proportion(count(status), written);
  return [
    measure("truncated_rate", share("truncated"), written, "cut off at the most tokens allowed"),
    measure("empty_rate", share("empty"), written, "nothing but whitespace"),
    measure("failure_rate", proportion(count("failed"), n), n, "of generations"),
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
function copyFloors(generations: readonly ScoredGeneration[]): Measure[] {
  const written = generations.filter(({ measured }) => measured !== null);
  if (written.length === 0 || written.some(({ measured }) => measured?.copy === null)) return [];
  const copies = generations.map((generation) => ({ ...generation, measured: copyOf(generation) }));
  const measures = [...matchMeasures(copies), ...similarityMeasures(copies)];
  return COPY_FLOORS.flatMap(([metric, floor]) =>
    measures
      .filter((copied) => copied.metric === metric)
      .map(({ value, n }) => measure(floor, point(value), n, "the pre-review code, repeated unchanged")),
  );
}

function copyOf({ measured }: ScoredGeneration): MeasuredGeneration | null {
  return measured === null || measured.copy === null ? null : { ...measured.copy, copy: null };
}

/** What a generation amounts to, by the scoring of its probe; as code where the probe has none. */
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

async function measureText({ language, reference }: Generation, text: string): Promise<MeasuredText> {
  const pair = { postReviewLines: reference.split("\n"), generation: text };
  return { score: await scoreGeneration({ ...pair, language }), ngrams: countNgrams(pair) };
}
