import { basename } from "node:path";
import { promptName } from "../base/language.js";
import type { Example } from "../dataset/example.js";
import type { QuestionForm } from "../dataset/official-record.js";
import type { Triple } from "../dataset/triple.js";
import { coloursByLine } from "../syntax/colours.js";
import type { Choice, Decision, QuestionChoice } from "./decision.js";
import {
  QUESTION_REASON_TEXTS,
  QUESTION_REASONS,
  type QuestionReason,
  REASON_TEXTS,
  REASONS,
  type Reason,
} from "./decision.js";
import type { DecisionStore, DecisionsFile } from "./decisions-file.js";
import { diffRows } from "./diff-rows.js";
import type { ReviewExample } from "./review-examples.js";
import type { ReviewState, Saved, ShownExample, ShownRow, Verdict } from "./review-protocol.js";
import type { DistractorOrigin } from "./shown-questions.js";
import { type AskedQuestion, shownQuestions } from "./shown-questions.js";

interface SessionRequest {
  /** Path of the data. */
  readonly file: string;
  readonly annotator: string;
  /** Examples that are reviewed, in order. */
  readonly examples: readonly ReviewExample[];
  readonly store: DecisionStore;
  /** The questions as a model is asked them. */
  readonly questionsOf: (example: Example) => readonly AskedQuestion[];
  /** Origins of SI distractors, by example. */
  readonly origins: ReadonlyMap<string, DistractorOrigin>;
  /** Decisions of others, shown to those who resolve conflicts. */
  readonly earlier: readonly DecisionsFile[];
}

/** Progress of a review. */
export interface ReviewSummary {
  readonly kept: number;
  /** Reasons in their order; those met only. */
  readonly dropped: readonly { readonly reason: Reason; readonly count: number }[];
  readonly undecided: number;
  /** Questions that were dropped by themselves; those reasons that were met. */
  readonly questions: readonly { readonly reason: QuestionReason; readonly count: number }[];
}

/** A review under way: what the page can ask for and what it can tell. */
export class ReviewSession {
  readonly #request: SessionRequest;
  readonly #ids: ReadonlySet<string>;

  constructor(request: SessionRequest) {
    this.#request = request;
    this.#ids = new Set(request.examples.map(({ id }) => id));
  }

  state(): ReviewState {
    const { file, annotator, examples, store } = this.#request;
    return {
      file: basename(file),
      savedTo: store.path,
      annotator,
      reasons: REASONS.map((reason) => ({ reason, ...REASON_TEXTS[reason] })),
      questionReasons: QUESTION_REASONS.map((reason) => ({ reason, ...QUESTION_REASON_TEXTS[reason] })),
      examples: examples.map(({ id }) => ({ id, verdict: verdictOf(store.decisions.get(id)) })),
    };
  }

  /** @param position from 0; `null` is returned where there is none */
  async show(position: number): Promise<ShownExample | null> {
    const { examples, store, earlier, questionsOf, origins } = this.#request;
    const example = examples[position];
    if (example === undefined) return null;
    const { id, triple } = example;
    return {
      id,
      language: promptName(triple.language),
      repo: triple.repo ?? null,
      source: triple.source ?? null,
      license: triple.license ?? null,
      review: triple.review,
      rows: await colouredRows(triple),
      questions: shownQuestions(example.options, questionsOf, origins.get(id), store.questions.get(id) ?? NONE),
      earlier: earlier.flatMap(({ header, decisions }) => {
        const verdict = verdictOf(decisions.get(id));
        return verdict === null ? [] : [{ annotator: header.annotator, ...verdict }];
      }),
      verdict: verdictOf(store.decisions.get(id)),
      note: store.noteOf(id),
    };
  }

  has(exampleId: string): boolean {
    return this.#ids.has(exampleId);
  }

  /** Resolves when it is on disk. */
  async decide(exampleId: string, choice: Choice, note: string): Promise<Saved> {
    return { saved: true, verdict: verdictOf(await this.#request.store.decide(exampleId, choice, note)) };
  }

  /** Resolves when it is on disk. */
  async decideQuestion(exampleId: string, question: QuestionForm, choice: QuestionChoice): Promise<Saved> {
    const { store } = this.#request;
    await store.decideQuestion(exampleId, question, choice);
    return { saved: true, verdict: verdictOf(store.decisions.get(exampleId)) };
  }

  /** Resolves when it is on disk. */
  async note(exampleId: string, note: string): Promise<Saved> {
    const { store } = this.#request;
    await store.note(exampleId, note);
    return { saved: true, verdict: verdictOf(store.decisions.get(exampleId)) };
  }

  #droppedQuestions(reason: QuestionReason): number {
    const { examples, store } = this.#request;
    return examples
      .flatMap(({ id }) => [...(store.questions.get(id)?.values() ?? [])])
      .filter((dropped) => dropped === reason).length;
  }

  summary(): ReviewSummary {
    const { examples, store } = this.#request;
    const verdicts = examples.map(({ id }) => store.decisions.get(id));
    const count = (wanted: (decision: Decision | undefined) => boolean) => verdicts.filter(wanted).length;
    return {
      kept: count((decision) => decision?.decision === "keep"),
      dropped: REASONS.map((reason) => ({ reason, count: count((decision) => decision?.reason === reason) })).filter(
        (drop) => drop.count > 0,
      ),
      undecided: count((decision) => decision === undefined),
      questions: QUESTION_REASONS.map((reason) => ({ reason, count: this.#droppedQuestions(reason) })).filter(
        (drop) => drop.count > 0,
      ),
    };
  }
}

const NONE: ReadonlyMap<string, QuestionReason> = new Map();

function verdictOf(decision: Decision | undefined): Verdict | null {
  if (decision === undefined) return null;
  const { note } = decision;
  return decision.decision === "keep"
    ? { decision: "keep", reason: null, note }
    : { decision: "drop", reason: decision.reason, note };
}

async function colouredRows({ preReviewLines, postReviewLines, language }: Triple): Promise<ShownRow[]> {
  const [before, after] = await Promise.all([
    coloursByLine(preReviewLines, language),
    coloursByLine(postReviewLines, language),
  ]);
  return diffRows(preReviewLines, postReviewLines).map((row) => {
    const colours = row.before === null ? after[(row.after ?? 0) - 1] : before[row.before - 1];
    return { ...row, colours: colours ?? "" };
  });
}
