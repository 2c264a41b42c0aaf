import { assembleAnswer } from "../answer/assemble.js";
import type { Answer } from "../domain/answer.js";
import type { Model } from "../model/model.js";
import type { PromptTemplate } from "../prompt/template.js";
import type { JournalWriter } from "../result/journal.js";
import type { JournalIndex } from "../result/journal-index.js";
import { plannedQuestions, type RunPlan } from "./plan.js";
import { type QuestionOrder, questionOrders } from "./question-orders.js";

export interface AskOptions {
  readonly plan: RunPlan;
  readonly model: Model;
  /** What the journal held before this session. */
  readonly index: JournalIndex;
  readonly journal: JournalWriter;
  /** Stops asking; what is under way is finished and recorded. */
  readonly signal: AbortSignal;
  /** Told of every answer once it is in the journal. */
  readonly onAnswer: (answer: Answer) => void;
}

/** Identical failures in a row after which the model is given up. */
const MAX_SAME_FAILURES = 20;
const REQUEST_HASH = /; request sha256 [0-9a-f]{64}$/;

/** Why the model was given up. */
export interface GaveUp {
  readonly detail: string;
  readonly failures: number;
}

/**
 * Asks what the journal does not answer yet, question by question, as many at once as the model takes. Memory: the
 * questions under way.
 * @returns why the model was given up, or `null` when everything was asked or the signal stopped it
 */
export async function askQuestions(options: AskOptions): Promise<GaveUp | null> {
  const questions = plannedQuestions(options.plan);
  const guard = new FailureGuard();
  const templates = new Map(options.plan.forms.map(({ probe, template }) => [probe.task, template]));
  let failed: unknown = null;
  const worker = async () => {
    while (!options.signal.aborted && guard.gaveUp === null && failed === null) {
      const next = await questions.next();
      if (next.done === true) return;
      const template = templates.get(next.value.task) as PromptTemplate;
      await askQuestion(options, questionOrders(next.value, template), guard);
    }
  };
  const workers = Array.from({ length: options.model.maxOpenGroups }, () =>
    worker().catch((error: unknown) => {
      if (!options.signal.aborted) failed ??= error;
    }),
  );
  // Every worker is waited for: what is under way when one of them stops is still recorded.
  await Promise.all(workers);
  await questions.return(undefined);
  if (failed !== null) throw failed;
  return guard.gaveUp;
}

async function askQuestion(options: AskOptions, orders: readonly QuestionOrder[], guard: FailureGuard): Promise<void> {
  const open = orders.filter(({ place }) => !options.index.isAnswered(place.questionIndex, place.permutationIndex));
  if (open.length === 0) return;
  if (!options.plan.request.earlyStop) {
    for await (const _ of askGroup(options, open, guard));
    return;
  }
  if (open.length < orders.length && (await hasMiss(options.index, open[0]?.place.questionIndex ?? 0))) return;
  // One order at a time, so that which orders are asked does not depend on how many are asked at once.
  for (const order of open) {
    for await (const answer of askGroup(options, [order], guard)) if (isMiss(answer)) return;
  }
}

async function hasMiss(index: JournalIndex, questionIndex: number): Promise<boolean> {
  return (await index.answersTo(questionIndex)).some((answer) => answer.outcome.status !== "failed" && isMiss(answer));
}

function isMiss({ outcome }: Answer): boolean {
  return outcome.status !== "chosen" || !outcome.correct;
}

async function* askGroup(
  { model, journal, signal, onAnswer }: AskOptions,
  group: readonly QuestionOrder[],
  guard: FailureGuard,
): AsyncGenerator<Answer> {
  if (model.scoreSymbols === undefined) throw new Error("Expected a model that scores symbols.");
  const requests = group.map(({ request }) => request);
  for await (const { index, reply } of model.scoreSymbols(requests, signal)) {
    const order = group[index];
    if (order === undefined)
      throw new RangeError(`Expected a reply to one of ${group.length} requests, found index ${index}.`);
    const answer = assembleAnswer(order.place, order.shown, reply, order.promptSha256);
    await journal.append(answer);
    onAnswer(answer);
    if (guard.isHopeless(answer)) return;
    yield answer;
  }
}

/** Ends a run whose model fails the same way again and again. */
class FailureGuard {
  gaveUp: GaveUp | null = null;
  #last = "";
  #count = 0;

  /** Notes an answer; whether to stop asking. */
  isHopeless({ outcome }: Answer): boolean {
    // The request's hash differs from answer to answer.
    const detail =
      outcome.status === "failed" && outcome.failure === "unavailable" ? outcome.detail.replace(REQUEST_HASH, "") : "";
    this.#count = detail !== "" && detail === this.#last ? this.#count + 1 : 1;
    this.#last = detail;
    if (detail !== "" && this.#count >= MAX_SAME_FAILURES) this.gaveUp = { detail, failures: this.#count };
    return this.gaveUp !== null;
  }
}
