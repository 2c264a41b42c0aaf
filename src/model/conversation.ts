import { z } from "zod";
import { durationMs, failedReply, tokenCount } from "./requests.js";

const text = z.string();
const count = z.int().nonnegative();

/** Schema of a tool. */
const toolDefinition = z
  .strictObject({
    name: text,
    description: text,
    /** JSON Schema of its arguments: an object. */
    parameters: z.record(text, z.unknown()).readonly(),
  })
  .readonly();
/** Something a model may call. */
export type ToolDefinition = z.infer<typeof toolDefinition>;

const toolCall = z
  .strictObject({
    /** Id of its own among the calls of its message. */
    id: text,
    name: text,
    /** Text as the model wrote it: meant to be a JSON object. */
    arguments: text,
  })
  .readonly();
/** A call of a tool. */
export type ToolCall = z.infer<typeof toolCall>;

const toolCalls = z.array(toolCall).readonly();

/** Thoughts in the form of the service, which wants them back with the message; absent: it gave none, or wants none. */
const thoughts = z.record(text, z.unknown()).readonly().exactOptional();

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.enum(["system", "user"]), content: text }).readonly(),
  z.strictObject({ role: z.literal("assistant"), content: text.nullable(), toolCalls, thoughts }).readonly(),
  z.strictObject({ role: z.literal("tool"), callId: text, name: text, content: text }).readonly(),
]);
/** One message of a conversation. */
export type Message = z.infer<typeof message>;

const conversationKey = z
  .object({
    taskId: text,
    condition: text,
    trial: count,
    attempt: count,
    /** Replies before this one in its attempt. */
    turn: count,
  })
  .readonly();
/** Place of a request in a run. */
export type ConversationKey = z.infer<typeof conversationKey>;

/** Schema of a request for a message. */
export const conversationRequest = z
  .strictObject({
    messages: z.array(message).readonly(),
    tools: z.array(toolDefinition).readonly(),
    /** `required`: the reply has to be a call. */
    toolChoice: z.enum(["auto", "required", "none"]),
    /** Limit of the reply. */
    maxTokens: count,
    /** 0: greedy. */
    temperature: z.number().nonnegative(),
    seed: count,
    /** `json`: one JSON object; `null`: any text. */
    responseFormat: z.literal("json").nullable(),
    /** Place in a run: for models that answer from a file. */
    key: conversationKey.exactOptional(),
  })
  .readonly();
/** A conversation so far, and the limits of its next message. */
export type ConversationRequest = z.infer<typeof conversationRequest>;

const said = {
  /** `null`: nothing but calls. */
  text: text.nullable(),
  toolCalls,
  thoughts,
  promptTokens: tokenCount,
  /** Reasoning included. */
  completionTokens: tokenCount,
  end: z.enum(["stop", "tool_calls", "length"]),
  durationMs,
};
/** Message of a model. */
export type Said = Readonly<z.infer<z.ZodObject<typeof said>>>;

/** Schema of the reply to a request for a message. */
export const conversationReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("said"), ...said }).readonly(),
  failedReply,
]);
/** A message, or why there is none. */
export type ConversationReply = z.infer<typeof conversationReply>;

/** Continues a conversation by one message. */
export type Converse = (request: ConversationRequest, signal: AbortSignal) => Promise<ConversationReply>;
