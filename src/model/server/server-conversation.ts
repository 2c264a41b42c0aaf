import type { ConversationReply, ConversationRequest, Said } from "../conversation.js";
import { readSaid } from "../wire/chat-wire.js";
import type { ConversationWay } from "../wire/ways.js";
import type { Question, ServerChannel } from "./server-channel.js";

/** Has a conversation go on. */
export async function converse(
  channel: ServerChannel,
  way: ConversationWay,
  request: ConversationRequest,
  signal: AbortSignal,
): Promise<ConversationReply> {
  signal.throwIfAborted();
  const asked = await channel.ask(conversationQuestion(way, request), channel.pick(), signal);
  if (asked.status === "read") return { status: "said", ...asked.value, durationMs: asked.durationMs };
  const { status, failure, detail } = asked;
  return { status, failure, detail };
}

/** Asks for the next message. */
export function conversationQuestion(
  way: ConversationWay,
  request: ConversationRequest,
): Question<Omit<Said, "durationMs">> {
  return { prompt: "", kind: "raw", request: () => way.request(request), read: readSaid };
}
