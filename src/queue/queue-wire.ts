import { z } from "zod";
import type { ChoiceSymbol, Logprob } from "../base/symbol.js";
import type { ConversationReply, ConversationRequest } from "../model/conversation.js";
import type {
  CompletionReply,
  CompletionRequest,
  IndexedReply,
  SymbolReply,
  SymbolRequest,
} from "../model/requests.js";
import { isLogprob } from "../model/wire/reported-tokens.js";

/** Contents of a queue: data alone. Nothing of it is ever run, and anything that does not fit these shapes is refused. */
const count = z.int().nonnegative();
const tokens = count.nullable();
const symbol = z
  .string()
  .regex(/^[A-Z]$/)
  .transform((letter) => letter as ChoiceSymbol);
const text = z.string();

const symbolRequest = z.strictObject({
  prompt: text,
  symbols: z.array(symbol).min(1).max(26),
  // Other fields of a key are the run's own, and not passed on.
  key: z.object({
    task: text,
    difficulty: text.nullable(),
    ablation: text.optional(),
    exampleId: text,
    permutationIndex: count,
    permutation: text,
    correctSymbol: symbol,
  }),
});

const completionRequest = z.strictObject({
  prompt: text,
  maxTokens: count,
  stop: z.array(text),
  temperature: z.number().nonnegative(),
  topK: count.nullable(),
  seed: count,
  key: z.object({ task: text, exampleId: text, reference: text }).optional(),
});

const call = z.strictObject({ id: text, name: text, arguments: text });
const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.enum(["system", "user"]), content: text }),
  z.strictObject({ role: z.literal("assistant"), content: text.nullable(), toolCalls: z.array(call) }),
  z.strictObject({ role: z.literal("tool"), callId: text, name: text, content: text }),
]);

const conversationRequest = z.strictObject({
  messages: z.array(message),
  tools: z.array(z.strictObject({ name: text, description: text, parameters: z.record(z.string(), z.unknown()) })),
  toolChoice: z.enum(["auto", "required", "none"]),
  maxTokens: count,
  temperature: z.number().nonnegative(),
  seed: count,
  responseFormat: z.literal("json").nullable(),
  key: z.object({ taskId: text, condition: text, trial: count, attempt: count, turn: count }).optional(),
});

const workSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("symbols"), requests: z.array(symbolRequest).min(1) }),
  z.strictObject({ kind: z.literal("completion"), request: completionRequest }),
  z.strictObject({ kind: z.literal("conversation"), request: conversationRequest }),
]);

/** Work for a model, as it travels. */
export type Work =
  | { readonly kind: "symbols"; readonly requests: readonly SymbolRequest[] }
  | { readonly kind: "completion"; readonly request: CompletionRequest }
  | { readonly kind: "conversation"; readonly request: ConversationRequest };

const durationMs = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** Natural logs; what JSON has no number for is a word. */
const logprob = z
  .union([z.number().refine(isLogprob), z.literal("-inf")])
  .transform((value) => (value === "-inf" ? Number.NEGATIVE_INFINITY : value) as Logprob);
const score = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("known"), logprob, upperBound: logprob.optional() }),
  z.strictObject({ status: z.literal("unknown"), upperBound: logprob.nullable() }),
]);
const meter = { promptTokens: tokens, cachedTokens: tokens, durationMs };
const failure = {
  status: z.literal("failed"),
  failure: z.enum(["context_overflow", "refused", "bad_response", "unavailable"]),
  detail: text,
};
const extraction = z.enum(["full", "guided", "top_logprobs", "generated", "scripted"]);

const symbolReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("scored"), scores: z.array(z.tuple([symbol, score])), extraction, ...meter }),
  z.strictObject({ status: z.literal("named"), symbol, extraction, ...meter }),
  z.strictObject({ ...failure, ...meter }),
]);

const completionReply = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("completed"),
    text,
    tokens,
    promptTokens: tokens,
    durationMs,
    end: z.enum(["stop", "length", "end_of_text"]),
  }),
  z.strictObject(failure),
]);

const conversationReply = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("said"),
    text: text.nullable(),
    toolCalls: z.array(call),
    promptTokens: tokens,
    completionTokens: tokens,
    end: z.enum(["stop", "tool_calls", "length"]),
    durationMs,
  }),
  z.strictObject(failure),
]);

const resultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("symbols"),
    replies: z.array(z.strictObject({ index: count, reply: symbolReply })),
  }),
  z.strictObject({ kind: z.literal("completion"), reply: completionReply }),
  z.strictObject({ kind: z.literal("conversation"), reply: conversationReply }),
]);

/** Result of work. */
export type Result =
  | { readonly kind: "symbols"; readonly replies: readonly IndexedReply[] }
  | { readonly kind: "completion"; readonly reply: CompletionReply }
  | { readonly kind: "conversation"; readonly reply: ConversationReply };

/** @throws ZodError for anything else than work */
export function parseWork(value: unknown): Work {
  return workSchema.parse(value) as Work;
}

/** JSON of a result. */
export function encodeResult(result: Result): object {
  if (result.kind !== "symbols") return result;
  return { kind: "symbols", replies: result.replies.map(({ index, reply }) => ({ index, reply: encodeReply(reply) })) };
}

function encodeReply(reply: SymbolReply): object {
  if (reply.status !== "scored") return reply;
  const scores = [...reply.scores].map(([letter, own]) => [
    letter,
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, value === Number.NEGATIVE_INFINITY ? "-inf" : value]),
    ),
  ]);
  return { ...reply, scores };
}

/**
 * A result that came for some work: of its kind, and with one reply to each of its requests.
 * @throws Error for anything else
 */
export function parseResult(value: unknown, work: Work): Result {
  const result = resultSchema.parse(value);
  if (result.kind !== work.kind) throw new Error(`expected a result of kind ${work.kind}, found ${result.kind}`);
  if (result.kind !== "symbols" || work.kind !== "symbols") return result as Result;
  const indices = new Set(result.replies.map(({ index }) => index));
  const isWhole = indices.size === work.requests.length && result.replies.length === indices.size;
  if (!isWhole || [...indices].some((index) => index >= work.requests.length))
    throw new Error(`expected a reply to each of ${work.requests.length} requests, found others`);
  const replies = result.replies.map(({ index, reply }) => ({
    index,
    reply: (reply.status === "scored" ? { ...reply, scores: new Map(reply.scores) } : reply) as SymbolReply,
  }));
  return { kind: "symbols", replies };
}
