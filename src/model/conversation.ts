import type { FailedReply } from "./requests.js";

/** A JSON Schema of an object, as tools and replies are described with. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** Something a model may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** Schema of its arguments: an object. */
  readonly parameters: JsonSchema;
}

/** A call of a tool. */
export interface ToolCall {
  /** Id of its own among the calls of its message. */
  readonly id: string;
  readonly name: string;
  /** Text as the model wrote it: meant to be a JSON object. */
  readonly arguments: string;
}

/** One message of a conversation. */
export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly content: string };

/** A conversation so far, and the limits of its next message. */
export interface ConversationRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** `required`: the reply has to be a call. */
  readonly toolChoice: "auto" | "required" | "none";
  /** Limit of the reply. */
  readonly maxTokens: number;
  /** 0: greedy. */
  readonly temperature: number;
  readonly seed: number;
  /** `json`: one JSON object; `null`: any text. */
  readonly responseFormat: "json" | null;
  /** Place in a run: for models that answer from a file. */
  readonly key?: ConversationKey;
}

/** Place of a request in a run. */
export interface ConversationKey {
  readonly taskId: string;
  readonly condition: string;
  readonly trial: number;
  readonly attempt: number;
  /** Replies before this one in its attempt. */
  readonly turn: number;
}

/** Message of a model. */
export interface Said {
  /** `null`: nothing but calls. */
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  /** `null` where the engine does not tell. */
  readonly promptTokens: number | null;
  /** Reasoning included. */
  readonly completionTokens: number | null;
  readonly end: "stop" | "tool_calls" | "length";
  readonly durationMs: number;
}

/** A message, or why there is none. */
export type ConversationReply = ({ readonly status: "said" } & Said) | FailedReply;

/** Continues a conversation by one message. */
export type Converse = (request: ConversationRequest, signal: AbortSignal) => Promise<ConversationReply>;
