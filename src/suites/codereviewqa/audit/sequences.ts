import { modelUnavailable, type ProbeError } from "../../../base/errors.js";
import { hash32 } from "../../../base/random.js";
import { DIFFICULTIES, type Difficulty, type Example } from "../../../dataset/example.js";
import type { TokenReply } from "../../../model/requests.js";
import { commonStem, fillTemplate, loadTemplate, type PromptTemplate } from "../../../question/prompt.js";
import type { ChoiceProbe, ProbeDefinition } from "../../../question/question.js";
import { isAsked } from "../../../question/question-build.js";
import { loadSyntax } from "../../../syntax/load.js";
import { renameIdentifiers } from "../../../syntax/rename.js";
import type { AuditRecord } from "./audit-record.js";
import type { AuditedReview, Benchmark } from "./benchmark.js";
import { type AuditForm, formKey, type SequenceForm, type StartMode, sequenceScore } from "./sequence-score.js";

/** A form of an audit, and how its texts are made. */
export interface PlannedForm extends SequenceForm {
  readonly template: PromptTemplate;
  /** `null` for ACR. */
  readonly probe: ChoiceProbe | null;
}

/** A text to be scored, or why there is none. */
export interface AuditSequence extends SequenceForm {
  readonly exampleId: string;
  readonly language: AuditedReview["language"];
  /** `null`: the code has no identifier to rename. */
  readonly text: string | null;
  /** Characters that differ from ACR's text, which is as long; `null` for other forms. */
  readonly renamedCharacters: number | null;
}

/** The forms asked for, in the order of the tables. */
export async function planForms(
  probes: readonly ProbeDefinition[],
  difficulties: readonly Difficulty[],
  renamed: boolean,
): Promise<PlannedForm[]> {
  const asked = difficulties.length === 0 ? DIFFICULTIES : difficulties;
  const forms = await Promise.all(
    probes.map(async (probe): Promise<PlannedForm[]> => {
      const template = await loadTemplate(probe.task);
      const plain = { template, task: probe.task };
      if (probe.kind === "generation") {
        const acr = (form: AuditForm) => ({ ...plain, form, difficulty: null, probe: null });
        return [acr("ACR"), ...(renamed ? [acr("ACR_RENAMED")] : [])];
      }
      const stem = { ...plain, form: "MCQA" as const, probe, template: stemTemplate(template) };
      const levels = probe.difficulties.filter((difficulty) => asked.includes(difficulty));
      return probe.difficulties.length === 0
        ? [{ ...stem, difficulty: null }]
        : levels.map((difficulty) => ({ ...stem, difficulty }));
    }),
  );
  return forms.flat().sort((a, b) => Number(a.form === "MCQA") - Number(b.form === "MCQA"));
}

/** The forms that a benchmark can have: code reviews without options have no questions. */
export function formsOf({ holds }: Pick<Benchmark, "holds">, forms: readonly PlannedForm[]): PlannedForm[] {
  return forms.filter(({ form }) => holds === "questions" || form !== "MCQA");
}

/** Stem and options (paper §8: the solution of a multiple-choice probe is its options), without the call for an answer. */
function stemTemplate(template: PromptTemplate): PromptTemplate {
  const last = [...template.text.matchAll(/\{option_[a-d]\}/g)].at(-1);
  if (last === undefined) throw new Error(`Template ${template.id} shows no options.`);
  return { ...template, text: template.text.slice(0, last.index + last[0].length) };
}

/** The forms that a review has: an SI question is not asked of deletions, say. */
export function eligibleForms({ example }: AuditedReview, forms: readonly PlannedForm[]): PlannedForm[] {
  return forms.filter(
    ({ probe, difficulty }) => probe === null || (example !== null && isAsked({ probe, difficulty }, example)),
  );
}

/** The texts of a review, one a form: prompt and solution (spec §8). */
export async function sequencesOf(
  review: AuditedReview,
  forms: readonly PlannedForm[],
  seed: number,
): Promise<AuditSequence[]> {
  const { id: exampleId, language } = review;
  const sequences = eligibleForms(review, forms).map(async (planned): Promise<AuditSequence> => {
    const { form, task, difficulty } = planned;
    return { exampleId, language, form, task, difficulty, ...(await textOf(review, planned, seed)) };
  });
  return Promise.all(sequences);
}

type SequenceText = Pick<AuditSequence, "text" | "renamedCharacters">;

async function textOf(review: AuditedReview, planned: PlannedForm, seed: number): Promise<SequenceText> {
  const { form, probe, template, difficulty } = planned;
  if (form === "ACR_RENAMED") return renamedText(review, template, seed);
  if (probe === null) return { text: acrText(review, template), renamedCharacters: null };
  const text = review.example === null ? null : questionText(review.example, probe, template, difficulty);
  return { text, renamedCharacters: null };
}

async function renamedText(review: AuditedReview, template: PromptTemplate, seed: number): Promise<SequenceText> {
  const renamed = await renamedReview(review, seed);
  if (renamed === null) return { text: null, renamedCharacters: null };
  const [before, text] = [acrText(review, template), acrText(renamed, template)];
  let renamedCharacters = 0;
  for (let i = 0; i < text.length; i++) if (text[i] !== before[i]) renamedCharacters++;
  return { text, renamedCharacters };
}

type ReviewOfCode = Pick<AuditedReview, "language" | "preReviewLines" | "postReviewLines" | "review">;

/** ACR prompt and post-review code. Code alone, which nothing was asked of and nothing stood before, is its own text. */
function acrText(review: ReviewOfCode, template: PromptTemplate): string {
  if (review.review === "" && review.preReviewLines.length === 0) return review.postReviewLines.join("\n");
  return fillTemplate(template, commonStem(review)) + review.postReviewLines.join("\n");
}

/** The options stand in their first order, the right one at A. */
function questionText(
  example: Example,
  probe: ChoiceProbe,
  template: PromptTemplate,
  difficulty: Difficulty | null,
): string {
  const options = probe.options(example, difficulty).map((option, i) => [`option_${"abcd"[i]}`, option] as const);
  return fillTemplate(template, { ...Object.fromEntries(options), ...probe.stem(example) });
}

async function renamedReview(review: AuditedReview, seed: number): Promise<ReviewOfCode | null> {
  const syntax = await loadSyntax(review.language);
  const texts = {
    preReviewCode: review.preReviewLines.join("\n"),
    postReviewCode: review.postReviewLines.join("\n"),
    review: review.review,
  };
  const renamed = renameIdentifiers(syntax, texts, hash32(review.id, seed));
  if (renamed === null) return null;
  return {
    language: review.language,
    preReviewLines: linesOf(renamed.preReviewCode, review.preReviewLines.length),
    postReviewLines: linesOf(renamed.postReviewCode, review.postReviewLines.length),
    review: renamed.review,
  };
}

/** Code of no lines and code of one empty line are the same text. */
function linesOf(code: string, count: number): string[] {
  return code.split("\n").slice(0, count);
}

/** Seed of the n-grams' drawn starting points: a text's own, whatever was scored before. */
function seedOf(sequence: AuditSequence, seed: number): number {
  return hash32(`${sequence.exampleId}\u0000${formKey(sequence)}`, seed);
}

/** A text, and the benchmark it is of. */
export interface PlacedSequence {
  readonly benchmark: number;
  readonly sequence: AuditSequence;
}

export interface ScoringOptions {
  readonly scoreTokens: (text: string, signal: AbortSignal) => Promise<TokenReply>;
  /** Texts under way at once. */
  readonly concurrency: number;
  readonly starts: StartMode;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/**
 * Scores texts, several at once, and yields their records in the order of the texts. Ends where the signal is aborted.
 * Memory: the texts under way.
 * @throws ProbeError `model_unavailable` when the model is gone; what was yielded before stands
 */
export function scoreSequences(
  sequences: AsyncIterable<PlacedSequence>,
  options: ScoringOptions,
): AsyncGenerator<AuditRecord> {
  return inOrder(sequences, options, (placed) => scoreOne(placed, options));
}

async function scoreOne({ benchmark, sequence }: PlacedSequence, options: ScoringOptions): Promise<AuditRecord> {
  const { exampleId, language, form, task, difficulty } = sequence;
  return { benchmark, exampleId, language, form, task, difficulty, outcome: await scoredText(sequence, options) };
}

async function scoredText(sequence: AuditSequence, options: ScoringOptions): Promise<AuditRecord["outcome"]> {
  const { text, renamedCharacters } = sequence;
  if (text === null) return { status: "not_renamed" };
  const reply = await options.scoreTokens(text, options.signal);
  if (reply.status === "failed") {
    const { failure, detail } = reply;
    if (failure === "unavailable") throw unavailable(detail);
    return { status: "failed", failure, detail };
  }
  const score = sequenceScore(text, reply, { mode: options.starts, seed: seedOf(sequence, options.seed) });
  if (score !== null) return { status: "scored", ...score, renamedCharacters };
  const detail = "the model predicts no token of the text, or gives one the probability 0";
  return { status: "failed", failure: "bad_response", detail };
}

function unavailable(detail: string): ProbeError {
  return modelUnavailable(
    `Expected the model to score all texts, found: ${detail}. What is scored is kept: the same command goes on.`,
  );
}

/**
 * Works on several items at once and yields the results in the order of the items. Stops taking items when the signal is
 * aborted; work that fails because of that is not an error. Memory: `concurrency` items.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<Outcome<R>>[] = [];
  for await (const item of items) {
    if (signal.aborted) break;
    underWay.push(outcomeOf(work(item)));
    const first = underWay.length >= concurrency ? underWay.shift() : undefined;
    if (first === undefined) continue;
    const outcome = await first;
    if (!outcome.done && signal.aborted) return;
    yield resultOf(outcome);
  }
  for (const each of underWay) {
    const outcome = await each;
    if (!outcome.done && signal.aborted) return;
    yield resultOf(outcome);
  }
}

type Outcome<R> = { readonly done: true; readonly result: R } | { readonly done: false; readonly error: unknown };

/** A failure waits for its turn, so that no rejection is left alone. */
function outcomeOf<R>(work: Promise<R>): Promise<Outcome<R>> {
  return work.then(
    (result) => ({ done: true, result }),
    (error: unknown) => ({ done: false, error }),
  );
}

function resultOf<R>(outcome: Outcome<R>): R {
  if (outcome.done) return outcome.result;
  throw outcome.error;
}
