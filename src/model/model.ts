import type { ChoiceSymbol, Logprob } from "../base/symbol.js";
import type { CheckReport } from "./check/report.js";
import type { Converse } from "./conversation/conversation.js";

/** What a run records to know the same model again; flat, JSON-ready, in a fixed order. */
export type ModelIdentity = Readonly<Record<string, string | number | boolean | null>>;

/** `completion`: the prompt as raw text, as in the paper. `chat`: one user message in the model's own template. */
export const PROMPT_MODES = ["completion", "chat"] as const;
/** Raw text, as in the paper, or one user message in the model's own template. */
export type PromptMode = (typeof PROMPT_MODES)[number];

/** Where in a run a request belongs: for models that answer from a key or a file, and for error messages. */
export interface RequestKey {
  readonly task: string;
  readonly difficulty: string | null;
  /** What of the question is withheld; absent: nothing. */
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

/** How an answer was taken from the model (spec §4.2). */
export type Extraction = "full" | "guided" | "top_logprobs" | "generated" | "scripted";

/** Why there is no answer. */
export type FailureKind = "context_overflow" | "refused" | "bad_response" | "unavailable";

/** What a reply took. */
interface ReplyMeter {
  /** Tokens of the prompt, BOS included; `null` where the engine does not tell. */
  readonly promptTokens: number | null;
  /** Of these, how many came from a cache; `null` where the engine does not tell. */
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
    | { readonly status: "failed"; readonly failure: FailureKind; readonly detail: string }
  );

/** A reply, and which request of the group it answers. */
export interface IndexedReply {
  readonly index: number;
  readonly reply: SymbolReply;
}

/** No result: why. */
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
  /** Where each token ends in the text, in UTF-16 units; ascending, the last is the text's length. */
  readonly ends: readonly number[];
  /** Nats; the first entry is `null` where the model has no token before the first. */
  readonly logprobs: readonly (Logprob | null)[];
  /** Whether it is the most probable token there; the first entry is `null` where there is no prediction. */
  readonly isGreedy: readonly (boolean | null)[];
}

/** Scores of a text, or why there are none. */
export type TokenReply = ({ readonly status: "scored" } & TokenScores) | FailedReply;

/** What a scripted model answers a completion from. */
export interface CompletionKey {
  readonly task: string;
  readonly exampleId: string;
  /** The right completion. */
  readonly reference: string;
}

/** A text to go on with, and for how long. */
export interface CompletionRequest {
  readonly prompt: string;
  readonly maxTokens: number;
  /** Texts that end the completion; not part of it. */
  readonly stop: readonly string[];
  /** 0: greedy. */
  readonly temperature: number;
  /** Only the so many most probable tokens are drawn from; `null`: all. */
  readonly topK: number | null;
  readonly seed: number;
  readonly key?: CompletionKey;
}

/** What a model wrote. */
export interface Completion {
  readonly text: string;
  /** Tokens generated, the stop included as far as it was generated; `null` where the engine does not tell. */
  readonly tokens: number | null;
  readonly promptTokens: number | null;
  readonly durationMs: number;
  /** Why it ended. */
  readonly end: "stop" | "length" | "end_of_text";
}

/** What was written, or why nothing was. */
export type CompletionReply = ({ readonly status: "completed" } & Completion) | FailedReply;

/** One vector for a text, and how it was made from the token states, such as `last token` or `mean`. */
export interface Embedding {
  readonly vector: readonly number[];
  readonly pooling: string;
}

/** What a model is opened for. Each is checked when it is opened, so that a run does not begin what it cannot do. */
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

/**
 * A model ready for use. What it can do is which methods it has: a caller checks, and says what is missing. Nothing
 * here knows of multiple-choice questions but `scoreSymbols`.
 */
export interface Model {
  readonly identity: ModelIdentity;
  /** The most threads that compute, whose number changes no result; absent for models that are not in this process. */
  readonly threads?: number;
  /** How many groups of requests may be under way at once. */
  readonly maxOpenGroups: number;
  /** What was found out about it when it was opened; absent for models in this process. */
  readonly check?: CheckReport;
  /**
   * Scores a group of requests that share prefixes (all orders of one question), in the order that suits the engine:
   * each reply carries the index of its request. A request that cannot be answered yields a reply `failed`; only an
   * abort or a fault that ends the run throws.
   */
  scoreSymbols?(group: readonly SymbolRequest[], signal: AbortSignal): AsyncIterable<IndexedReply>;
  /** Scores a raw text, whatever the prompt mode. */
  scoreTokens?(text: string, signal: AbortSignal): Promise<TokenReply>;
  /** Continues a prompt, in the model's template when the prompt mode is `chat`. */
  complete?(request: CompletionRequest, signal: AbortSignal): Promise<CompletionReply>;
  /** Fills the gap between raw `prompt` and raw `suffix` by the model's fill-in-the-middle tokens. */
  infill?(request: CompletionRequest & { readonly suffix: string }, signal: AbortSignal): Promise<CompletionReply>;
  /** Goes on with a conversation, be it with calls of tools. */
  converse?: Converse;
  /** The vector of a raw text. */
  embed?(text: string, signal: AbortSignal): Promise<Embedding>;
  /** Tokens of the prompt as the model would see it, BOS and template included. */
  countTokens?(prompt: string): number | Promise<number>;
  /** Tokens the engine has evaluated so far, by its own meter. */
  evaluatedTokens?(): number;
  /** Gives back what it holds; nothing may be asked after it. */
  close(): Promise<void>;
}

/** How a server is reached; of no meaning for models in this process. Not part of what a run is. */
export interface ConnectionOptions {
  /** Several servers of the same model share the load; empty: the provider's default. */
  readonly baseUrls: readonly string[];
  /** Name of the environment variable that holds the key; `null`: the provider's default, which may be empty. */
  readonly apiKeyEnv: string | null;
  /** Path of a file that holds the key. */
  readonly apiKeyFile: string | null;
  /** Requests under way at once, at most; `null`: the provider's default. */
  readonly concurrency: number | null;
  /** Take the letter that a server writes when it reports no log probabilities. */
  readonly allowGenerated: boolean;
  /** Ask even a model that the check refuses. */
  readonly force: boolean;
  /** Which of these a file named, such as a `run.json`, and which one; what is absent was named by the user. */
  readonly foundIn?: { readonly baseUrl?: string; readonly apiKey?: string };
}

export const NO_CONNECTION: ConnectionOptions = {
  baseUrls: [],
  apiKeyEnv: null,
  apiKeyFile: null,
  concurrency: null,
  allowGenerated: false,
  force: false,
};

/** The settings that say where secrets may go, and which file named them. */
export interface SettingsFoundIn {
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

/** What a provider needs to open a model. */
export interface OpenModelOptions {
  /** What the user typed. */
  readonly label: string;
  /** What stands after `provider:`. */
  readonly name: string;
  readonly promptMode: PromptMode;
  /** `fast` reuses the cache along shared prefixes; `exact` evaluates every prompt from scratch. */
  readonly mode: "fast" | "exact";
  readonly seed: number;
  /** What it is opened for; empty: only its tokenizer is wanted, and nothing is asked, not even by a check. */
  readonly needs: readonly Capability[];
  /** What its check is to try besides, and report; the model is opened without it too. */
  readonly tries?: readonly Capability[];
  /** The most options that a question will have; four unless told otherwise. */
  readonly optionCount?: number;
  readonly connection: ConnectionOptions;
  /** From `models/aliases.json`, `probe.config.json`; each provider checks its own. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Which of the settings a file named that was found, and which one; what is absent was named by the user. */
  readonly foundIn?: SettingsFoundIn;
  /** Told while something large is fetched; fractions 0–1. */
  readonly onDownload?: (fraction: number) => void;
  /** Told what a user should read while it is opened or asked: whom it asks with whose key, that a server is waited for. */
  readonly onMessage?: (message: string) => void;
  /** Aborting it ends the opening at once: its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** One kind of engine or server. */
export interface ModelProvider {
  /** @throws ProbeError `model_unavailable` or `bad_input` */
  open(options: OpenModelOptions): Promise<Model>;
}
