import type { ChoiceSymbol } from "../../domain/symbol.js";
import type { Extraction } from "../model.js";

/** What a request looks like, before it is sent. */
export interface WireRequest {
  /** After the server's root or its API's base, as the provider sees fit. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
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
