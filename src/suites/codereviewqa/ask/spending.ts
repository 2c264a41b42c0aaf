import { join } from "node:path";
import { writesLetters } from "../../../model/check/check-report.js";
import { costOf, type Price } from "../../../model/prices.js";
import {
  type CompletionReply,
  type CompletionRequest,
  replyLimit,
  type SymbolReply,
  type SymbolRequest,
  type Think,
  thoughtLimit,
} from "../../../model/requests.js";
import { Budget, UnderWay } from "../../../run/budget.js";
import { recordedPrice } from "../../../run/run-suite.js";
import type { Performance } from "../../../run/suite.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import { ANSWER_JOURNAL, type Answer } from "../answer/answer.js";
import { GENERATION_JOURNAL, type Generation } from "../answer/generation.js";
import { answerCost, generationCost, isUnanswered } from "../record/tally.js";

/** Tokens that a template may put around a prompt, and those of an answer in a structure. */
const TEMPLATE_TOKENS = 512;
const ANSWER_TOKENS = 64;

/** Limit of money, and what it is spent by. */
interface SpendingTerms {
  /** Infinity: none, but what each record may have cost is kept, for a session with one. */
  readonly limit: number;
  readonly price: Price;
  readonly think?: Think | undefined;
}

/** Money that a run spends, and may spend (`--max-cost`): all sessions of it together. */
export class Spending {
  readonly budget: Budget;
  readonly #price: Price;
  /** The most tokens of thoughts before a text. */
  readonly #thoughts: number;
  /** Letters are read from what the model writes, maybe behind thoughts that nobody asked for. */
  readonly #isWritten: boolean;
  /** `null`: there is no limit, or batches keep account of what is under way themselves. */
  readonly #underWay: UnderWay | null;
  /** Tries of requests that money was reserved for, besides the first. */
  readonly #more = new WeakMap<object, number>();

  private constructor(budget: Budget, { price, think }: SpendingTerms, isWritten: boolean, underWay: UnderWay | null) {
    this.budget = budget;
    this.#price = price;
    this.#thoughts = thoughtLimit(think);
    this.#isWritten = isWritten;
    this.#underWay = underWay;
  }

  /**
   * Counts what earlier sessions spent, where there is a limit: every record of the journals, also those that were asked
   * again, and what was under way at a kill.
   * @param lost cost of answers of batches that no journal has; `null`: no batches
   */
  static async open(
    terms: SpendingTerms,
    session: Pick<Performance, "folder" | "fingerprint" | "model">,
    lost: number | null = null,
  ): Promise<Spending> {
    const isLimited = terms.limit < Number.POSITIVE_INFINITY;
    const underWay = lost === null && isLimited ? await UnderWay.open(session.folder) : null;
    const { check } = session.model;
    const isWritten = check !== undefined && writesLetters(check);
    const spent = isLimited ? (await recordedCost(terms, session)) + (lost ?? 0) + (underWay?.lost ?? 0) : 0;
    const budget = new Budget(terms.limit, spent, (reserved) => underWay?.reach(reserved));
    return new Spending(budget, terms, isWritten, underWay);
  }

  /**
   * The most that a request may cost. No tokenizer makes more tokens of a text than it has bytes; thoughts that are continued
   * are sent again for each letter that is read behind them.
   */
  ofSymbols({ prompt, think, trace = 1 }: SymbolRequest): number {
    const [input, thoughts] = [Buffer.byteLength(prompt) + TEMPLATE_TOKENS, thoughtLimit(think)];
    if (this.#isWritten) return costOf(this.#price, input, replyLimit(think));
    const again = thoughts === 0 ? 0 : trace * (input + thoughts);
    return costOf(this.#price, input + again, thoughts + ANSWER_TOKENS + trace);
  }

  ofText({ prompt, maxTokens }: CompletionRequest): number {
    return costOf(this.#price, Buffer.byteLength(prompt) + TEMPLATE_TOKENS, maxTokens + this.#thoughts);
  }

  /** Reserves for one more try of a request whose last may be paid for; `false`: there is no money for it. */
  again(request: object, most: number): boolean {
    if (!this.budget.again(most)) return false;
    this.#more.set(request, (this.#more.get(request) ?? 0) + 1);
    return true;
  }

  /**
   * A record with the most that all tries of its request may have cost, where that is not known.
   * @param cost of its reply; `null`: not known
   */
  bounded<T extends Answer | Generation>(
    record: T,
    { request, reply }: { readonly request: object; readonly reply: SymbolReply | CompletionReply },
    most: number,
    cost: number | null,
  ): T {
    const more = this.#moreOf(request, most);
    const isUnpaid = reply.status === "failed" && reply.mayBePaid !== true && isUnanswered(record);
    const isKnown = more === 0 && (cost !== null || isUnpaid);
    return isKnown ? record : { ...record, costBound: (cost ?? most) + more };
  }

  /** Settles all that was reserved for a request, once it is recorded: up to then a kill would lose it. */
  settle(request: object, most: number, cost: number | null): void {
    const more = this.#moreOf(request, most);
    this.budget.settle(most + more, (cost ?? most) + more);
  }

  /** Settles a request that may have been sent, and will have no record: it is as dear as it can be. */
  lose(request: object, most: number): void {
    this.#underWay?.lose(most + this.#moreOf(request, most));
    this.settle(request, most, null);
  }

  /** Ends the session: nothing is under way any more. */
  close(): void {
    this.#underWay?.close();
  }

  #moreOf(request: object, most: number): number {
    return most * (this.#more.get(request) ?? 0);
  }

  /** Cost of an answer; `null`: its tokens are not told. */
  ofAnswer(answer: Answer): number | null {
    const { outcome, promptTokens, completionTokens = outcome.status === "failed" ? null : 1 } = answer;
    const { paidPromptTokens = promptTokens, paidCompletionTokens = completionTokens } = answer;
    return this.cost(paidPromptTokens, paidCompletionTokens);
  }

  /** Cost of tokens; `null`: not known. */
  cost(promptTokens: number | null, completionTokens: number | null): number | null {
    return promptTokens === null || completionTokens === null
      ? null
      : costOf(this.#price, promptTokens, completionTokens);
  }

  /** Such as `4.98 of 5 USD spent`. */
  get text(): string {
    return `${Number(this.budget.spent.toPrecision(4))} of ${this.budget.limit} ${this.#price.currency} spent`;
  }
}

/** Cost of all records of the journals, at the most where it is not known. */
async function recordedCost(
  { price }: SpendingTerms,
  session: Pick<Performance, "folder" | "fingerprint">,
): Promise<number> {
  const told = recordedPrice(price);
  const answers = await spentIn(session, ANSWER_JOURNAL, (each) => each.costBound ?? answerCost(each, told) ?? 0);
  const texts = await spentIn(session, GENERATION_JOURNAL, (each) => each.costBound ?? generationCost(each, told) ?? 0);
  return answers + texts;
}

async function spentIn<T>(
  { folder, fingerprint }: Pick<Performance, "folder" | "fingerprint">,
  codec: FolderCodec<T>,
  cost: (record: T) => number,
): Promise<number> {
  let spent = 0;
  for await (const { record } of readJournal(join(folder, codec.file), codec, { identity: { fingerprint } }))
    spent += cost(record);
  return spent;
}
