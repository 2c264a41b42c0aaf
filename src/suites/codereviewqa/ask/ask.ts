import type { Model } from "../../../model/model.js";
import { workAtOnce } from "../../../run/at-once.js";
import type { FailureGuard } from "../../../run/failure-guard.js";
import type { JournalIndex } from "../../../store/journal/journal-index.js";
import type { JournalWriter } from "../../../store/journal/journal-writer.js";
import { assembleAnswer } from "../answer/assemble.js";
import { isMiss } from "../answer/miss.js";
import type { Answer } from "../example/answer.js";
import type { Generation } from "../example/generation.js";
import type { PromptTemplate } from "../question/template.js";
import { plannedQuestions, type RunPlan, templatesByTask } from "./plan.js";
import { type QuestionOrder, questionOrders } from "./question-orders.js";

/** How anything is asked in a session. */
export interface AskOptions {
  readonly plan: RunPlan;
  readonly model: Model;
  readonly guard: FailureGuard;
  /** Stops asking; what is under way is finished and recorded. */
  readonly signal: AbortSignal;
  /** Told of every record once it is in its journal. */
  readonly onRecord: (record: Answer | Generation) => void;
}

/** A journal as a session found it, and as it goes on. */
export interface OpenJournal<T> {
  /** What the journal held before this session. */
  readonly index: JournalIndex<T>;
  readonly journal: JournalWriter<T>;
}

type AskChoices = AskOptions & OpenJournal<Answer>;

/**
 * Asks the multiple-choice questions that the journal does not answer yet, as many at once as the model takes. Ends when
 * all are asked, the signal stops it, or the guard gives the model up.
 */
export async function askQuestions(options: AskChoices): Promise<void> {
  const { plan } = options;
  const templates = templatesByTask(plan);
  await askEach(options, plannedQuestions(plan), async (question) => {
    await askQuestion(options, questionOrders(question, templates.get(question.task) as PromptTemplate));
  });
}

/** Asks one question after the other, as many at once as the model takes. */
export async function askEach<T>(
  { model, guard, signal }: AskOptions,
  questions: AsyncGenerator<T>,
  ask: (question: T) => Promise<void>,
): Promise<void> {
  await workAtOnce(
    questions,
    model.maxOpenGroups,
    () => signal.aborted || guard.gaveUp !== null,
    (question) =>
      ask(question).catch((error: unknown) => {
        // Once stopped, what was under way may end in any way.
        if (!signal.aborted) throw error;
      }),
  );
}

async function askQuestion(options: AskChoices, orders: readonly QuestionOrder[]): Promise<void> {
  const open = orders.filter(({ place }) => !options.index.isAnswered(place.questionIndex, place.permutationIndex));
  if (open.length === 0) return;
  if (!options.plan.request.earlyStop) {
    for await (const _ of askGroup(options, open));
    return;
  }
  if (open.length < orders.length && (await hasMiss(options.index, open[0]?.place.questionIndex ?? 0))) return;
  // One order at a time, so that which orders are asked does not depend on how many are asked at once.
  for (const order of open) {
    for await (const answer of askGroup(options, [order])) if (isMiss(answer)) return;
  }
}

async function hasMiss(index: JournalIndex<Answer>, questionIndex: number): Promise<boolean> {
  return (await index.recordsOf(questionIndex)).some((answer) => answer.outcome.status !== "failed" && isMiss(answer));
}

async function* askGroup(
  { model, journal, guard, signal, onRecord }: AskChoices,
  group: readonly QuestionOrder[],
): AsyncGenerator<Answer> {
  if (model.scoreSymbols === undefined) throw new Error("Expected a model that scores symbols.");
  const requests = group.map(({ request }) => request);
  for await (const { index, reply } of model.scoreSymbols(requests, signal)) {
    const order = group[index];
    if (order === undefined)
      throw new RangeError(`Expected a reply to one of ${group.length} requests, found index ${index}.`);
    const answer = assembleAnswer(order.place, order.shown, reply, order.promptSha256);
    await journal.append(answer);
    onRecord(answer);
    if (guard.isHopeless(answer)) return;
    yield answer;
  }
}
