import type { ModelBatches } from "./batch/batch-api.js";
import type { CheckReport } from "./check/check-report.js";
import type { Converse } from "./conversation.js";
import type {
  Capability,
  CompletionReply,
  CompletionRequest,
  Embedding,
  IndexedReply,
  InfillRequest,
  SymbolRequest,
  Think,
  TokenReply,
} from "./requests.js";

/** Facts by which a run knows the same model again; flat, JSON-ready, in a fixed order. */
export type ModelIdentity = Readonly<Record<string, string | number | boolean | null>>;

/** `completion`: the prompt as raw text, as in the paper. `chat`: one user message in the model's own template. */
export const PROMPT_MODES = ["completion", "chat"] as const;
/** One of the prompt modes. */
export type PromptMode = (typeof PROMPT_MODES)[number];

/**
 * Leave to send a request once more whose last try may be paid for though it came to nothing; `false`: it fails instead.
 * @param index of the request in its group
 */
export type Again = (index: number) => boolean;

/**
 * A model ready for use. It can do what it has methods for (see `missingCapabilities`). Nothing here but `scoreSymbols`
 * knows of multiple-choice questions.
 */
export interface Model {
  readonly identity: ModelIdentity;
  /** The most threads that compute, whose number changes no result; absent for models that are not in this process. */
  readonly threads?: number;
  /**
   * Card that computes and its share of the layers, such as `NVIDIA H100, 29 of 29 layers`; absent: the processor, or a
   * model that is not in this process. Of another card scores differ in the last digits: it is recorded, and no identity.
   */
  readonly device?: string;
  /** Groups of requests that may be under way at once. */
  readonly maxOpenGroups: number;
  /** Report of the check when it was opened; absent for models in this process. */
  readonly check?: CheckReport;
  /**
   * Scores a group of requests that share prefixes (all orders of one question), in the order that suits the engine:
   * each reply carries the index of its request. A request that cannot be answered yields a reply `failed`; only an
   * abort or a fault that ends the run throws.
   * @param again absent: tries cost nothing
   */
  scoreSymbols?(group: readonly SymbolRequest[], signal: AbortSignal, again?: Again): AsyncIterable<IndexedReply>;
  /** Scores a raw text, whatever the prompt mode. */
  scoreTokens?(text: string, signal: AbortSignal): Promise<TokenReply>;
  /** Continues a prompt, in the model's template when the prompt mode is `chat`. */
  complete?(request: CompletionRequest, signal: AbortSignal, again?: Again): Promise<CompletionReply>;
  /** Fills the gap between raw `prompt` and raw `suffix` by the model's fill-in-the-middle tokens. */
  infill?(request: InfillRequest, signal: AbortSignal): Promise<CompletionReply>;
  /** Continues a conversation by one message, be it with calls of tools. */
  converse?: Converse;
  /** The vector of a raw text. */
  embed?(text: string, signal: AbortSignal): Promise<Embedding>;
  /** Tokens of the prompt as the model would see it, BOS and template included, up to its thoughts where it is to think. */
  countTokens?(prompt: string, think?: Think): number | Promise<number>;
  /** Set where a prompt behind which the model thinks is sent again for each letter that is read behind its thoughts. */
  readonly sendsAgain?: true;
  /** Tokens the engine has evaluated so far, by its own meter. */
  evaluatedTokens?(): number;
  /** Batches of its service; absent where it was not opened for them. */
  readonly batches?: ModelBatches;
  /** Releases what it holds; nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** Connection to a server; of no meaning for models in this process, and no part of a run's identity. */
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
  /** Files that named these, such as a `run.json`; absent: the user did. */
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

/** Files that named the settings by which secrets may leave; absent: the user did. */
export interface SettingsFoundIn {
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

/** A model as its provider is asked to open it. */
export interface OpenModelOptions {
  /** Name as the user typed it. */
  readonly label: string;
  /** Name after `provider:`. */
  readonly name: string;
  readonly promptMode: PromptMode;
  /** `fast` reuses the cache along shared prefixes; `exact` evaluates every prompt from scratch. */
  readonly mode: "fast" | "exact";
  readonly seed: number;
  /** Purposes; empty: only its tokenizer is wanted, and nothing is asked, not even by a check. */
  readonly needs: readonly Capability[];
  /** Further purposes that its check tries and reports; the model is opened without them too. */
  readonly tries?: readonly Capability[];
  /** Thoughts that requests for symbols will ask for; absent: nothing is said of them. */
  readonly think?: Think;
  /** Set where thoughts before letters and texts by chat are off without `think`, unless the server does not take that. */
  readonly offByDefault?: true;
  /** Set where it is asked in batches. */
  readonly batch?: true;
  /** Record of the check that the run passed when it began, which takes the place of another; absent: it is checked. */
  readonly passed?: unknown;
  /** Largest number of options of a question; absent: four. */
  readonly optionCount?: number;
  readonly connection: ConnectionOptions;
  /** Settings of `models/aliases.json`, `probe.config.json` or `--model-arg`; each provider checks its own. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Files that named some of the settings. */
  readonly foundIn?: SettingsFoundIn;
  /** Hears of a download: the fraction that is done, 0–1. */
  readonly onDownload?: (fraction: number) => void;
  /** Hears what a user should read: which server is asked with whose key, that a server is waited for. */
  readonly onMessage?: (message: string) => void;
  /** Aborting it ends the opening at once: its reason is thrown. */
  readonly signal?: AbortSignal;
}

const METHODS = {
  symbols: "scoreSymbols",
  token_scores: "scoreTokens",
  completions: "complete",
  infill: "infill",
  embeddings: "embed",
  conversations: "converse",
  tools: "converse",
} as const satisfies Record<Capability, keyof Model>;

const TITLES: Readonly<Record<Capability, string>> = {
  symbols: "score the letters of an answer",
  token_scores: "score the tokens of a text",
  completions: "continue a prompt",
  infill: "fill a gap",
  embeddings: "embed a text",
  conversations: "take part in a conversation",
  tools: "call tools",
};

const LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Capabilities that a model lacks of those needed, in words that follow "can": `a, b and c`; `null`: none. */
export function missingCapabilities(model: Model, needs: readonly Capability[]): string | null {
  const missing = [...new Set(needs)].filter((need) => model[METHODS[need]] === undefined);
  return missing.length === 0 ? null : LIST.format(missing.map((need) => TITLES[need]));
}
