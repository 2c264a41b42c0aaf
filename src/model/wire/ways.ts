import type { ChoiceSymbol } from "../../base/symbol.js";
import type { ConversationRequest } from "../conversation.js";
import type { CompletionRequest, Embedding, Extraction } from "../requests.js";
import type { SequenceReading } from "./sequence-scores.js";

/** What a request looks like, before it is sent. */
export interface WireRequest {
  /** After the server's root or its API's base, as the provider sees fit. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A reply's JSON, and its text for error messages. */
export interface WireReply {
  readonly json: unknown;
  readonly text: string;
}

/** A prompt as text, or as the token ids it stands for. */
export type WirePrompt = string | readonly number[];

/** One way to take an answer from a server: what to ask, and what the reply's numbers mean. */
export interface ExtractionWay {
  readonly name: string;
  readonly extraction: Extraction;
  /** Whether the answer is restricted to the symbols. */
  readonly isGuided: boolean;
  /** Tokens asked for; `Infinity`: exactly the symbols' own. */
  readonly listLength: number;
  /** What the names in the reply stand for, where tokens are named by their ids. */
  readonly tokenTexts?: ReadonlyMap<string, string>;
  request(prompt: WirePrompt, symbols: readonly ChoiceSymbol[]): WireRequest;
}

/** One way to have a whole text scored. */
export interface SequenceWay {
  readonly name: string;
  request(text: string): WireRequest;
  /** The scores of this text, or what came in their place. */
  read(reply: unknown, text: string): SequenceReading;
}

/** One way to have a prompt continued. */
export interface CompletionWay {
  readonly name: string;
  request(prompt: WirePrompt, request: CompletionRequest): WireRequest;
}

export type InfillRequest = CompletionRequest & { readonly suffix: string };

/** One way to have a gap filled. */
export interface InfillWay {
  readonly name: string;
  request(request: InfillRequest): WireRequest;
}

/** One way to have a text made a vector. */
export interface EmbeddingWay {
  readonly name: string;
  request(text: string): WireRequest;
  /** `null`: the reply holds no vector. */
  read(reply: unknown): Embedding | null;
}

/** One way to continue a conversation. */
export interface ConversationWay {
  readonly name: string;
  request(request: ConversationRequest): WireRequest;
}

/** The ways in which a server may give each thing, best first; empty where its API has no such request. */
export interface OfferedWays {
  readonly symbols: readonly ExtractionWay[];
  /** The letter the server writes. */
  readonly generated: ExtractionWay;
  readonly tokenScores: readonly SequenceWay[];
  readonly completions: readonly CompletionWay[];
  readonly infill: readonly InfillWay[];
  readonly embeddings: readonly EmbeddingWay[];
  readonly conversations: readonly ConversationWay[];
}
