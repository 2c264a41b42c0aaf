import type { ModelBatches } from "../../../model/batch/batch-api.js";
import type { CompletionReply, SymbolReply } from "../../../model/requests.js";
import type { PromptTemplate } from "../../../question/prompt.js";
import { askInBatches, type BatchWork } from "../../../run/batch/ask-in-batches.js";
import { BatchLedger } from "../../../run/batch/batch-ledger.js";
import type { Taker } from "../../../run/batch/results.js";
import type { OpenJournal, Performance } from "../../../run/suite.js";
import { ANSWER_JOURNAL, type Answer, placeOf } from "../answer/answer.js";
import { assembleAnswer } from "../answer/assemble-answer.js";
import { assembleGeneration, GENERATION_JOURNAL, type Generation } from "../answer/generation.js";
import { isRecorded, requireSameAnswers, requireSameGeneration, Thoughts } from "./ask.js";
import { type TakerParts, Tries, takerOf } from "./batch-takers.js";
import { plannedOpenQuestions, plannedQuestions, type RunPlan, templatesByTask } from "./plan.js";
import { openRequest, type QuestionOrder, questionOrders } from "./question-requests.js";
import { Spending } from "./spending.js";

/** Asks what the journals do not answer yet in batches of the model's service; see `askInBatches`. */
export async function askByBatch(plan: RunPlan, session: Performance): Promise<void> {
  const { batches } = session.model;
  if (batches === undefined) throw new Error("Expected a model that was opened for batches.");
  const { price, maxCost, batchWait, think } = plan.request;
  const ledger = await BatchLedger.open(session.folder, session.fingerprint);
  const thoughts = new Thoughts(session);
  const limit = maxCost ?? Number.POSITIVE_INFINITY;
  try {
    const spending = price === null ? null : await Spending.open({ limit, price, think }, session, ledger.lostCost);
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
      : session.withJournal(GENERATION_JOURNAL, (journal) => ask(joined([...before, textBatches(asking, journal)])));
  if (plan.questions === 0) return withTexts([]);
  await session.withJournal(ANSWER_JOURNAL, (journal) => withTexts([answerBatches(asking, journal)]));
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

/**
 * Requests of one journal.
 * @param keys pattern of their names, with the item
 * @param planned those of some items; `null`: of all, each held against what the journal has of it
 */
function batchesOf<Reply, Kept extends Answer | Generation>(
  asking: Asking,
  keys: RegExp,
  planned: (items: ReadonlySet<number> | null) => AsyncGenerator<TakerParts<Reply, Kept>>,
): BatchWork {
  const tries = new Tries();
  return {
    async *open(isUnderWay) {
      for await (const { key, most, question, isDone } of planned(null)) {
        if (isDone() || isUnderWay(key) || tries.isOver(key)) continue;
        yield { key, request: question().request, most };
      }
    },
    async takers(wanted) {
      const takers = new Map<string, Taker>();
      const items = itemsOf(wanted, keys);
      if (items.size === 0) return takers;
      for await (const each of planned(items)) {
        if (wanted.has(each.key)) takers.set(each.key, takerOf(asking.session, tries, each));
      }
      return takers;
    },
  };
}

/** Requests for letters, named such as `a12-5`. */
function answerBatches(asking: Asking, journal: OpenJournal<Answer>): BatchWork {
  const { plan, batches, spending, thoughts } = asking;
  const templates = templatesByTask(plan);
  return batchesOf(asking, /^a(\d+)-\d+$/, async function* (items): AsyncGenerator<TakerParts<SymbolReply, Answer>> {
    for await (const asked of plannedQuestions(plan)) {
      if (items?.has(asked.index) === false) continue;
      const orders = questionOrders(asked, templates.get(asked.task) as PromptTemplate, plan.request);
      const isDone = ({ place }: QuestionOrder) => isRecorded(journal, place);
      if (items === null && orders.some(isDone)) await requireSameAnswers(journal, orders);
      for (const order of orders) {
        const { item, place } = placeOf(order.place);
        yield {
          key: `a${item}-${place}`,
          most: spending?.ofSymbols(order.request) ?? null,
          question() {
            if (batches.symbols === undefined) throw new Error("Expected a model that scores symbols.");
            return batches.symbols(order.request);
          },
          journal,
          isDone: () => isDone(order),
          record: (reply) => assembleAnswer(order.place, order.shown, reply, order.promptSha256),
          costOf: (answer) => spending?.ofAnswer(answer) ?? null,
          before: (reply) => thoughts.write(order, reply),
        };
      }
    }
  });
}

/** Requests for texts, named such as `g12`. */
function textBatches(asking: Asking, journal: OpenJournal<Generation>): BatchWork {
  const { plan, batches, spending } = asking;
  const templates = templatesByTask(plan);
  return batchesOf(asking, /^g(\d+)$/, async function* (items): AsyncGenerator<
    TakerParts<CompletionReply, Generation>
  > {
    for await (const question of plannedOpenQuestions(plan)) {
      if (items?.has(question.index) === false) continue;
      const template = templates.get(question.task) as PromptTemplate;
      const asked = openRequest(question, template, plan.request.selection.seed);
      if (items === null) await requireSameGeneration(journal, asked);
      yield {
        key: `g${asked.place.generationIndex}`,
        most: spending?.ofText(asked.request) ?? null,
        question() {
          if (batches.complete === undefined) throw new Error("Expected a model that continues prompts.");
          return batches.complete(asked.request);
        },
        journal,
        isDone: () => journal.isDone(asked.place.generationIndex, 0),
        record: (reply) => assembleGeneration(asked.place, reply, asked.promptSha256),
        costOf: (_, reply) => {
          const tokens = reply.status === "completed" ? reply : null;
          return spending?.cost(tokens?.promptTokens ?? null, tokens?.tokens ?? null) ?? null;
        },
      };
    }
  });
}

function itemsOf(keys: ReadonlySet<string>, pattern: RegExp): ReadonlySet<number> {
  return new Set([...keys].flatMap((key) => pattern.exec(key)?.[1] ?? []).map(Number));
}
