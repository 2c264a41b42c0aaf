import { z } from "zod";
import type { Message, Said } from "../conversation.js";
import { errorOfContent } from "../http/request-error.js";
import { requireAnswered, usage } from "./completion-reply.js";
import type { ConversationWay, WireReply } from "./ways.js";

/** Name of the limit in a body. */
export type LimitName = "max_tokens" | "max_completion_tokens";

interface ChatOptions {
  readonly model: string;
  readonly path: string;
  readonly limit: LimitName;
  /** `true` for a server that knows `seed` also of a greedy reply. */
  readonly alwaysSeed: boolean;
  /** `true` for a server that can be told that one call a message is enough; some models' servers refuse it. */
  readonly takesOneCall: boolean;
}

/** Chat completions of OpenAI's API, with tools. */
export function chatWay({ model, path, limit, alwaysSeed, takesOneCall }: ChatOptions): ConversationWay {
  return {
    name: `chat completions with tools, ${limit}`,
    keeps: [limit],
    request: ({ messages, tools, toolChoice, maxTokens, temperature, seed, responseFormat }) => ({
      path,
      body: {
        model,
        messages: messages.map(wireMessage),
        ...(tools.length > 0 && {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, description, parameters },
          })),
          tool_choice: toolChoice,
          ...(takesOneCall && { parallel_tool_calls: false }),
        }),
        [limit]: maxTokens,
        temperature,
        ...((temperature > 0 || alwaysSeed) && { seed }),
        ...(responseFormat === "json" && { response_format: { type: "json_object" } }),
      },
    }),
  };
}

function wireMessage(message: Message): Readonly<Record<string, unknown>> {
  switch (message.role) {
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content.toWellFormed() };
    case "assistant":
      return {
        role: "assistant",
        content: message.content?.toWellFormed() ?? "",
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: given }) => ({
            id,
            type: "function",
            function: { name, arguments: given },
          })),
        }),
      };
    default:
      return { role: message.role, content: message.content.toWellFormed() };
  }
}

const replySchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.looseObject({
                id: z.string().nullish(),
                // Some servers hand the arguments over as an object.
                function: z.looseObject({
                  name: z.string(),
                  arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
                }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage,
});

/** Length of a whole reply, at most: a journal must be read again. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Reads a message of a chat completion.
 * @throws RequestError `refused`, or `bad_response` when it is none, or longer than any
 */
export function readSaid({ json, text }: WireReply): Omit<Said, "durationMs"> {
  if (text.length > MOST_CHARACTERS)
    throw errorOfContent(`a message in ${text.length} characters, more than ${MOST_CHARACTERS}`, text);
  const { data } = replySchema.safeParse(json);
  const first = data?.choices[0];
  if (data === undefined || first === undefined) throw errorOfContent("without a message", text);
  const { message, finish_reason: reason } = first;
  requireAnswered(reason, message.refusal);
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: called }, i) => ({
    id: id == null || id === "" ? `call-${i}` : id,
    name: called.name,
    arguments:
      typeof called.arguments === "object" ? JSON.stringify(called.arguments ?? {}) : (called.arguments ?? "{}"),
  }));
  return {
    text: message.content == null || message.content === "" ? null : message.content,
    toolCalls,
    promptTokens: data.usage?.prompt_tokens ?? null,
    completionTokens: data.usage?.completion_tokens ?? null,
    end: reason === "length" ? "length" : toolCalls.length > 0 ? "tool_calls" : "stop",
  };
}
