import type { SymbolReply } from "../../../model/requests.js";
import { drawnFirstOrder } from "../../../question/permutations.js";
import type { PromptTemplate } from "../../../question/prompt.js";
import { workAtOnce } from "../../../run/asking.js";
import type { OpenJournal, Performance } from "../../../run/suite.js";
import { ANSWER_JOURNAL, type Answer, type AnswerPlace, isMiss, placeOf } from "../answer/answer.js";
import { assembleAnswer } from "../answer/assemble-answer.js";
import { assembleGeneration, GENERATION_JOURNAL, type Generation } from "../answer/generation.js";
import { requireSameQuestion } from "../answer/question-fields.js";
import { plannedOpenQuestions, plannedQuestions, type RunPlan, templatesByTask } from "./plan.js";
import { type OpenRequest, openRequest, type QuestionOrder, questionOrders } from "./question-requests.js";
import type { ThoughtWriter } from "./thought-writer.js";

/**
 * Asks the multiple-choice questions that the journal does not answer yet, as many at once as the model takes. Ends when
 * all are asked, the signal stops it, or the guard gives the model up.
 */
export async function askQuestions(plan: RunPlan, session: Performance): Promise<void> {
  const templates = templatesByTask(plan);
  const thoughts = new Thoughts(session);
  try {
    await session.withJournal(ANSWER_JOURNAL, (journal) =>
      askEach(session, plannedQuestions(plan), async (question) => {
        const orders = questionOrders(question, templates.get(question.task) as PromptTemplate, plan.request);
        await askQuestion({ plan, session, journal, thoughts }, orders);
      }),
    );
  } finally {
    await thoughts.close();
  }
}

/** Asks one question after the other, as many at once as the model takes. */
async function askEach<T>(
  { model, guard, signal }: Performance,
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

interface Asking {
  readonly plan: RunPlan;
  readonly session: Performance;
  readonly journal: OpenJournal<Answer>;
  readonly thoughts: Thoughts;
}

/** The journal of thoughts; it begins, and what writes it is loaded, with the first reply that has any. */
class Thoughts {
  readonly #session: Performance;
  #writer: Promise<ThoughtWriter> | null = null;

  constructor(session: Performance) {
    this.#session = session;
  }

  async write(order: QuestionOrder, reply: SymbolReply): Promise<void> {
    if (reply.thoughts === undefined) return;
    this.#writer ??= import("./thought-writer.js").then(({ ThoughtWriter }) => ThoughtWriter.open(this.#session));
    await (await this.#writer).write(order, reply);
  }

  async close(): Promise<void> {
    await (await this.#writer)?.close();
  }
}

async function askQuestion(asking: Asking, orders: readonly QuestionOrder[]): Promise<void> {
  const { plan, journal } = asking;
  const open = orders.filter(({ place }) => !isRecorded(journal, place));
  if (open.length < orders.length) await requireSameAnswers(asking, orders);
  if (open.length === 0) return;
  if (!plan.request.earlyStop) {
    await askGroup(asking, open);
    return;
  }
  if (open.length < orders.length && (await hasMiss(journal, open[0]?.place.questionIndex ?? 0))) return;
  // One order at a time, so that which orders are asked does not depend on how many are asked at once.
  for (const order of firstDrawn(plan, orders).filter((each) => open.includes(each))) {
    const [answer] = await askGroup(asking, [order]);
    if (answer !== undefined && isMiss(answer)) return;
  }
}

function isRecorded(journal: OpenJournal<Answer>, asked: AnswerPlace): boolean {
  const { item, place } = placeOf(asked);
  return journal.isDone(item, place);
}

/** The orders with the one that is drawn in front, where one is. */
function firstDrawn({ request }: RunPlan, orders: readonly QuestionOrder[]): readonly QuestionOrder[] {
  const [any] = orders;
  if (request.firstOrder === undefined || any === undefined) return orders;
  const drawn = orders[drawnFirstOrder(any.place, orders.length, request.selection.seed)] ?? any;
  return [drawn, ...orders.filter((each) => each !== drawn)];
}

/** Refuses a journal that answers other prompts than those that are asked. */
async function requireSameAnswers({ journal }: Asking, orders: readonly QuestionOrder[]): Promise<void> {
  for (const answer of await journal.recordsOf(orders[0]?.place.questionIndex ?? 0)) {
    const order = orders.find(({ place }) => place.permutationIndex === answer.permutationIndex);
    if (order === undefined) continue;
    requireSameQuestion(ANSWER_JOURNAL.file, answer, { ...order.place, promptSha256: order.promptSha256 });
  }
}

async function hasMiss(journal: OpenJournal<Answer>, questionIndex: number): Promise<boolean> {
  const answers = await journal.recordsOf(questionIndex);
  return answers.some((answer) => answer.outcome.status !== "failed" && isMiss(answer));
}

/**
 * Asks some orders of a question. Each answer goes to the journal as it comes, without a wait for the one before: those
 * that come together are written together.
 * @returns the answers, in the order in which they came; fewer than were asked when the model is given up
 */
async function askGroup({ session, journal, thoughts }: Asking, group: readonly QuestionOrder[]): Promise<Answer[]> {
  const { model, guard, signal, onRecord } = session;
  if (model.scoreSymbols === undefined) throw new Error("Expected a model that scores symbols.");
  const answers: Answer[] = [];
  const writing: Promise<void>[] = [];
  const faults: unknown[] = [];
  const requests = group.map(({ request }) => request);
  try {
    for await (const { index, reply } of model.scoreSymbols(requests, signal)) {
      const order = group[index];
      if (order === undefined)
        throw new RangeError(`Expected a reply to one of ${group.length} requests, found index ${index}.`);
      const answer = assembleAnswer(order.place, order.shown, reply, order.promptSha256);
      const recorded = () => onRecord({ isFailed: answer.outcome.status === "failed" });
      writing.push(
        thoughts
          .write(order, reply)
          .then(() => journal.append(answer))
          .then(recorded)
          .catch((fault: unknown) => void faults.push(fault)),
      );
      answers.push(answer);
      if (guard.isHopeless(answer) || faults.length > 0) break;
    }
  } finally {
    await Promise.all(writing);
  }
  if (faults.length > 0) throw faults[0];
  return answers;
}

/** Has the model answer the open questions that the journal does not hold yet; ends as `askQuestions` does. */
export async function askOpenQuestions(plan: RunPlan, session: Performance): Promise<void> {
  const templates = templatesByTask(plan);
  await session.withJournal(GENERATION_JOURNAL, (journal) =>
    askEach(session, plannedOpenQuestions(plan), async (question) => {
      const template = templates.get(question.task) as PromptTemplate;
      const asked = openRequest(question, template, plan.request.selection.seed);
      const { task, exampleId, language, changeType } = asked.place;
      for (const recorded of await journal.recordsOf(question.index)) {
        const planned = { task, exampleId, language, changeType, promptSha256: asked.promptSha256 };
        requireSameQuestion(GENERATION_JOURNAL.file, recorded, planned);
      }
      if (!journal.isDone(question.index, 0)) await generate(session, journal, asked);
    }),
  );
}

async function generate(
  { model, guard, signal, onRecord }: Performance,
  journal: OpenJournal<Generation>,
  { place, request, promptSha256 }: OpenRequest,
): Promise<void> {
  if (model.complete === undefined) throw new Error("Expected a model that continues prompts.");
  const generation = assembleGeneration(place, await model.complete(request, signal), promptSha256);
  await journal.append(generation);
  onRecord({ isFailed: generation.outcome.status === "failed" });
  guard.isHopeless(generation);
}
