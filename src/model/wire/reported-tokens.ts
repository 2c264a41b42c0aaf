import { z } from "zod";
import { asLogprob, type ChoiceSymbol, faultOfLogprobs, type Logprob } from "../../base/symbol.js";
import { errorOfContent } from "../http/request-error.js";
import type { SymbolScore } from "../requests.js";
import { generatedTokens, requireAnsweredReply, toldCount, toldUsage } from "./completion-reply.js";
import type { ExtractionWay, WireReply } from "./ways.js";

/** A token that a server reported, by the bytes it decodes to. */
export interface ReportedToken {
  readonly bytes: Buffer;
  /** Nats. */
  readonly logprob: number;
}

/** Report of a server on the first token after the prompt. */
export interface ReportedPosition {
  /** The token it chose; `null` when it did not say. */
  readonly sampled: ReportedToken | null;
  /** The most probable tokens, best first. */
  readonly top: readonly ReportedToken[];
}

const entry = z.looseObject({
  token: z.string().nullish(),
  tok_str: z.string().nullish(),
  text: z.string().nullish(),
  bytes: z.array(z.number()).nullish(),
  logprob: z.number().nullish(),
});
const chatPosition = entry.extend({ top_logprobs: z.array(entry).nullish() });
const legacyLogprobs = z.looseObject({
  tokens: z.array(z.string()).nullish(),
  token_logprobs: z.array(z.number().nullable()).nullish(),
  top_logprobs: z.array(z.record(z.string(), z.number().nullable()).nullable()).nullish(),
});

const replySchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        logprobs: z.union([z.looseObject({ content: z.array(chatPosition) }), legacyLogprobs]).nullish(),
      }),
    )
    .nullish(),
  completion_probabilities: z.array(chatPosition).nullish(),
  details: z.looseObject({ tokens: z.array(entry).nullish(), top_tokens: z.array(z.array(entry)).nullish() }).nullish(),
});

/** Servers write this for "too improbable to say" (OpenAI, vLLM): it is not a log probability. */
const SENTINEL = -9990;

/**
 * Reads the first position of a reply in any of the shapes that servers use: legacy maps and chat-shaped lists of
 * OpenAI's API (either endpoint may answer in either), llama.cpp's own `/completion`, TGI's `details`.
 * @param tokenTexts texts of the tokens that are named by their ids
 * @returns `null` when the reply holds no log probabilities, or a list with gaps
 */
export function readPosition(
  reply: unknown,
  tokenTexts: ReadonlyMap<string, string> = new Map(),
): ReportedPosition | null {
  const position = readNamed(reply);
  if (position === null || tokenTexts.size === 0) return position;
  const named = (token: ReportedToken): ReportedToken => {
    const text = tokenTexts.get(token.bytes.toString("utf8"));
    return text === undefined ? token : { ...token, bytes: Buffer.from(text) };
  };
  return { sampled: position.sampled && named(position.sampled), top: position.top.map(named) };
}

function readNamed(reply: unknown): ReportedPosition | null {
  const parsed = replySchema.safeParse(reply);
  if (!parsed.success) return null;
  const { choices, completion_probabilities: native, details } = parsed.data;
  const logprobs = choices?.[0]?.logprobs;
  if (logprobs != null && "content" in logprobs && Array.isArray(logprobs.content)) {
    return fromChat(logprobs.content[0] as z.infer<typeof chatPosition> | undefined);
  }
  if (logprobs != null) return fromLegacy(logprobs as z.infer<typeof legacyLogprobs>);
  if (native != null) return fromChat(native[0]);
  if (details != null) return fromTgi(details.tokens?.[0], details.top_tokens?.[0]);
  return null;
}

function fromChat(position: z.infer<typeof chatPosition> | undefined): ReportedPosition | null {
  if (position === undefined) return null;
  return positionOf(toToken(position), position.top_logprobs ?? []);
}

function fromLegacy(logprobs: z.infer<typeof legacyLogprobs>): ReportedPosition | null {
  const [text] = logprobs.tokens ?? [];
  const [logprob] = logprobs.token_logprobs ?? [];
  const top = Object.entries(logprobs.top_logprobs?.[0] ?? {}).map(([token, value]) => ({ token, logprob: value }));
  return positionOf(text === undefined ? null : toToken({ token: text, logprob: logprob ?? null }), top);
}

function fromTgi(
  sampled: z.infer<typeof entry> | undefined,
  top: z.infer<typeof entry>[] | undefined,
): ReportedPosition | null {
  return positionOf(sampled === undefined ? null : toToken(sampled), top ?? []);
}

/**
 * A position without a single number says nothing. A token listed without its number (a NaN that became null) leaves a
 * gap: it may be more probable than the last of the list, so nothing unreported is bounded by that.
 */
function positionOf(sampled: ReportedToken | null, top: readonly z.infer<typeof entry>[]): ReportedPosition | null {
  if (top.some(({ logprob }) => logprob == null)) return null;
  const reported = top
    .map(toToken)
    .filter((token) => token !== null)
    .sort((a, b) => b.logprob - a.logprob);
  return reported.length === 0 && sampled === null ? null : { sampled, top: reported };
}

function toToken(value: z.infer<typeof entry>): ReportedToken | null {
  const text = value.token ?? value.tok_str ?? value.text;
  if (value.logprob == null || value.logprob <= SENTINEL || (text == null && value.bytes == null)) return null;
  // `bytes` is what the token decodes to; the text may be cut or stripped.
  const bytes = value.bytes == null || value.bytes.length === 0 ? Buffer.from(text ?? "") : Buffer.from(value.bytes);
  return { bytes, logprob: value.logprob };
}

/**
 * Fault that keeps the numbers of a position from being log probabilities of one distribution, in words that follow "it";
 * `null`: nothing. The rule of the check before a run, and of every reply in it.
 */
export function faultOfNumbers({ sampled, top }: ReportedPosition): string | null {
  const logprobs = top.map(({ logprob }) => logprob);
  return (sampled === null ? null : faultOfLogprobs([sampled.logprob])) ?? faultOfLogprobs(logprobs);
}

/**
 * Scores of symbols as a reply reports them.
 * @throws RequestError `refused` where a server did not answer, `bad_response` where it reports none, or numbers that are
 * no log probabilities
 */
export function readScores(
  reply: WireReply,
  { tokenTexts, listLength }: Pick<ExtractionWay, "tokenTexts" | "listLength">,
  symbols: readonly ChoiceSymbol[],
): ReadonlyMap<ChoiceSymbol, SymbolScore> {
  requireAnsweredReply(reply);
  const { json, text } = reply;
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

const meteredReply = z.looseObject({
  usage: toldUsage.extend({ prompt_tokens_details: z.looseObject({ cached_tokens: toldCount }).nullish() }).nullish(),
  tokens_evaluated: toldCount,
  tokens_predicted: toldCount,
  timings: z.looseObject({ cache_n: toldCount }).nullish(),
});

/** Prompt tokens, and those of them that came from a cache, where the reply tells. */
export function readMeter(reply: unknown): { promptTokens: number | null; cachedTokens: number | null } {
  const parsed = meteredReply.safeParse(reply);
  if (!parsed.success) return { promptTokens: null, cachedTokens: null };
  const { usage, tokens_evaluated: evaluated, timings } = parsed.data;
  return {
    promptTokens: usage?.prompt_tokens ?? evaluated ?? null,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? timings?.cache_n ?? null,
  };
}

/** Tokens generated, where the reply tells. */
export function readGenerated(reply: unknown): number | null {
  const { data } = meteredReply.safeParse(reply);
  return generatedTokens(data?.usage) ?? data?.tokens_predicted ?? null;
}
