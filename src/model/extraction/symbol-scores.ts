import type { ChoiceSymbol, Logprob } from "../../domain/symbol.js";
import type { SymbolScore } from "../model.js";
import type { ReportedPosition, ReportedToken } from "./reported-tokens.js";

/** How tokenizers write a space before a letter: itself, SentencePiece's `▁`, byte-level BPE's `Ġ`. */
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
 * summed. A symbol with no variant among them is unknown, and bounded: each variant is at most as probable as the last
 * token of the list, and all together at most as probable as what the list leaves over.
 * @param listLength how many tokens were asked for; a list may hold one more, the sampled one, which bounds nothing
 */
export function scoreSymbols(
  position: ReportedPosition,
  symbols: readonly ChoiceSymbol[],
  listLength: number,
): ReadonlyMap<ChoiceSymbol, SymbolScore> {
  const sums = new Map<ChoiceSymbol, number>();
  for (const token of position.top) {
    const symbol = symbolOfToken(token, symbols);
    if (symbol !== null) sums.set(symbol, (sums.get(symbol) ?? 0) + Math.exp(token.logprob));
  }
  const bound = unreportedBound(position, listLength);
  return new Map(
    symbols.map((symbol) => {
      const sum = sums.get(symbol);
      return [symbol, sum === undefined ? { status: "unknown", upperBound: bound } : known(sum)];
    }),
  );
}

function known(probability: number): SymbolScore {
  // Rounded numbers of several variants can pass 1 together by a little.
  return { status: "known", logprob: Math.min(0, Math.log(probability)) as Logprob };
}

function unreportedBound({ top }: ReportedPosition, listLength: number): Logprob | null {
  const last = top[Math.min(listLength, top.length) - 1];
  if (last === undefined) return null;
  const rest = 1 - top.reduce((mass, { logprob }) => mass + Math.exp(logprob), 0);
  // Reported numbers are rounded: what is left over is known to about 1e-6.
  const byRest = Math.log(Math.max(rest, 0) + 1e-6);
  return Math.min(0, last.logprob + Math.log(MAX_VARIANTS), byRest) as Logprob;
}
