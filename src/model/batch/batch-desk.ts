import { sha256 } from "../../base/sha256.js";
import type { Endpoint } from "../http/endpoint.js";
import type { WireRequest } from "../wire/ways.js";
import type { BatchDesk, Submission, SubmitOptions } from "./batch.js";
import type { BatchApi, BatchResult, BatchState, SentBatch } from "./batch-api.js";

interface DeskParts {
  readonly api: BatchApi;
  readonly endpoint: Endpoint;
  /** Time before a batch that is not listed is taken for one that was never sent, ms. */
  readonly settleMs: number;
  /** The time of day, ms. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The desk of a service, with the patience of any request. */
export class ServiceDesk implements BatchDesk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  line(id: string, request: WireRequest): string {
    return this.#parts.api.line(id, request);
  }

  submit(sent: SentBatch, file: string, { isFirst, taken }: SubmitOptions, signal: AbortSignal): Promise<Submission> {
    const { api, endpoint, now } = this.#parts;
    if (sha256(file) !== sent.sha256) throw new Error("Expected the file of the batch.");
    let lastTry = isFirst ? null : sent.at;
    return endpoint.send(async (): Promise<Submission> => {
      const mayBeThere = lastTry !== null;
      if (lastTry !== null) {
        const found = await this.#find(sent, taken, lastTry, signal);
        if (found !== null) return found;
      }
      lastTry = now();
      return { status: "submitted", id: await api.submit(sent, file, mayBeThere) };
    }, signal);
  }

  /** The batch among those of the service; looked for once more where it may be too new to be listed. */
  async #find(
    sent: SentBatch,
    taken: ReadonlySet<string>,
    lastTry: number,
    signal: AbortSignal,
  ): Promise<Submission | null> {
    const { settleMs, now, sleep } = this.#parts;
    const found = await this.#listed(sent, taken);
    if (found !== null) return found;
    const rest = lastTry + settleMs - now();
    if (rest <= 0) return null;
    await sleep(Math.min(rest, settleMs), signal);
    return this.#listed(sent, taken);
  }

  async #listed(sent: SentBatch, taken: ReadonlySet<string>): Promise<Submission | null> {
    const { api } = this.#parts;
    let isUnclear = false;
    for (const { id, isOurs } of await api.candidates(sent)) {
      if (taken.has(id)) continue;
      if (isOurs === true) return { status: "submitted", id };
      const state = await api.look(id, sent);
      if (state.status === "under_way") isUnclear = true;
      else if (await this.#isOurs(state, sent)) return { status: "submitted", id };
    }
    return isUnclear ? { status: "unclear" } : null;
  }

  /** Tests if the first result of a batch has an id of this one. */
  async #isOurs(state: BatchState, { mark }: SentBatch): Promise<boolean> {
    for await (const { id } of this.#parts.api.results(state)) return id.startsWith(`${mark}-`);
    return false;
  }

  look(id: string, sent: SentBatch, signal: AbortSignal): Promise<BatchState> {
    return this.#parts.endpoint.send(() => this.#parts.api.look(id, sent), signal);
  }

  collect(state: BatchState, begin: () => (result: BatchResult) => Promise<void>): Promise<void> {
    // Results that are there are fetched even when the run is told to stop: they are paid for.
    const { signal } = new AbortController();
    return this.#parts.endpoint.send(async () => {
      const take = begin();
      for await (const result of this.#parts.api.results(state)) await take(result);
    }, signal);
  }
}
