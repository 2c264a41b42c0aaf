import { z } from "zod";
import type { ChoiceSymbol, Logprob } from "../base/symbol.js";

// Requests and replies may travel to another process, through a queue: what is a schema here is checked when it arrives.
const text = z.string();
const count = z.int().nonnegative();
export const tokenCount = count.nullable();
export const durationMs = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
export const choiceSymbol = text.regex(/^[A-Z]$/).transform((letter) => letter as ChoiceSymbol);

/** Place of a request in a run: for models that answer from a key or a file, and for error messages. */
const requestKey = z
  .object({
    task: text,
    difficulty: text.nullable(),
    /** Part of the question that is withheld; absent: nothing. */
    ablation: text.optional(),
    exampleId: text,
    permutationIndex: count,
    permutation: text,
    /** The symbol of the right option. */
    correctSymbol: choiceSymbol,
  })
  .readonly();
export type RequestKey = z.infer<typeof requestKey>;

/** Efforts that a model is asked to think with, where its tokens are not counted. */
export const EFFORTS = ["low", "medium", "high"] as const;
/** Schema of thoughts that are asked for. */
export const think = z.union([
  z.literal("off"),
  z.enum(EFFORTS),
  /** The most tokens of thoughts. */
  z.strictObject({ tokens: z.int().positive() }).readonly(),
]);
/** Thoughts that a model is asked for before it answers. */
export type Think = z.infer<typeof think>;

/** True if thoughts are asked for. */
export function isThinking(asked: Think | undefined): asked is Exclude<Think, "off"> {
  return asked !== undefined && asked !== "off";
}

/** Thoughts that are asked for, as records keep them. */
export function recordedThink(asked: Think): string | number {
  return typeof asked === "string" ? asked : asked.tokens;
}

/** The most tokens of thoughts at each effort: sent to whoever takes a limit, and reserved where cost has one. */
const EFFORT_TOKENS = { low: 1024, medium: 4096, high: 16_384 } as const satisfies Record<
  (typeof EFFORTS)[number],
  number
>;

/** The most tokens of thoughts that are asked for; none where nothing is said of them. */
export function thoughtLimit(asked: Think | null | undefined): number {
  if (asked == null || asked === "off") return 0;
  return typeof asked === "string" ? EFFORT_TOKENS[asked] : asked.tokens;
}

/** Room for a letter in the longest of its written forms. */
const LETTER_TOKENS = 256;
/** Thoughts of models that think though nobody asked, or though they were asked not to. */
const UNASKED_TOKENS = 8192;

/**
 * The most tokens of a reply whose letter is written behind thoughts, as closed doors have it: what a limit of cost has to
 * reserve there, `off` and nothing said included.
 */
export function replyLimit(asked: Think | undefined): number {
  return (isThinking(asked) ? thoughtLimit(asked) : UNASKED_TOKENS) + LETTER_TOKENS;
}

/** Schema of a request for symbols. */
export const symbolRequest = z
  .strictObject({
    prompt: text,
    /** Symbols allowed as an answer. */
    symbols: z.array(choiceSymbol).min(1).max(26).readonly(),
    key: requestKey,
    /** Absent: nothing is said of thoughts, and the prompt stands as it is. */
    think: think.exactOptional(),
    /** Parts of the thoughts after each of which the symbol is read too; absent: none. */
    trace: z.int().positive().exactOptional(),
    /** Position among the times that the same is asked, from 0: each has a seed of its own. Absent: it is asked once. */
    repeat: count.exactOptional(),
  })
  .readonly();
/** Asks for the log probabilities of some symbols as the next token after a prompt. */
export type SymbolRequest = z.infer<typeof symbolRequest>;

/** The log probability of a symbol, all its token variants together; or the most it can be when it was not reported. */
export type SymbolScore =
  | {
      readonly status: "known";
      readonly logprob: Logprob;
      /** The most it can be when variants of it may be missing from what was reported; absent where it is exact. */
      readonly upperBound?: Logprob;
    }
  | { readonly status: "unknown"; readonly upperBound: Logprob | null };

/** Schema of an extraction. */
export const extraction = z.enum(["full", "guided", "top_logprobs", "generated", "scripted"]);
/** Way in which an answer was taken from the model (spec §4.2). */
export type Extraction = z.infer<typeof extraction>;

/** `thought_too_long`: the budget ran out before an answer, and the thoughts could not be closed for the model. */
export const failureKind = z.enum(["context_overflow", "refused", "bad_response", "unavailable", "thought_too_long"]);
/** Reason why there is no reply. */
export type FailureKind = z.infer<typeof failureKind>;

export const failedFields = {
  status: z.literal("failed"),
  failure: failureKind,
  detail: text,
  /** Set where a request of it may have been answered, and be paid for. */
  mayBePaid: z.literal(true).exactOptional(),
};
/** Schema of a failed reply. */
export const failedReply = z.strictObject(failedFields).readonly();
/** No result, and the reason. */
export type FailedReply = z.infer<typeof failedReply>;

/**
 * Endings of thoughts: `closed` by the model, `forced` (closed for it, as the budget was spent), `hidden` (behind a server
 * that shows no thoughts).
 */
export const THOUGHT_ENDS = ["closed", "forced", "hidden"] as const;

/** Schemas of thoughts, but for their trace. */
export const thoughtFields = {
  /** `null` where they are hidden. */
  text: text.nullable(),
  /** `null` where the engine does not tell. */
  tokens: tokenCount,
  end: z.enum(THOUGHT_ENDS),
};

/** Symbol that would have been answered after a part of the thoughts. */
export interface TracePoint {
  /** Tokens of thoughts before it. */
  readonly tokens: number;
  readonly scores: ReadonlyMap<ChoiceSymbol, SymbolScore>;
}

/** Tokens of thoughts before each point of a trace: ends of so many parts of equal size, the last behind all. */
export function pointsOf(tokens: number, parts: number): number[] {
  return [...new Set(Array.from({ length: parts }, (_, i) => Math.ceil(((i + 1) * tokens) / parts)))];
}

/** Thoughts of a model before its answer. */
export type Thoughts = Readonly<z.infer<z.ZodObject<typeof thoughtFields>>> & {
  /** One a part, the last behind all thoughts; absent where none was asked for, or they cannot be continued. */
  readonly trace?: readonly TracePoint[];
};

/** Schemas of the tokens and the time of a reply. */
export const meterFields = {
  /** Tokens of the prompt, BOS included; `null` where the engine does not tell. */
  promptTokens: tokenCount,
  /** Tokens of the prompt that came from a cache; `null` where the engine does not tell. */
  cachedTokens: tokenCount,
  /** Tokens generated, thoughts included, for which is paid; `null`: not known; absent: the one of the answer. */
  completionTokens: tokenCount.exactOptional(),
  /** Tokens of all requests that it took, prompts sent again included; absent: it took one. */
  paid: z.strictObject({ promptTokens: count, completionTokens: count }).readonly().exactOptional(),
  durationMs,
};
/** Tokens, time and thoughts of a reply; one that failed has spent them too. */
type ReplyMeter = Readonly<z.infer<z.ZodObject<typeof meterFields>>> & { readonly thoughts?: Thoughts };

/** Scores of symbols, the symbol that was named, or why there is none. */
export type SymbolReply = ReplyMeter &
  (
    | {
        readonly status: "scored";
        readonly scores: ReadonlyMap<ChoiceSymbol, SymbolScore>;
        readonly extraction: Extraction;
      }
    /** The model named a symbol, without probabilities. */
    | { readonly status: "named"; readonly symbol: ChoiceSymbol; readonly extraction: Extraction }
    | FailedReply
  );

/** A reply, and the index of its request in the group. */
export interface IndexedReply {
  readonly index: number;
  readonly reply: SymbolReply;
}

/**
 * Teacher-forced scores of the tokens of a text. Entry `i` of each list is about the text's token `i` given all before;
 * a BOS token that the model puts in front is no entry.
 */
export interface TokenScores {
  /** Token ids; `null` where the engine does not tell them. */
  readonly tokens: readonly number[] | null;
  /** End of each token in the text, in UTF-16 units; ascending, the last is the text's length. */
  readonly ends: readonly number[];
  /** Nats; the first entry is `null` where the model has no token before the first. */
  readonly logprobs: readonly (Logprob | null)[];
  /** `true` for the most probable token of its place; `null` for a first token that nothing predicts. */
  readonly isGreedy: readonly (boolean | null)[];
}

/** Scores of a text, or why there are none. */
export type TokenReply = ({ readonly status: "scored" } & TokenScores) | FailedReply;

const completionKey = z
  .object({
    task: text,
    exampleId: text,
    /** The right completion. */
    reference: text,
  })
  .readonly();
/** Key by which a scripted model finds a completion. */
export type CompletionKey = z.infer<typeof completionKey>;

/** Schema of a request for a completion. */
export const completionRequest = z
  .strictObject({
    prompt: text,
    maxTokens: count,
    /** Texts that end the completion; not part of it. */
    stop: z.array(text).readonly(),
    /** 0: greedy. */
    temperature: z.number().nonnegative(),
    /** Number of most probable tokens that are drawn from; `null`: all. */
    topK: tokenCount,
    seed: count,
    key: completionKey.exactOptional(),
  })
  .readonly();
/** A prompt to be continued, and the limits of the continuation. */
export type CompletionRequest = z.infer<typeof completionRequest>;

/** A gap to be filled: the text before it is the prompt, the text after it the suffix. */
export type InfillRequest = CompletionRequest & { readonly suffix: string };

const completion = {
  text,
  /** Tokens generated, the stop included as far as it was generated; `null` where the engine does not tell. */
  tokens: tokenCount,
  promptTokens: tokenCount,
  durationMs,
  /** Reason of its end. */
  end: z.enum(["stop", "length", "end_of_text"]),
};
/** Text that a model wrote. */
export type Completion = Readonly<z.infer<z.ZodObject<typeof completion>>>;

/** Schema of the reply to a request for a completion. */
export const completionReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("completed"), ...completion }).readonly(),
  failedReply,
]);
/** A completion, or why there is none. */
export type CompletionReply = z.infer<typeof completionReply>;

/** One vector for a text, and how it was made from the token states, such as `last token` or `mean`. */
export interface Embedding {
  readonly vector: readonly number[];
  readonly pooling: string;
}

/** Purposes for which a model is opened. Each is checked when it is opened: no run begins what its model cannot do. */
export const CAPABILITIES = [
  "symbols",
  "token_scores",
  "completions",
  "infill",
  "embeddings",
  "conversations",
  "tools",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Place where the first of the stop texts begins in a text; -1 where there is none. An empty one stops nothing. */
export function firstStop(text: string, stops: readonly string[]): number {
  const places = stops.filter((stop) => stop !== "").map((stop) => text.indexOf(stop));
  return places.reduce((first, place) => (first === -1 || (place !== -1 && place < first) ? place : first), -1);
}
