import type { CompletionReply, CompletionRequest, SymbolReply, SymbolRequest } from "../requests.js";
import type { WireRequest } from "../wire/ways.js";
import type { BatchResult, BatchState, SentBatch } from "./batch-api.js";

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
