import type { CompletionReply, CompletionRequest, SymbolReply, SymbolRequest } from "../requests.js";
import type { WireRequest } from "../wire/ways.js";
import type { BatchResult } from "./batch-api.js";
import type { BatchDesk } from "./batch-desk.js";

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
  read(result: BatchResult, durationMs: number): BatchReading<Reply>;
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
  symbols?(request: SymbolRequest): BatchQuestion<SymbolReply>;
  complete?(request: CompletionRequest): BatchQuestion<CompletionReply>;
}
