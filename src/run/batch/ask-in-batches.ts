import { setTimeout as wait } from "node:timers/promises";
import { messageOf, modelUnavailable } from "../../base/errors.js";
import { counted } from "../../base/text.js";
import type { BatchState, ModelBatches } from "../../model/batch/batch-api.js";
import { RequestError } from "../../model/http/request-error.js";
import type { Budget } from "../budget.js";
import type { Performance } from "../suite.js";
import { type BatchLedger, NO_RESULTS, type OpenBatch } from "./batch-ledger.js";
import { collectResults, countsText, Draft, type OpenRequest, type Taker } from "./results.js";

/** Work that is asked in batches. */
export interface BatchWork {
  /** Requests that have no answer, and were not given up in this session. */
  open(isUnderWay: (key: string) => boolean): AsyncGenerator<OpenRequest>;
  /** Readers of results, by the names of their requests. */
  takers(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Taker>>;
}

interface Asking {
  readonly batches: ModelBatches;
  readonly ledger: BatchLedger;
  readonly work: BatchWork;
  readonly session: Performance;
  /** `null`: it may cost anything. */
  readonly budget: Budget | null;
  /** Time after which batches that are under way are left, ms; `null`: they are waited for. */
  readonly leaveAfterMs: number | null;
  readonly now: () => Date;
}

/**
 * Asks work in batches: sends what has no answer, waits, records the results, and sends again what came back without. Ends
 * when all is asked, the signal or the time says so (batches go on at the service), the guard gives the model up, or the
 * money is spent.
 * @returns `true` where the money was spent
 * @throws ProbeError `model_unavailable` where a batch brought nothing
 */
export async function askInBatches(asking: Asking): Promise<boolean> {
  const asker = new BatchAsker(asking);
  try {
    return await asker.ask();
  } catch (error) {
    // Once stopped, what was under way may end in any way.
    if (!asking.session.signal.aborted) throw error;
    asker.tell();
    return false;
  }
}

class BatchAsker {
  readonly #asking: Asking;
  /** Names of the requests under way, by the number of their batch. */
  readonly #keys = new Map<number, ReadonlySet<string>>();
  #mostRequests: number;
  /** The account has as much waiting as it may. */
  #isFull = false;
  #isOutOfMoney = false;
  /** Reason of a batch that brought nothing: no more is sent. */
  #fruitless: string | null = null;

  constructor(asking: Asking) {
    this.#asking = asking;
    this.#mostRequests = asking.batches.mostRequests;
  }

  async ask(): Promise<boolean> {
    const { ledger, session, leaveAfterMs, batches } = this.#asking;
    const { signal } = session;
    await this.#recall();
    const end = leaveAfterMs === null ? Number.POSITIVE_INFINITY : performance.now() + leaveAfterMs;
    for (let isTold = false; ; isTold = true) {
      await this.#work();
      if (session.guard.gaveUp !== null) return false;
      if (ledger.open.length === 0) return this.#end();
      const rest = end - performance.now();
      if (rest <= 0) session.leave({ reason: "under_way", text: this.#underWay });
      else if (signal.aborted || !isTold) this.tell();
      if (signal.aborted || rest <= 0) return false;
      await wait(Math.min(rest, batches.pollMs), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Batches of earlier sessions: their requests, and the money that is reserved for them. */
  async #recall(): Promise<void> {
    const { ledger, budget } = this.#asking;
    for (const batch of ledger.open) {
      budget?.hold(batch.costBound ?? 0);
      this.#keys.set(batch.number, await ledger.keysOf(batch));
    }
  }

  /** Sends and fetches all that can be now. */
  async #work(): Promise<void> {
    const { ledger, session } = this.#asking;
    for (const batch of ledger.open) if (batch.id === null) await this.#submit(batch, false);
    for (const batch of ledger.open) if (batch.id !== null) await this.#collect(batch, batch.id);
    if (session.guard.gaveUp === null && !session.signal.aborted) await this.#sendOpen();
  }

  #end(): boolean {
    if (this.#fruitless === null) return this.#isOutOfMoney;
    throw modelUnavailable(
      `Expected answers from ${this.#fruitless}. When the cause is gone, the same command asks again what has no answer.`,
    );
  }

  /** Tells what is under way. */
  tell(): void {
    const { ledger, session } = this.#asking;
    if (ledger.open.length > 0)
      session.onMessage(`${this.#underWay}. It goes on without this program; the same command fetches what is there.`);
  }

  get #underWay(): string {
    const { ledger, batches } = this.#asking;
    const requests = ledger.open.reduce((sum, each) => sum + each.requests, 0);
    const count = ledger.open.length === 1 ? "1 batch" : `${ledger.open.length} batches`;
    return `${counted(requests, "requests")} in ${count} under way at ${batches.service}`;
  }

  /** Sends what has no answer and is not under way. */
  async #sendOpen(): Promise<void> {
    const { work, budget, ledger, session, batches } = this.#asking;
    this.#isOutOfMoney = false;
    if (ledger.open.length === 0) this.#isFull = false;
    const isUnpriced = budget !== null && ledger.open.some(({ costBound }) => costBound === null);
    if (this.#fruitless !== null || this.#isFull || isUnpriced) return;
    const begin = () => new Draft(ledger.next(), { requests: this.#mostRequests, bytes: batches.mostBytes });
    let draft = begin();
    const isUnderWay = (key: string) => [...this.#keys.values()].some((keys) => keys.has(key));
    for await (const asked of work.open(isUnderWay)) {
      if (session.signal.aborted) return;
      if (budget?.take(asked.most ?? Number.POSITIVE_INFINITY) === false) {
        this.#isOutOfMoney = true;
        break;
      }
      const lineIn = ({ mark }: Draft) => batches.desk.line(`${mark}-${asked.key}`, asked.request);
      if (!draft.fits(asked, lineIn(draft))) {
        await this.#send(draft);
        draft = begin();
      }
      draft.add(asked, lineIn(draft));
    }
    if (!draft.isEmpty) await this.#send(draft);
  }

  async #send(draft: Draft): Promise<void> {
    const { ledger, now } = this.#asking;
    const batch = await ledger.submitting(draft, now());
    this.#keys.set(batch.number, draft.keys);
    await this.#submit(batch, true);
  }

  /** Sends a batch, unless it is there. */
  async #submit(batch: OpenBatch, isFirst: boolean): Promise<void> {
    const { ledger, batches, session, now } = this.#asking;
    const file = await ledger.fileOf(batch);
    const options = { isFirst, taken: ledger.ids };
    try {
      const sent = await batches.desk.submit(batch, file, options, session.signal);
      if (sent.status === "submitted") await ledger.submitted(batch, sent.id, now());
    } catch (error) {
      // Refused by name: it is not there.
      if (error instanceof RequestError && error.trouble === "permanent") await this.#close(batch, 0);
      throw this.#explained(error, `a batch of ${counted(batch.requests, "requests")} to be taken`);
    }
  }

  async #collect(batch: OpenBatch, id: string): Promise<void> {
    const { batches, session } = this.#asking;
    try {
      const state = await batches.desk.look(id, batch, session.signal);
      if (state.status === "refused") await this.#refuse(batch, state);
      if (state.status === "ended") await this.#fetch(batch, state);
    } catch (error) {
      throw this.#explained(error, `the results of the batch ${id}`);
    }
  }

  /** Closes a batch of which nothing was asked. */
  async #refuse(batch: OpenBatch, { reason, isTooMuch }: BatchState): Promise<void> {
    await this.#close(batch, 0);
    const { ledger, session } = this.#asking;
    session.onMessage(`Batch ${batch.number} was refused: ${reason}.`);
    if (!isTooMuch || batch.requests === 1) this.#fruitless = `batch ${batch.number}, found it refused: ${reason}`;
    else if (ledger.open.length > 0) this.#isFull = true;
    else this.#mostRequests = Math.floor(batch.requests / 2);
  }

  async #fetch(batch: OpenBatch, state: BatchState): Promise<void> {
    const { batches, ledger, work, session, now } = this.#asking;
    const takers = await work.takers(this.#keys.get(batch.number) ?? new Set());
    const { counts, cost, lostCost } = await collectResults(batches.desk, batch, state, takers);
    this.#isFull = false;
    this.#settle(batch, cost);
    await ledger.collected(batch, counts, lostCost, now());
    session.onMessage(`Batch ${batch.number}: ${countsText(counts)}.`);
    if (counts.answered + counts.failed === 0)
      this.#fruitless = `batch ${batch.number}, found ${countsText(counts)} (${state.id}, ${state.reason})`;
  }

  /** Closes a batch that was refused as a whole. */
  async #close(batch: OpenBatch, cost: number): Promise<void> {
    const { ledger, now } = this.#asking;
    this.#settle(batch, cost);
    await ledger.collected(batch, { ...NO_RESULTS, refused: batch.requests }, 0, now());
  }

  #settle({ number, costBound }: OpenBatch, cost: number): void {
    this.#keys.delete(number);
    this.#asking.budget?.settle(costBound ?? 0, cost);
  }

  /** Error of a service as a user is told of it. */
  #explained(error: unknown, expected: string): unknown {
    if (!(error instanceof RequestError)) return error;
    const { service } = this.#asking.batches;
    const message = `Expected ${expected} by ${service}, found ${messageOf(error)}. The same command tries again.`;
    return modelUnavailable(message, error);
  }
}
