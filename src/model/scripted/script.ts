import type { SymbolReply, SymbolRequest } from "../model.js";

/** Answers one request without a model. */
export type Script = (request: SymbolRequest) => SymbolReply;

const NO_METER = { promptTokens: null, cachedTokens: null, durationMs: 0 };

/** The reply that names a symbol, without probabilities: a script has none. */
export function named(symbol: SymbolRequest["symbols"][number]): SymbolReply {
  return { status: "named", symbol, extraction: "scripted", ...NO_METER };
}

/** The reply of a script that has no answer. */
export function noAnswer(detail: string): SymbolReply {
  return { status: "failed", failure: "refused", detail, ...NO_METER };
}
