import type { ChoiceSymbol, Logprob } from "../base/symbol.js";

/** Place of a request in a run: for models that answer from a key or a file, and for error messages. */
export interface RequestKey {
  readonly task: string;
  readonly difficulty: string | null;
  /** Part of the question that is withheld; absent: nothing. */
  readonly ablation?: string | undefined;
  readonly exampleId: string;
  readonly permutationIndex: number;
  readonly permutation: string;
  /** The symbol of the right option. */
  readonly correctSymbol: ChoiceSymbol;
}

/** Asks for the log probabilities of some symbols as the next token after a prompt. */
export interface SymbolRequest {
  readonly prompt: string;
  /** Symbols allowed as an answer. */
  readonly symbols: readonly ChoiceSymbol[];
  readonly key: RequestKey;
}

/** The log probability of a symbol, all its token variants together; or the most it can be when it was not reported. */
export type SymbolScore =
  | {
      readonly status: "known";
      readonly logprob: Logprob;
      /** The most it can be when variants of it may be missing from what was reported; absent where it is exact. */
      readonly upperBound?: Logprob;
    }
  | { readonly status: "unknown"; readonly upperBound: Logprob | null };

/** Way in which an answer was taken from the model (spec §4.2). */
export type Extraction = "full" | "guided" | "top_logprobs" | "generated" | "scripted";

/** Reason why there is no reply. */
export type FailureKind = "context_overflow" | "refused" | "bad_response" | "unavailable";

/** Tokens and time of a reply. */
interface ReplyMeter {
  /** Tokens of the prompt, BOS included; `null` where the engine does not tell. */
  readonly promptTokens: number | null;
  /** Tokens of the prompt that came from a cache; `null` where the engine does not tell. */
  readonly cachedTokens: number | null;
  readonly durationMs: number;
}

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

/** No result, and the reason. */
export interface FailedReply {
  readonly status: "failed";
  readonly failure: FailureKind;
  readonly detail: string;
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

/** Key by which a scripted model finds a completion. */
export interface CompletionKey {
  readonly task: string;
  readonly exampleId: string;
  /** The right completion. */
  readonly reference: string;
}

/** A prompt to be continued, and the limits of the continuation. */
export interface CompletionRequest {
  readonly prompt: string;
  readonly maxTokens: number;
  /** Texts that end the completion; not part of it. */
  readonly stop: readonly string[];
  /** 0: greedy. */
  readonly temperature: number;
  /** Number of most probable tokens that are drawn from; `null`: all. */
  readonly topK: number | null;
  readonly seed: number;
  readonly key?: CompletionKey;
}

/** A gap to be filled: the text before it is the prompt, the text after it the suffix. */
export type InfillRequest = CompletionRequest & { readonly suffix: string };

/** Text that a model wrote. */
export interface Completion {
  readonly text: string;
  /** Tokens generated, the stop included as far as it was generated; `null` where the engine does not tell. */
  readonly tokens: number | null;
  readonly promptTokens: number | null;
  readonly durationMs: number;
  /** Reason of its end. */
  readonly end: "stop" | "length" | "end_of_text";
}

/** A completion, or why there is none. */
export type CompletionReply = ({ readonly status: "completed" } & Completion) | FailedReply;

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
