import { z } from "zod";
import { jsonValue } from "../../base/text.js";
import type { ConversationRequest, Message, ToolDefinition } from "../conversation.js";
import { toldCount } from "./completion-reply.js";
import type { Fields, WireReply } from "./ways.js";

/** Version of the API that is spoken. */
const VERSION = "2023-06-01";

/** Headers of every request to Anthropic's API. */
export function messagesHeaders(apiKey: string | null): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    "anthropic-version": VERSION,
    ...(apiKey !== null && { "x-api-key": apiKey }),
  };
}

/** Messages, tools and choice of a conversation in the words of Anthropic's Messages API. */
export function messagesOf({ messages, tools, toolChoice }: ConversationRequest): Fields {
  const system = messages.flatMap((each) => (each.role === "system" ? [each.content.toWellFormed()] : []));
  return {
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: turnsOf(messages.filter(({ role }) => role !== "system")),
    ...(tools.length > 0 && { tools: tools.map(toolOf), tool_choice: choiceOf(toolChoice) }),
  };
}

/** A tool with its arguments. */
export function toolOf({ name, description, parameters }: ToolDefinition): Fields {
  return { name, description, input_schema: parameters };
}

function choiceOf(choice: ConversationRequest["toolChoice"]): Fields {
  if (choice === "none") return { type: "none" };
  return { type: choice === "required" ? "any" : "auto", disable_parallel_tool_use: true };
}

/** Turns of user and assistant: results of calls belong to one turn of the user. */
function turnsOf(messages: readonly Message[]): Fields[] {
  const turns: { role: string; content: Fields[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

function blocksOf(message: Message): Fields[] {
  switch (message.role) {
    case "tool":
      return [{ type: "tool_result", tool_use_id: message.callId, content: message.content.toWellFormed() }];
    case "assistant": {
      const said = [
        ...textBlock(message.content ?? ""),
        ...message.toolCalls.map(({ id, name, arguments: given }) => ({
          type: "tool_use",
          id,
          name,
          input: inputOf(given),
        })),
      ];
      // Thoughts alone, as of a reply that ended in them, are refused.
      return said.length === 0 ? [] : [...thoughtBlocks(message.thoughts?.[THINKING_BLOCKS]), ...said];
    }
    default:
      return textBlock(message.content);
  }
}

/** Field of a message with the blocks of its thoughts, signed or sealed: calls are refused without them. */
export const THINKING_BLOCKS = "thinking_blocks";

const blocks = z.array(z.looseObject({ type: z.string() }));

function thoughtBlocks(handedBack: unknown): Fields[] {
  return blocks.safeParse(handedBack).data ?? [];
}

/** A text of blanks alone is refused, though models write it before a call. */
function textBlock(text: string): Fields[] {
  return text.trim() === "" ? [] : [{ type: "text", text: text.toWellFormed() }];
}

function inputOf(given: string): unknown {
  const value = jsonValue(given);
  return typeof value === "object" && value !== null ? value : {};
}

const replySchema = z.looseObject({
  id: z.string().nullish(),
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().nullish(),
      thinking: z.string().nullish(),
      id: z.string().nullish(),
      name: z.string().nullish(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string().nullish(),
  usage: z.looseObject({
    input_tokens: toldCount,
    output_tokens: toldCount,
    cache_read_input_tokens: toldCount,
    cache_creation_input_tokens: toldCount,
  }),
});

/** Ends of a message in the words of chat completions. */
const ENDS = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content_filter"],
]);

/** A reply of the Messages API in the shape of a chat completion; one of another shape is left as it is. */
export function chatReplyOfMessage(reply: WireReply): WireReply {
  const { data } = replySchema.safeParse(reply.json);
  if (data === undefined) return reply;
  const { content, usage, stop_reason: reason } = data;
  const joined = (name: "text" | "thinking") => content.map((block) => block[name] ?? "").join("");
  const calls = content
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name, input }) => ({ id, function: { name, arguments: JSON.stringify(input ?? {}) } }));
  const cached = usage.cache_read_input_tokens ?? 0;
  return {
    text: reply.text,
    json: {
      id: data.id,
      choices: [
        {
          finish_reason: ENDS.get(reason ?? "") ?? reason,
          message: {
            content: joined("text"),
            reasoning_content: joined("thinking"),
            [THINKING_BLOCKS]: content.filter(({ type }) => type === "thinking" || type === "redacted_thinking"),
            ...(calls.length > 0 && { tool_calls: calls }),
          },
        },
      ],
      usage: {
        // What came from the cache, or went into it, is counted apart there.
        prompt_tokens:
          usage.input_tokens == null ? null : usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
        completion_tokens: usage.output_tokens,
        prompt_tokens_details: { cached_tokens: cached },
      },
    },
  };
}
