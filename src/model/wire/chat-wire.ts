import { z } from "zod";
import type { Message, Said } from "../conversation.js";
import { errorOfContent } from "../http/request-error.js";
import {
  chatMessage,
  generatedTokens,
  requireAnswered,
  thoughtsApart,
  usage,
  withoutThoughts,
} from "./completion-reply.js";
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
  /** Absent: nothing is said of thoughts. */
  readonly thinking?: TalkThinking;
}

/** Thoughts before each message of a conversation. */
export interface TalkThinking {
  /** Parameters that ask for them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** `false`: none are asked for. */
  readonly isAsked: boolean;
  /** Names of those parameters without which they would not be those that were asked for. */
  readonly keeps: readonly string[];
  /** Tokens beside those of the message. */
  readonly room: number;
  readonly handedBack: readonly string[];
}

const NO_THINKING: TalkThinking = { fields: {}, isAsked: false, keeps: [], room: 0, handedBack: [] };

/** Field of calls, not of their message, by which thoughts are handed back. */
const OF_CALLS = "extra_content";

/** Chat completions of OpenAI's API, with tools. */
export function chatWay(options: ChatOptions): ConversationWay {
  const { model, path, limit, alwaysSeed, takesOneCall, thinking = NO_THINKING } = options;
  const { fields, isAsked, keeps, room, handedBack } = thinking;
  return {
    name: `chat completions with tools, ${limit}`,
    keeps: [limit, ...keeps],
    thinks: isAsked,
    handedBack,
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
        [limit]: maxTokens + room,
        temperature,
        ...fields,
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
    case "assistant": {
      const { [OF_CALLS]: ofCalls, ...thoughts } = message.thoughts ?? {};
      const sealed = Array.isArray(ofCalls) ? ofCalls : [];
      return {
        role: "assistant",
        content: message.content?.toWellFormed() ?? "",
        ...thoughts,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: given }, i) => ({
            id,
            type: "function",
            function: { name, arguments: given },
            ...(sealed[i] != null && { [OF_CALLS]: sealed[i] }),
          })),
        }),
      };
    }
    default:
      return { role: message.role, content: message.content.toWellFormed() };
  }
}

const replySchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        error: z.unknown().optional(),
        message: chatMessage
          .extend({
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
          })
          .nullish(),
      }),
    )
    .min(1),
  usage,
});

/** Length of a whole reply, at most: a journal must be read again. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Reads a message of a chat completion.
 * @param way by which it was asked for
 * @throws RequestError `refused`, or `bad_response` when it is none, or longer than any
 */
export function readSaid(
  { json, text }: WireReply,
  { thinks = false, handedBack = [] }: Pick<ConversationWay, "thinks" | "handedBack"> = {},
): Omit<Said, "durationMs"> {
  if (text.length > MOST_CHARACTERS)
    throw errorOfContent(`a message in ${text.length} characters, more than ${MOST_CHARACTERS}`, text);
  const { data } = replySchema.safeParse(json);
  const first = data?.choices[0];
  // A filter may have left no message.
  if (first !== undefined) requireAnswered(first, text);
  if (data === undefined || first?.message == null) throw errorOfContent("without a message", text);
  const { message, finish_reason: reason } = first;
  const content = message.content ?? "";
  const said = thinks ? withoutThoughts(content, thoughtsApart(message)).text : content;
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: called }, i) => ({
    id: id == null || id === "" ? `call-${i}` : id,
    name: called.name,
    arguments:
      typeof called.arguments === "object" ? JSON.stringify(called.arguments ?? {}) : (called.arguments ?? "{}"),
  }));
  return {
    text: said === "" ? null : said,
    toolCalls,
    ...thoughtsOf(message, handedBack),
    promptTokens: data.usage?.prompt_tokens ?? null,
    completionTokens: generatedTokens(data.usage),
    end: reason === "length" ? "length" : toolCalls.length > 0 ? "tool_calls" : "stop",
  };
}

type WireMessage = NonNullable<z.infer<typeof replySchema>["choices"][number]["message"]>;

/** Thoughts of a message as they are handed back; none where it has none. */
function thoughtsOf(message: WireMessage, handedBack: readonly string[]): Pick<Said, "thoughts"> {
  const ofCalls = (message.tool_calls ?? []).map((call) => call[OF_CALLS] ?? null);
  const found = handedBack.flatMap((name): [string, unknown][] => {
    const value = name === OF_CALLS ? ofCalls : message[name];
    const isEmpty = value == null || value === "" || (Array.isArray(value) && value.every((each) => each === null));
    return isEmpty ? [] : [[name, value]];
  });
  return found.length === 0 ? {} : { thoughts: Object.fromEntries(found) };
}

const partText = z.looseObject({ text: z.string().nullish() });
const part = z.looseObject({ type: z.string(), text: z.string().nullish(), thinking: z.array(partText).nullish() });
const inParts = z.looseObject({ message: z.looseObject({ content: z.array(part) }) });
const partedReply = z.looseObject({ choices: z.array(z.unknown()).min(1) });

/**
 * A chat completion whose message comes in parts, as of Mistral's models that think: its text in one piece, its thoughts in
 * `reasoning_content`. Any other reply is left as it is.
 */
export function joinedParts(reply: WireReply): WireReply {
  const { data } = partedReply.safeParse(reply.json);
  if (data === undefined || !data.choices.some((choice) => inParts.safeParse(choice).success)) return reply;
  return { ...reply, json: { ...data, choices: data.choices.map(joined) } };
}

function joined(choice: unknown): unknown {
  const { data } = inParts.safeParse(choice);
  if (data === undefined) return choice;
  const { content, ...message } = data.message;
  const textOf = (parts: readonly z.infer<typeof partText>[]) => parts.map((each) => each.text ?? "").join("");
  return {
    ...data,
    message: {
      ...message,
      content: textOf(content.filter(({ type }) => type === "text")),
      reasoning_content: textOf(content.flatMap(({ thinking }) => thinking ?? [])),
    },
  };
}
