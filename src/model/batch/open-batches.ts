import { badInput, messageOf } from "../../base/errors.js";
import { sha256 } from "../../base/sha256.js";
import { Endpoint, type PatienceOptions } from "../http/endpoint.js";
import { publicUrl } from "../http/public-url.js";
import { RequestError } from "../http/request-error.js";
import type {
  Completion,
  CompletionReply,
  CompletionRequest,
  FailedReply,
  SymbolReply,
  SymbolRequest,
} from "../requests.js";
import { ReplyGuard } from "../server/server-channel.js";
import type { UntimedReply } from "../server/server-symbols.js";
import { type Vendor, withoutBatches } from "../vendor/vendors.js";
import type { Question } from "../wire/questions.js";
import type { WireRequest } from "../wire/ways.js";
import {
  type BatchApi,
  type BatchDesk,
  type BatchQuestion,
  type BatchReading,
  type BatchResult,
  type BatchState,
  MOST_REQUESTS,
  type ModelBatches,
  type SentBatch,
  type Submission,
  type SubmitOptions,
} from "./batch-api.js";
import type { BatchAccess } from "./result-lines.js";

/** Bytes of one batch at most, whatever a service allows: what is held in memory. */
const MOST_BYTES = 32_000_000;
/** Time for a batch to be sent, ms. */
const SENDING_MS = 600_000;

export interface BatchParts {
  readonly vendor: Vendor;
  readonly baseUrls: readonly string[];
  readonly batches: ((access: BatchAccess) => Promise<BatchApi>) | undefined;
  readonly access: Omit<BatchAccess, "baseUrl">;
  readonly patience: PatienceOptions;
  readonly pollMs: number;
  readonly signal: AbortSignal;
  readonly symbols: ((request: SymbolRequest) => Question<UntimedReply>) | null;
  readonly complete: ((request: CompletionRequest) => Question<Omit<Completion, "durationMs">>) | null;
}

/**
 * Opens the batches of a model's service.
 * @throws ProbeError `bad_input` where it has none
 */
export async function openBatches(parts: BatchParts): Promise<ModelBatches> {
  const { vendor, baseUrls, batches, access, patience, pollMs, signal } = parts;
  const { batch: terms, service } = vendor;
  const [baseUrl, ...others] = baseUrls;
  if (others.length > 0)
    throw badInput(`Expected one server for --batch, found ${baseUrls.length}. Name one --base-url.`);
  if (terms === undefined || batches === undefined || baseUrl === undefined)
    throw withoutBatches(publicUrl(baseUrl ?? vendor.baseUrl));
  const api = await batches({ ...access, baseUrl, timeoutMs: Math.max(access.timeoutMs, SENDING_MS) });
  const endpoint = new Endpoint(baseUrl, patience);
  await endpoint
    .send(() => api.probe(), signal)
    .catch((error: unknown) => {
      throw error instanceof RequestError && error.trouble === "permanent"
        ? withoutBatches(`${publicUrl(baseUrl)}: ${messageOf(error)}`)
        : error;
    });
  const guard = new ReplyGuard();
  const { symbols, complete } = parts;
  return {
    service,
    mostRequests: Math.min(terms.requests, MOST_REQUESTS),
    mostBytes: Math.min(terms.bytes, MOST_BYTES),
    pollMs,
    desk: new ServiceDesk({ api, endpoint, settleMs: pollMs, now: Date.now, sleep: patience.sleep }),
    ...(symbols && {
      symbols: (request) =>
        batchQuestion<UntimedReply, SymbolReply>({
          question: symbols(request),
          guard,
          finish: (value, durationMs) => ({ ...value, durationMs }),
          fail: (reply, durationMs) => ({ ...reply, promptTokens: null, cachedTokens: null, durationMs }),
        }),
    }),
    ...(complete && {
      complete: (request) =>
        batchQuestion<Omit<Completion, "durationMs">, CompletionReply>({
          question: complete(request),
          guard,
          finish: (value, durationMs) => ({ status: "completed", ...value, durationMs }),
          fail: (reply) => reply,
        }),
    }),
  };
}

interface Readers<Value, Reply> {
  readonly question: Question<Value>;
  readonly guard: ReplyGuard;
  readonly finish: (value: Value, durationMs: number) => Reply;
  readonly fail: (reply: FailedReply, durationMs: number) => Reply;
}

function batchQuestion<Value, Reply>({ question, guard, ...make }: Readers<Value, Reply>): BatchQuestion<Reply> {
  const request = question.request(question.prompt.toWellFormed());
  const unanswered = (error: RequestError, durationMs: number, isPaid: boolean): BatchReading<Reply> => {
    const detail = `batch, POST ${request.path}: ${error.message}`;
    const reply = make.fail({ status: "failed", failure: error.failure, detail }, durationMs);
    return error.trouble === "permanent"
      ? { status: "read", reply, isPaid }
      : { status: "again", reason: "fault", reply, isPaid };
  };
  return {
    request,
    read(result, durationMs) {
      if (result.status === "failed") return unanswered(result.error, durationMs, false);
      if (result.status !== "answered") return { status: "again", reason: result.status, reply: null, isPaid: false };
      try {
        guard.check(result.reply, null);
        return { status: "read", reply: make.finish(question.read(result.reply), durationMs), isPaid: true };
      } catch (error) {
        if (error instanceof RequestError) return unanswered(error, durationMs, true);
        throw error;
      }
    },
  };
}

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
class ServiceDesk implements BatchDesk {
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
