import type { Again } from "../../../model/model.js";
import type { SymbolReply, SymbolRequest } from "../../../model/requests.js";
import { drawnFirstOrder } from "../../../question/permutations.js";
import type { PromptTemplate } from "../../../question/prompt.js";
import type { Question } from "../../../question/question.js";
import { workAtOnce } from "../../../run/asking.js";
import type { OpenJournal, Performance } from "../../../run/suite.js";
import {
  ANSWER_JOURNAL,
  type Answer,
  type AnswerPlace,
  isMiss,
  placeOf,
  requireSameQuestion,
} from "../answer/answer.js";
import { assembleAnswer } from "../answer/assemble-answer.js";
import { assembleGeneration, GENERATION_JOURNAL, type Generation } from "../answer/generation.js";
import type { ThoughtWriter } from "../answer/thoughts.js";
import { plannedOpenQuestions, plannedQuestions, type RunPlan, templatesByTask } from "./plan.js";
import { type OpenRequest, openRequest, type QuestionOrder, questionOrders } from "./question-requests.js";
import type { Spending } from "./spending.js";

/**
 * Asks what the journals do not answer yet, as many at once as the model takes. Ends when all is asked, the signal stops it,
 * the guard gives the model up, or its money is spent.
 */
export async function askAll(plan: RunPlan, session: Performance): Promise<void> {
  const { maxCost = Number.POSITIVE_INFINITY, price, think } = plan.request;
  const spending =
    price === null
      ? null
      : await (await import("./spending.js")).Spending.open({ limit: maxCost, price, think }, session);
  try {
    if (plan.questions > 0) await askQuestions(plan, session, spending);
    if (plan.generations > 0) await askOpenQuestions(plan, session, spending);
  } finally {
    spending?.close();
  }
  if (spending?.budget.isOut === true) session.leave({ reason: "out_of_money", text: spending.text });
}

async function askQuestions(plan: RunPlan, session: Performance, spending: Spending | null): Promise<void> {
  const templates = templatesByTask(plan);
  const thoughts = new Thoughts(session);
  try {
    await session.withJournal(ANSWER_JOURNAL, async (journal) => {
      const asking = { plan, session, journal, thoughts, spending };
      const ask = (question: Question) =>
        askQuestion(asking, questionOrders(question, templates.get(question.task) as PromptTemplate, plan.request));
      if (plan.request.until === undefined) {
        await askEach(asking, plannedQuestions(plan), async (question) => void (await ask(question)));
        return;
      }
      const { askUntilDecided } = await import("./decide.js");
      await askUntilDecided(
        plan,
        session,
        (questions, onAnswered) =>
          askEach(asking, questions, async (question) => onAnswered(question, await allAnswers(asking, question, ask))),
        () => isOver(asking),
      );
    });
  } finally {
    await thoughts.close();
  }
}

/** Answers to a question: those that were recorded before, as far as they were not asked again, and those of now. */
async function allAnswers(
  { journal }: Asking,
  question: Question,
  ask: (question: Question) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const before = await journal.recordsOf(question.index);
  const answers = new Map([...before, ...(await ask(question))].map((answer) => [placeOf(answer).place, answer]));
  return [...answers].sort(([a], [b]) => a - b).map(([, answer]) => answer);
}

/** Money, and what is asked with it. */
type Asked = Pick<Asking, "session" | "spending">;

function isOver({ session: { signal, guard }, spending }: Asked): boolean {
  return signal.aborted || guard.gaveUp !== null || spending?.budget.isOut === true;
}

/** Asks one question after the other, as many at once as the model takes. */
async function askEach<T>(
  asked: Asked,
  questions: AsyncGenerator<T>,
  ask: (question: T) => Promise<void>,
): Promise<void> {
  const { model, signal } = asked.session;
  await workAtOnce(
    questions,
    model.maxOpenGroups,
    () => isOver(asked),
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
  /** `null`: it may cost anything. */
  readonly spending: Spending | null;
}

/** The journal of thoughts; it begins, and what writes it is loaded, with the first reply that has any. */
export class Thoughts {
  readonly #session: Performance;
  #writer: Promise<ThoughtWriter> | null = null;

  constructor(session: Performance) {
    this.#session = session;
  }

  async write(order: QuestionOrder, reply: SymbolReply): Promise<void> {
    if (reply.thoughts === undefined) return;
    this.#writer ??= import("../answer/thoughts.js").then(({ ThoughtWriter }) => ThoughtWriter.open(this.#session));
    await (await this.#writer).write(order, reply);
  }

  async close(): Promise<void> {
    await (await this.#writer)?.close();
  }
}

/** @returns the answers of now */
async function askQuestion(asking: Asking, orders: readonly QuestionOrder[]): Promise<readonly Answer[]> {
  const { plan, journal } = asking;
  const open = orders.filter(({ place }) => !isRecorded(journal, place));
  if (open.length < orders.length) await requireSameAnswers(journal, orders);
  if (open.length === 0) return [];
  if (!plan.request.earlyStop) return askPaid(asking, open);
  if (open.length < orders.length && (await hasMiss(journal, open[0]?.place.questionIndex ?? 0))) return [];
  const answers: Answer[] = [];
  // One order at a time, so that which orders are asked does not depend on how many are asked at once.
  for (const order of firstDrawn(plan, orders).filter((each) => open.includes(each))) {
    const [answer] = await askPaid(asking, [order]);
    if (answer === undefined) break;
    answers.push(answer);
    if (isMiss(answer)) break;
  }
  return answers;
}

export function isRecorded(journal: OpenJournal<Answer>, asked: AnswerPlace): boolean {
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
export async function requireSameAnswers(
  journal: OpenJournal<Answer>,
  orders: readonly QuestionOrder[],
): Promise<void> {
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

/** Asks some orders of a question, as many at once as there is money for. */
async function askPaid(asking: Asking, group: readonly QuestionOrder[]): Promise<Answer[]> {
  const { spending } = asking;
  if (spending === null) return askGroup(asking, group);
  const answers: Answer[] = [];
  for (let asked = 0; asked < group.length && !isOver(asking); ) {
    const rest = group.slice(asked);
    const count = await spending.budget.reserve(rest.map(({ request }) => spending.ofSymbols(request)));
    if (count === 0) break;
    answers.push(...(await askGroup(asking, rest.slice(0, count))));
    asked += count;
  }
  return answers;
}

/**
 * Asks some orders of a question. Each answer goes to the journal as it comes, without a wait for the one before: those
 * that come together are written together.
 * @returns the answers, in the order in which they came; fewer than were asked when the model is given up
 */
async function askGroup(
  { session, journal, thoughts, spending }: Asking,
  group: readonly QuestionOrder[],
): Promise<Answer[]> {
  const { model, guard, signal, onRecord } = session;
  if (model.scoreSymbols === undefined) throw new Error("Expected a model that scores symbols.");
  const answers: Answer[] = [];
  const writing: Promise<void>[] = [];
  const faults: unknown[] = [];
  const requests = group.map(({ request }) => request);
  const open = new Set(group);
  const again = spending === null ? undefined : againOf(spending, requests);
  try {
    for await (const { index, reply } of model.scoreSymbols(requests, signal, again)) {
      const order = group[index];
      if (order === undefined)
        throw new RangeError(`Expected a reply to one of ${group.length} requests, found index ${index}.`);
      open.delete(order);
      const made = assembleAnswer(order.place, order.shown, reply, order.promptSha256);
      const cost = spending?.ofAnswer(made) ?? null;
      const { request } = order;
      const answer = spending?.bounded(made, { request, reply }, spending.ofSymbols(request), cost) ?? made;
      const recorded = () => onRecord({ isFailed: answer.outcome.status === "failed" });
      writing.push(
        thoughts
          .write(order, reply)
          .then(() => journal.append(answer))
          .then(recorded)
          .catch((fault: unknown) => void faults.push(fault))
          .finally(() => spending?.settle(request, spending.ofSymbols(request), cost)),
      );
      answers.push(answer);
      if (guard.isHopeless(answer) || faults.length > 0) break;
    }
  } finally {
    for (const { request } of open) spending?.lose(request, spending.ofSymbols(request));
    await Promise.all(writing);
  }
  if (faults.length > 0) throw faults[0];
  return answers;
}

/** Leave to send a request of a group once more: while there is money. */
function againOf(spending: Spending, requests: readonly SymbolRequest[]): Again {
  return (index) => {
    const request = requests[index];
    return request === undefined || spending.again(request, spending.ofSymbols(request));
  };
}

/** Has the model answer the open questions that the journal does not hold yet; ends as `askAll` does. */
async function askOpenQuestions(plan: RunPlan, session: Performance, spending: Spending | null): Promise<void> {
  const templates = templatesByTask(plan);
  await session.withJournal(GENERATION_JOURNAL, (journal) =>
    askEach({ session, spending }, plannedOpenQuestions(plan), async (question) => {
      const template = templates.get(question.task) as PromptTemplate;
      const asked = openRequest(question, template, plan.request.selection.seed);
      await requireSameGeneration(journal, asked);
      if (!journal.isDone(question.index, 0)) await generate({ session, spending }, journal, asked);
    }),
  );
}

/** Refuses a journal that answers another prompt than the one that is asked. */
export async function requireSameGeneration(
  journal: OpenJournal<Generation>,
  { place, promptSha256 }: OpenRequest,
): Promise<void> {
  const { task, exampleId, language, changeType } = place;
  for (const recorded of await journal.recordsOf(place.generationIndex))
    requireSameQuestion(GENERATION_JOURNAL.file, recorded, { task, exampleId, language, changeType, promptSha256 });
}

async function generate(
  { session: { model, guard, signal, onRecord }, spending }: Asked,
  journal: OpenJournal<Generation>,
  { place, request, promptSha256 }: OpenRequest,
): Promise<void> {
  if (model.complete === undefined) throw new Error("Expected a model that continues prompts.");
  const most = spending?.ofText(request) ?? 0;
  if (spending !== null && (await spending.budget.reserve([most])) === 0) return;
  const again = spending === null ? undefined : () => spending.again(request, most);
  let cost: number | null = null;
  let isRecorded = false;
  try {
    const reply = await model.complete(request, signal, again);
    const generation = assembleGeneration(place, reply, promptSha256);
    if (reply.status === "completed") cost = spending?.cost(reply.promptTokens, reply.tokens) ?? null;
    await journal.append(spending?.bounded(generation, { request, reply }, most, cost) ?? generation);
    isRecorded = true;
    onRecord({ isFailed: generation.outcome.status === "failed" });
    guard.isHopeless(generation);
  } finally {
    if (isRecorded) spending?.settle(request, most, cost);
    else spending?.lose(request, most);
  }
}
