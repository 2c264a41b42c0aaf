import type { CompletionReply, CompletionRequest, SymbolReply, SymbolRequest } from "../requests.js";
import { firstStop } from "../requests.js";

/** Answers without a model. */
export interface Script {
  readonly answer: (request: SymbolRequest) => SymbolReply;
  readonly complete: (request: CompletionRequest) => CompletionReply;
}

const NO_METER = { promptTokens: null, cachedTokens: null, durationMs: 0 };

/** The reply that names a symbol, without probabilities: a script has none. */
export function named(symbol: SymbolRequest["symbols"][number]): SymbolReply {
  return { status: "named", symbol, extraction: "scripted", ...NO_METER };
}

/** The reply of a script that has no answer. */
export function noAnswer(detail: string): SymbolReply {
  return { status: "failed", failure: "refused", detail, ...NO_METER };
}

/** The reply that writes a text, up to a stop text. A script has no tokens: it knows no `maxTokens`. */
export function written(text: string, { stop }: CompletionRequest): CompletionReply {
  const cut = firstStop(text, stop);
  const [kept, end] = cut === -1 ? [text, "end_of_text" as const] : [text.slice(0, cut), "stop" as const];
  return { status: "completed", text: kept, end, tokens: null, promptTokens: null, durationMs: 0 };
}

/** The reply of a script that has no text. */
export function noText(detail: string): CompletionReply {
  return { status: "failed", failure: "refused", detail };
}
