import type { ChoiceSymbol } from "../../base/symbol.js";
import type { ConversationRequest } from "../conversation.js";
import type { Capability, CompletionRequest, Embedding, Extraction, InfillRequest, Think } from "../requests.js";
import type { SequenceReading } from "./sequence-scores.js";

/** Fields of a body, or of a part of one. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request before it is sent. */
export interface WireRequest {
  /** Path after the server's root or its API's base, as the dialect sees fit. */
  readonly path: string;
  readonly body: Fields;
}

/** JSON of a reply, and its text for error messages. */
export interface WireReply {
  readonly json: unknown;
  readonly text: string;
}

/** A prompt as text, or as the token ids it stands for. */
export type WirePrompt = string | readonly number[];

/** Changes to the bodies of a way's requests, learnt from what a server refused by name. */
export interface BodyChanges {
  /** Parameters that are not sent. */
  readonly leftOut: readonly string[];
  /** Parameters that go by another name: the usual one, and the server's. */
  readonly renamed: readonly (readonly [string, string])[];
  /** Set where the server does not take `off`: nothing is said of thoughts. */
  readonly asModel?: true;
}

/** A way whose requests may be changed. */
export interface Changeable {
  readonly changes?: BodyChanges;
  /** Parameters without which the way is none. */
  readonly keeps?: readonly string[];
  /** Parameters that switch thoughts off though no option asked for that; absent: none do. */
  readonly off?: readonly string[];
}

/**
 * Forms of a written letter: nothing but it, a JSON object with it, or the argument of a call. The name of the property is
 * `answer` in both of the latter.
 */
export type LetterForm = "letter" | "json" | "call";

/** One way to take an answer from a server: the request, and the meaning of the numbers in its reply. */
export interface ExtractionWay extends Changeable {
  readonly name: string;
  readonly extraction: Extraction;
  /** `true` where the answer is restricted to the symbols. */
  readonly isGuided: boolean;
  /** Tokens asked for; `Infinity`: exactly the symbols' own. */
  readonly listLength: number;
  /** Texts of the tokens that a reply names by their ids. */
  readonly tokenTexts?: ReadonlyMap<string, string>;
  /** Form of a letter that is written, without probabilities; absent for all other ways. */
  readonly form?: LetterForm;
  /** `true` where there is room for thoughts before the letter; else it is asked for as one token. */
  readonly isRoomy?: boolean;
  /** Present where the text can be continued: thoughts first, and the letter behind them. */
  readonly thinks?: ThinkWay;
  request(prompt: WirePrompt, symbols: readonly ChoiceSymbol[], think?: Think): WireRequest;
}

/** Texts that open and close thoughts. */
export interface ThinkMarks {
  readonly open: string;
  readonly close: string;
}

/** Marks of known families, in the order in which templates are searched for them. */
export const KNOWN_MARKS: readonly ThinkMarks[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<seed:think>", "</seed:think>"],
  ["<reasoning>", "</reasoning>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
].map(([open = "", close = ""]) => ({ open, close }));

/** Requests by which a server that continues texts has its model think in its own template. */
export interface ThinkWay extends ThinkMarks {
  /** Tokens of the context; `null`: not told. */
  readonly contextSize: number | null;
  /** The prompt in the template, up to the reply: its text, or its ids. */
  render(prompt: string, think: Think): WireRequest;
  /** Ids of a text in which special tokens are read. */
  tokenize(text: string, isWhole: boolean): WireRequest;
  detokenize(tokens: readonly number[]): WireRequest;
  /** At most so many tokens behind those, to the end of the thoughts. */
  generate(tokens: readonly number[], most: number): WireRequest;
}

/** One way to have a whole text scored. */
export interface SequenceWay extends Changeable {
  readonly name: string;
  request(text: string): WireRequest;
  /** Scores of this text, or a fault in their place. */
  read(reply: unknown, text: string): SequenceReading;
}

/** One way to have a prompt continued. */
export interface CompletionWay extends Changeable {
  readonly name: string;
  request(prompt: WirePrompt, request: CompletionRequest): WireRequest;
}

/** One way to have a gap filled. */
export interface InfillWay extends Changeable {
  readonly name: string;
  request(request: InfillRequest): WireRequest;
}

/** One way to have a text made a vector. */
export interface EmbeddingWay extends Changeable {
  readonly name: string;
  request(text: string): WireRequest;
  /** `null`: the reply holds no vector. */
  read(reply: unknown): Embedding | null;
}

/** One way to continue a conversation. */
export interface ConversationWay extends Changeable {
  readonly name: string;
  /** Set where it asks for thoughts: those in a text are none of it. */
  readonly thinks?: boolean;
  /** Fields of a message by which its service wants its thoughts back; absent: it wants none. */
  readonly handedBack?: readonly string[];
  request(request: ConversationRequest): WireRequest;
}

/** Kind of way to each capability. */
export interface Ways {
  readonly symbols: ExtractionWay;
  readonly token_scores: SequenceWay;
  readonly completions: CompletionWay;
  readonly infill: InfillWay;
  readonly embeddings: EmbeddingWay;
  readonly conversations: ConversationWay;
  readonly tools: ConversationWay;
}

/** Ways in which a server may give each capability, best first; none where its API has no such request. */
export type OfferedWays = { readonly [C in Capability]: readonly Ways[C][] };

/** The way that is used for each capability; `null`: it was not asked for, or there is none. */
export type UsedWays = { readonly [C in Capability]: Ways[C] | null };

/** The way to a plain list of the most probable tokens. */
export function listWay(name: string, listLength: number, request: ExtractionWay["request"]): ExtractionWay {
  return { name, extraction: "top_logprobs", isGuided: false, listLength, request };
}

/** A letter that a server writes, without probabilities: the last of all ways to an answer. */
export function letterWay(
  name: string,
  form: LetterForm,
  request: ExtractionWay["request"],
  more: Pick<ExtractionWay, "isRoomy" | "keeps"> = {},
): ExtractionWay {
  return { name, extraction: "generated", isGuided: false, listLength: 0, form, request, ...more };
}

/** The letter as the one token that a server writes. */
export function generatedWay(request: ExtractionWay["request"]): ExtractionWay {
  return letterWay("generated letter", "letter", request);
}

/** An embedding; `null` for a vector of zeros, which has no direction to compare. */
export function embeddingOf(values: readonly number[], pooling: string): Embedding | null {
  return values.some((value) => value !== 0) ? { vector: values, pooling } : null;
}
