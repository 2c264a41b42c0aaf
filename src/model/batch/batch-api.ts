import { z } from "zod";
import { modelUnavailable, type ProbeError } from "../../base/errors.js";
import { errorOfContent, type RequestError } from "../http/request-error.js";
import type { CompletionReply, CompletionRequest, SymbolReply, SymbolRequest } from "../requests.js";
import type { WireReply, WireRequest } from "../wire/ways.js";

/** A batch as it was prepared, and maybe sent. */
export interface SentBatch {
  /** Its name at the service, of which there is one in the world: begins the id of each of its requests. */
  readonly mark: string;
  /** Path of all its requests, such as `/chat/completions`. */
  readonly path: string;
  readonly requests: number;
  /** Of its file. */
  readonly sha256: string;
  /** When it was first to be sent, ms of the time of day. */
  readonly at: number;
}

/** A batch as its service tells of it. */
export interface BatchState {
  readonly id: string;
  /** `refused`: nothing of it was answered, nor will be. */
  readonly status: "under_way" | "ended" | "refused";
  /** Reason of a refusal. */
  readonly reason: string;
  /** `true` where it waits for others to end, or is too large for the account. */
  readonly isTooMuch: boolean;
  /** Time from its beginning to its end, ms; 0 where it is not told. */
  readonly tookMs: number;
  /** Files of its results, in the order in which they are read; none where it has one page of them. */
  readonly files: readonly string[];
}

/** A batch that may be one that was sent. */
export interface Candidate {
  readonly id: string;
  /** `null`: only its results tell. */
  readonly isOurs: true | null;
}

/** Result of one request of a batch, by the id that it was sent with. */
export type BatchResult = { readonly id: string } & (
  | { readonly status: "answered"; readonly reply: WireReply }
  /** It was not answered, nor paid for. */
  | { readonly status: "failed"; readonly error: RequestError }
  /** It was not asked: its time was over, or somebody ended the batch. */
  | { readonly status: "expired" | "cancelled" }
);

/** The batches of a service; each call is one try, and throws RequestError. */
export interface BatchApi {
  /** One request as a line of a batch's file. */
  line(id: string, request: WireRequest): string;
  /** Finds out that there are batches at all. */
  probe(): Promise<void>;
  /** Batches at the service that may be this one. */
  candidates(sent: SentBatch): Promise<readonly Candidate[]>;
  /**
   * Sends a batch.
   * @param mayBeThere parts of it may have been sent before
   * @returns its id
   */
  submit(sent: SentBatch, file: string, mayBeThere: boolean): Promise<string>;
  /** @throws ProbeError `model_unavailable` where the batch is another */
  look(id: string, sent: SentBatch): Promise<BatchState>;
  results(state: BatchState): AsyncGenerator<BatchResult>;
}

/** Requests of one batch at most, whatever a service allows: what is held in memory. */
export const MOST_REQUESTS = 10_000;

/** Ids of services stand in paths: letters, digits, `_` and `-`. */
export const remoteId = z.string().regex(/^[\w-]{1,200}$/);

/** Pages of a list that are read at most. */
export const MOST_PAGES = 100;
const LOOK_BACK_MS = 86_400_000;

/** Time before which no batch is looked at for one that a kill may have lost: clocks differ, ms of the time of day. */
export function oldest({ at }: SentBatch): number {
  return at - LOOK_BACK_MS;
}

/** @throws RequestError `bad_response` for a reply of another shape */
export function parsedReply<T>(schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw errorOfContent(`not what was asked for (${z.prettifyError(parsed.error)})`, JSON.stringify(json) ?? "");
}

/** Error about a batch of somebody else, whoever says that it is this one. */
export function another(expected: string, found: string): ProbeError {
  return modelUnavailable(
    `Expected the batch ${expected}, found ${found}. Nothing was taken from it; look at the service's own list of batches.`,
  );
}

/** Reply to a request of a batch. */
export type BatchReading<Reply> = {
  /** `true` where the service answered it, whatever that was. */
  readonly isPaid: boolean;
} & (
  | { readonly status: "read"; readonly reply: Reply }
  /** To be asked again. */
  | { readonly status: "again"; readonly reason: "expired" | "cancelled"; readonly reply: null }
  /** The same; as `reply` where it has been asked often enough. */
  | { readonly status: "again"; readonly reason: "fault"; readonly reply: Reply }
);

/** A request of a batch, and the reader of its result. */
export interface BatchQuestion<Reply> {
  readonly request: WireRequest;
  /** Reads its result. */
  read(result: BatchResult, durationMs: number): BatchReading<Reply>;
}

/** End of a try to send a batch. */
export type Submission =
  | { readonly status: "submitted"; readonly id: string }
  /** A batch that may be this one is under way: it will tell. */
  | { readonly status: "unclear" };

/** Knowledge of a batch that is about to be sent. */
export interface SubmitOptions {
  /** `true` where it cannot have been sent before. */
  readonly isFirst: boolean;
  /** Ids of batches that are others. */
  readonly taken: ReadonlySet<string>;
}

/** Place where batches are handed in, and their results fetched. */
export interface BatchDesk {
  /** One request as a line of a batch's file. */
  line(id: string, request: WireRequest): string;
  /**
   * Sends a batch, once: wherever it may have been sent before, by a session that was killed or by a try whose reply did
   * not come, it is looked for among the service's batches first.
   * @throws RequestError, ProbeError `model_unavailable`
   */
  submit(sent: SentBatch, file: string, options: SubmitOptions, signal: AbortSignal): Promise<Submission>;
  /**
   * State of a batch.
   * @throws RequestError; ProbeError `model_unavailable` where it is another
   */
  look(id: string, sent: SentBatch, signal: AbortSignal): Promise<BatchState>;
  /**
   * Hands over the results of a batch, in any order; from the first on again where the page was cut short.
   * @param begin makes the taker of one reading of the page
   * @throws RequestError, or what the taker throws
   */
  collect(state: BatchState, begin: () => (result: BatchResult) => Promise<void>): Promise<void>;
}

/** Batches of a model's service. */
export interface ModelBatches {
  /** Name of the service, in messages. */
  readonly service: string;
  readonly mostRequests: number;
  readonly mostBytes: number;
  /** Time between two looks at what is under way, ms. */
  readonly pollMs: number;
  readonly desk: BatchDesk;
  /** A question for the letters of an answer, to be asked in a batch. */
  symbols?(request: SymbolRequest): BatchQuestion<SymbolReply>;
  /** The same for a prompt to be continued. */
  complete?(request: CompletionRequest): BatchQuestion<CompletionReply>;
}
