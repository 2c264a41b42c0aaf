import { asLogprob, type ChoiceSymbol, type Logprob } from "../../base/symbol.js";
import { errorOfContent } from "../http/request-error.js";
import type { SymbolScore } from "../requests.js";
import { faultOfNumbers, type ReportedPosition, type ReportedToken, readPosition } from "./reported-tokens.js";
import type { ExtractionWay, WireReply } from "./ways.js";

/**
 * Scores of symbols as a reply reports them.
 * @throws RequestError where it reports none, or numbers that are no log probabilities
 */
export function readScores(
  { json, text }: WireReply,
  { tokenTexts, listLength }: Pick<ExtractionWay, "tokenTexts" | "listLength">,
  symbols: readonly ChoiceSymbol[],
): ReadonlyMap<ChoiceSymbol, SymbolScore> {
  const position = readPosition(json, tokenTexts);
  if (position === null || position.top.length === 0) throw errorOfContent("without log probabilities", text);
  const fault = faultOfNumbers(position);
  if (fault !== null) throw errorOfContent(`the server ${fault}`, text);
  return scoreSymbols(position, symbols, listLength);
}

/** Spaces before a letter, as tokenizers write them: itself, SentencePiece's `▁`, byte-level BPE's `Ġ`. */
const SPACES = [Buffer.from(" "), Buffer.from("\u2581"), Buffer.from("\u0120")];

/** The symbol a token decodes to, spaces before it left out; `null` for any other token. Compared byte by byte. */
export function symbolOfToken(token: ReportedToken, symbols: readonly ChoiceSymbol[]): ChoiceSymbol | null {
  let bytes = token.bytes;
  for (let space = leadingSpace(bytes); space > 0; space = leadingSpace(bytes)) bytes = bytes.subarray(space);
  return bytes.length === 1 ? (symbols.find((symbol) => symbol.charCodeAt(0) === bytes[0]) ?? null) : null;
}

function leadingSpace(bytes: Buffer): number {
  return SPACES.find((space) => bytes.subarray(0, space.length).equals(space))?.length ?? 0;
}

/** Spellings of a symbol that a vocabulary may hold beside each other: `A`, ` A`, a byte token, and one to spare. */
const MAX_VARIANTS = 4;

/**
 * The score of every symbol from the most probable tokens (spec §4.1): the probabilities of all its variants among them
 * summed. What is not among them is bounded: each variant is at most as probable as the last token of the list, and all
 * together at most as probable as what the list leaves over. A symbol with no variant among them is unknown; one with
 * some is known, but for the variants that may be missing.
 * @param listLength how many tokens were asked for; a list may hold one more, the sampled one, which bounds nothing.
 * `Infinity`: the symbols' tokens were asked for by name, and none is missing
 */
export function scoreSymbols(
  position: ReportedPosition,
  symbols: readonly ChoiceSymbol[],
  listLength: number,
): ReadonlyMap<ChoiceSymbol, SymbolScore> {
  const variants = new Map<ChoiceSymbol, number[]>();
  for (const token of position.top) {
    const symbol = symbolOfToken(token, symbols);
    if (symbol !== null) variants.set(symbol, [...(variants.get(symbol) ?? []), token.logprob]);
  }
  const unlisted = unlistedBound(position, listLength);
  return new Map(
    symbols.map((symbol): [ChoiceSymbol, SymbolScore] => {
      const logprobs = variants.get(symbol);
      if (logprobs === undefined) return [symbol, { status: "unknown", upperBound: unlisted(MAX_VARIANTS) }];
      const logprob = logSum(logprobs);
      if (!Number.isFinite(listLength)) return [symbol, { status: "known", logprob }];
      const missing = unlisted(Math.max(0, MAX_VARIANTS - logprobs.length));
      const upperBound = missing === null ? logprob : logSum([logprob, missing]);
      return [symbol, { status: "known", logprob, upperBound }];
    }),
  );
}

/** The logarithm of the sum, taken relative to the largest: the exponential of -800 alone is 0. */
function logSum(logprobs: readonly number[]): Logprob {
  const largest = Math.max(...logprobs);
  if (largest === Number.NEGATIVE_INFINITY) return largest as Logprob;
  const sum = logprobs.reduce((total, logprob) => total + Math.exp(logprob - largest), 0);
  // The numbers are checked (`faultOfNumbers`): those of several variants pass 1 together by a rounding at most.
  return asLogprob(largest + Math.log(sum));
}

/** Reported probabilities are rounded: a whole vocabulary's sum to 1 only this closely (llama.cpp: 1.0000087). */
const REST_ERROR = 1e-5;

/** The most that so many unlisted tokens can be together; `null` when the list says nothing. */
function unlistedBound({ top, sampled }: ReportedPosition, listLength: number): (tokens: number) => Logprob | null {
  if (top.length === 0) return () => null;
  const rest = 1 - top.reduce((mass, { logprob }) => mass + Math.exp(logprob), 0);
  const byRest = Math.log(Math.max(rest, 0) + REST_ERROR);
  // A server may list fewer than were asked for, and the sampled one after them.
  const ranked = Number.isFinite(listLength) ? top.slice(0, listLength) : [];
  const last = ranked.findLast((token) => sampled === null || !isSame(token, sampled));
  // A bound, not a number that was reported: nothing is more probable than 1.
  return (tokens) => Math.min(0, byRest, last === undefined ? 0 : last.logprob + Math.log(tokens)) as Logprob;
}

function isSame(a: ReportedToken, b: ReportedToken): boolean {
  return a.logprob === b.logprob && a.bytes.equals(b.bytes);
}
