import type { ModelBatches } from "../../../model/batch/batch.js";
import type { PromptTemplate } from "../../../question/prompt.js";
import type { Question } from "../../../question/question.js";
import { askInBatches, type BatchWork } from "../../../run/batch/ask-in-batches.js";
import { BatchLedger } from "../../../run/batch/batch-ledger.js";
import type { OpenRequest, Taker } from "../../../run/batch/results.js";
import type { OpenJournal, Performance } from "../../../run/suite.js";
import { ANSWER_JOURNAL, type Answer, placeOf } from "../answer/answer.js";
import { assembleAnswer } from "../answer/assemble-answer.js";
import { assembleGeneration, GENERATION_JOURNAL, type Generation } from "../answer/generation.js";
import { isRecorded, requireSameAnswers, requireSameGeneration, Thoughts } from "./ask.js";
import { Tries, takerOf } from "./batch-takers.js";
import { plannedOpenQuestions, plannedQuestions, type RunPlan, templatesByTask } from "./plan.js";
import { type OpenRequest as AskedText, openRequest, type QuestionOrder, questionOrders } from "./question-requests.js";
import { Spending } from "./spending.js";

/** Asks what the journals do not answer yet in batches of the model's service; see `askInBatches`. */
export async function askByBatch(plan: RunPlan, session: Performance): Promise<void> {
  const { batches } = session.model;
  if (batches === undefined) throw new Error("Expected a model that was opened for batches.");
  const { price, maxCost, batchWait } = plan.request;
  const ledger = await BatchLedger.open(session.folder, session.fingerprint);
  const thoughts = new Thoughts(session);
  const limit = maxCost ?? Number.POSITIVE_INFINITY;
  try {
    const spending = price === null ? null : await Spending.open(limit, price, session, ledger.lostCost);
    const asking = { plan, session, batches, spending, thoughts };
    await withWork(asking, async (work) => {
      const budget = maxCost === undefined ? null : (spending?.budget ?? null);
      const leaveAfterMs = batchWait === undefined ? null : batchWait * 60_000;
      const isOut = await askInBatches({ batches, ledger, work, session, budget, leaveAfterMs, now: () => new Date() });
      if (isOut && spending !== null) session.leave({ reason: "out_of_money", text: spending.text });
    });
  } finally {
    await thoughts.close();
    await ledger.close();
  }
}

interface Asking {
  readonly plan: RunPlan;
  readonly session: Performance;
  readonly batches: ModelBatches;
  /** `null` where the price is not known. */
  readonly spending: Spending | null;
  readonly thoughts: Thoughts;
}

/** Opens the journals that the plan has for as long as the work takes. */
async function withWork(asking: Asking, ask: (work: BatchWork) => Promise<void>): Promise<void> {
  const { plan, session } = asking;
  const withTexts = (before: readonly BatchWork[]) =>
    plan.generations === 0
      ? ask(joined(before))
      : session.withJournal(GENERATION_JOURNAL, (journal) =>
          ask(joined([...before, new TextBatches(asking, journal)])),
        );
  if (plan.questions === 0) return withTexts([]);
  await session.withJournal(ANSWER_JOURNAL, (journal) => withTexts([new AnswerBatches(asking, journal)]));
}

function joined(parts: readonly BatchWork[]): BatchWork {
  return {
    async *open(isUnderWay) {
      for (const part of parts) yield* part.open(isUnderWay);
    },
    async takers(keys) {
      const maps = await Promise.all(parts.map((part) => part.takers(keys)));
      return new Map(maps.flatMap((map) => [...map]));
    },
  };
}

class AnswerBatches implements BatchWork {
  readonly #asking: Asking;
  readonly #journal: OpenJournal<Answer>;
  readonly #templates: ReadonlyMap<string, PromptTemplate>;
  readonly #tries = new Tries();

  constructor(asking: Asking, journal: OpenJournal<Answer>) {
    this.#asking = asking;
    this.#journal = journal;
    this.#templates = templatesByTask(asking.plan);
  }

  async *open(isUnderWay: (key: string) => boolean): AsyncGenerator<OpenRequest> {
    const { plan, spending } = this.#asking;
    for await (const question of plannedQuestions(plan)) {
      const orders = this.#ordersOf(question);
      const open = orders.filter(({ place }) => !isRecorded(this.#journal, place));
      if (open.length < orders.length) await requireSameAnswers(this.#journal, orders);
      for (const order of open) {
        const key = answerKey(order);
        if (isUnderWay(key) || this.#tries.isOver(key)) continue;
        yield { key, request: this.#question(order).request, most: spending?.ofSymbols(order.request) ?? null };
      }
    }
  }

  async takers(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Taker>> {
    const takers = new Map<string, Taker>();
    const items = itemsOf(keys, ANSWER_KEY);
    if (items.size === 0) return takers;
    for await (const question of plannedQuestions(this.#asking.plan)) {
      if (!items.has(question.index)) continue;
      for (const order of this.#ordersOf(question)) {
        const key = answerKey(order);
        if (keys.has(key)) takers.set(key, this.#taker(key, order));
      }
    }
    return takers;
  }

  #ordersOf(question: Question): readonly QuestionOrder[] {
    const { request } = this.#asking.plan;
    return questionOrders(question, this.#templates.get(question.task) as PromptTemplate, request);
  }

  #question({ request }: QuestionOrder) {
    const { symbols } = this.#asking.batches;
    if (symbols === undefined) throw new Error("Expected a model that scores symbols.");
    return symbols(request);
  }

  #taker(key: string, order: QuestionOrder): Taker {
    const { spending, thoughts } = this.#asking;
    return takerOf(this.#asking, this.#tries, {
      key,
      most: spending?.ofSymbols(order.request) ?? null,
      question: this.#question(order),
      journal: this.#journal,
      isDone: () => isRecorded(this.#journal, order.place),
      record: (reply) => assembleAnswer(order.place, order.shown, reply, order.promptSha256),
      costOf: (answer) => spending?.ofAnswer(answer) ?? null,
      before: (reply) => thoughts.write(order, reply),
    });
  }
}

class TextBatches implements BatchWork {
  readonly #asking: Asking;
  readonly #journal: OpenJournal<Generation>;
  readonly #templates: ReadonlyMap<string, PromptTemplate>;
  readonly #tries = new Tries();

  constructor(asking: Asking, journal: OpenJournal<Generation>) {
    this.#asking = asking;
    this.#journal = journal;
    this.#templates = templatesByTask(asking.plan);
  }

  async *open(isUnderWay: (key: string) => boolean): AsyncGenerator<OpenRequest> {
    const { spending } = this.#asking;
    for await (const asked of this.#asked()) {
      await requireSameGeneration(this.#journal, asked);
      const key = textKey(asked);
      if (this.#isDone(asked) || isUnderWay(key) || this.#tries.isOver(key)) continue;
      yield { key, request: this.#question(asked).request, most: spending?.ofText(asked.request) ?? null };
    }
  }

  async takers(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Taker>> {
    const takers = new Map<string, Taker>();
    if (itemsOf(keys, TEXT_KEY).size === 0) return takers;
    for await (const asked of this.#asked()) {
      const key = textKey(asked);
      if (keys.has(key)) takers.set(key, this.#taker(key, asked));
    }
    return takers;
  }

  async *#asked(): AsyncGenerator<AskedText> {
    const { plan } = this.#asking;
    const { seed } = plan.request.selection;
    for await (const question of plannedOpenQuestions(plan))
      yield openRequest(question, this.#templates.get(question.task) as PromptTemplate, seed);
  }

  #isDone({ place }: AskedText): boolean {
    return this.#journal.isDone(place.generationIndex, 0);
  }

  #question({ request }: AskedText) {
    const { complete } = this.#asking.batches;
    if (complete === undefined) throw new Error("Expected a model that continues prompts.");
    return complete(request);
  }

  #taker(key: string, asked: AskedText): Taker {
    const { spending } = this.#asking;
    return takerOf(this.#asking, this.#tries, {
      key,
      most: spending?.ofText(asked.request) ?? null,
      question: this.#question(asked),
      journal: this.#journal,
      isDone: () => this.#isDone(asked),
      record: (reply) => assembleGeneration(asked.place, reply, asked.promptSha256),
      costOf: (_, reply) => {
        const tokens = reply.status === "completed" ? reply : null;
        return spending?.cost(tokens?.promptTokens ?? null, tokens?.tokens ?? null) ?? null;
      },
    });
  }
}

const ANSWER_KEY = /^a(\d+)-\d+$/;
const TEXT_KEY = /^g(\d+)$/;

/** Name of the request of an order, such as `a12-5`. */
function answerKey({ place: asked }: QuestionOrder): string {
  const { item, place } = placeOf(asked);
  return `a${item}-${place}`;
}

function textKey({ place }: AskedText): string {
  return `g${place.generationIndex}`;
}

function itemsOf(keys: ReadonlySet<string>, pattern: RegExp): ReadonlySet<number> {
  return new Set([...keys].flatMap((key) => pattern.exec(key)?.[1] ?? []).map(Number));
}
