import { z } from "zod";
import { type ChoiceSymbol, faultOfLogprobs, isLogprob, type Logprob } from "../base/symbol.js";
import { conversationReply, conversationRequest } from "../model/conversation.js";
import {
  choiceSymbol,
  completionReply,
  completionRequest,
  extraction,
  failedFields,
  type IndexedReply,
  meterFields,
  type SymbolReply,
  type SymbolScore,
  symbolRequest,
  thoughtFields,
} from "../model/requests.js";

/** Contents of a queue: data alone. Nothing of it is ever run, and anything that does not fit these shapes is refused. */
const workSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("symbols"), requests: z.array(symbolRequest).min(1).readonly() }).readonly(),
  z.strictObject({ kind: z.literal("completion"), request: completionRequest }).readonly(),
  z.strictObject({ kind: z.literal("conversation"), request: conversationRequest }).readonly(),
]);

/** Work for a model, as it travels. */
export type Work = z.infer<typeof workSchema>;

/** Natural logs; what JSON has no number for is a word. */
const logprob = z
  .union([z.number().refine(isLogprob), z.literal("-inf")])
  .transform((value) => (value === "-inf" ? Number.NEGATIVE_INFINITY : value) as Logprob);
const score = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("known"), logprob, upperBound: logprob.exactOptional() }),
  z.strictObject({ status: z.literal("unknown"), upperBound: logprob.nullable() }),
]);

/** Numbers of a worker are held to the rule of a server's: parts of one distribution, a letter once. */
function soundScores({ value, issues }: z.core.ParsePayload<[ChoiceSymbol, SymbolScore][]>): void {
  const known = value.flatMap(([, own]) =>
    own.status === "known" && own.logprob > Number.NEGATIVE_INFINITY ? own.logprob : [],
  );
  const isTwice = new Set(value.map(([letter]) => letter)).size < value.length;
  const fault = isTwice ? "reported a letter twice" : faultOfLogprobs(known);
  if (fault !== null) issues.push({ code: "custom", input: value, message: `a worker ${fault}` });
}

const scores = z
  .array(z.tuple([choiceSymbol, score]))
  .check(soundScores)
  .transform((pairs): ReadonlyMap<ChoiceSymbol, SymbolScore> => new Map(pairs));

const spent = {
  ...meterFields,
  thoughts: z
    .strictObject({
      ...thoughtFields,
      trace: z
        .array(z.strictObject({ tokens: z.int().nonnegative(), scores }).readonly())
        .readonly()
        .exactOptional(),
    })
    .readonly()
    .exactOptional(),
};

const symbolReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("scored"), scores, extraction, ...spent }),
  z.strictObject({ status: z.literal("named"), symbol: choiceSymbol, extraction, ...spent }),
  z.strictObject({ ...failedFields, ...spent }),
]);

const resultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("symbols"),
    replies: z.array(z.strictObject({ index: z.int().nonnegative(), reply: symbolReply }).readonly()).readonly(),
  }),
  z.strictObject({ kind: z.literal("completion"), reply: completionReply }),
  z.strictObject({ kind: z.literal("conversation"), reply: conversationReply }),
]);

/** Result of work. */
export type Result = z.infer<typeof resultSchema>;

/** @throws ZodError for anything else than work */
export function parseWork(value: unknown): Work {
  return workSchema.parse(value);
}

/** JSON of a result. */
export function encodeResult(result: Result): object {
  if (result.kind !== "symbols") return result;
  return { kind: "symbols", replies: result.replies.map(({ index, reply }) => ({ index, reply: encodeReply(reply) })) };
}

function encodeReply(reply: SymbolReply): object {
  const trace = reply.thoughts?.trace?.map((point) => ({ tokens: point.tokens, scores: encodeScores(point.scores) }));
  const told = trace === undefined ? reply : { ...reply, thoughts: { ...reply.thoughts, trace } };
  return reply.status === "scored" ? { ...told, scores: encodeScores(reply.scores) } : told;
}

function encodeScores(known: ReadonlyMap<ChoiceSymbol, SymbolScore>): object[] {
  return [...known].map(([letter, own]) => [
    letter,
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, value === Number.NEGATIVE_INFINITY ? "-inf" : value]),
    ),
  ]);
}

/**
 * A result that came for some work: of its kind, and with one reply to each of its requests.
 * @throws Error for anything else
 */
export function parseResult(value: unknown, work: Work): Result {
  const result = resultSchema.parse(value);
  if (result.kind !== work.kind) throw new Error(`expected a result of kind ${work.kind}, found ${result.kind}`);
  if (result.kind === "symbols" && work.kind === "symbols") requireEach(result.replies, work.requests.length);
  return result;
}

function requireEach(replies: readonly IndexedReply[], count: number): void {
  const indices = new Set(replies.map(({ index }) => index));
  const isWhole = indices.size === count && replies.length === count;
  if (!isWhole || [...indices].some((index) => index >= count))
    throw new Error(`expected a reply to each of ${count} requests, found others`);
}
