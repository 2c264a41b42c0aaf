import type { FailedReply } from "./requests.js";

/** A JSON Schema of an object, as tools and replies are described with. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Something a model may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** Of its arguments: an object. */
  readonly parameters: JsonSchema;
}

/** A call of a tool. */
export interface ToolCall {
  /** Unlike those of the other calls of its message. */
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: meant to be a JSON object. */
  readonly arguments: string;
}

/** One message of a conversation. */
export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly content: string };

/** What is said so far, and what may come next. */
export interface ConversationRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** `required`: the reply has to be a call. */
  readonly toolChoice: "auto" | "required" | "none";
  /** Of the reply. */
  readonly maxTokens: number;
  /** 0: greedy. */
  readonly temperature: number;
  readonly seed: number;
  /** `json`: one JSON object; `null`: any text. */
  readonly responseFormat: "json" | null;
  /** Where in a run it belongs: for models that answer from a file. */
  readonly key?: ConversationKey;
}

/** Where in a run a request belongs. */
export interface ConversationKey {
  readonly taskId: string;
  readonly condition: string;
  readonly trial: number;
  readonly attempt: number;
  /** Replies before this one in its attempt. */
  readonly turn: number;
}

/** What a model said. */
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

/** What was said, or why nothing was. */
export type ConversationReply = ({ readonly status: "said" } & Said) | FailedReply;

/** Has a conversation go on by one message. */
export type Converse = (request: ConversationRequest, signal: AbortSignal) => Promise<ConversationReply>;
