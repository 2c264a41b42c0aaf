import type { FailedReply } from "../requests.js";

/** The reply for what does not fit the context: never shortened, never shifted. */
export function overflow(what: string, tokens: number, room: number): FailedReply {
  const detail = `${what} has ${tokens} tokens, the context has room for ${room}`;
  return { status: "failed", failure: "context_overflow", detail };
}
