import type { LlamaModel, Token } from "node-llama-cpp";
import type { ChoiceSymbol } from "../../base/symbol.js";

/** The tokens that decode to each symbol. */
export type SymbolTokens = ReadonlyMap<ChoiceSymbol, readonly Token[]>;

/**
 * Finds, in the whole vocabulary, all tokens that decode to a symbol, with or without spaces before it: `A`, ` A`,
 * `▁A`, a byte token. Compared by decoded text, so no variant is missed and none is guessed (spec §4.1).
 */
export function findSymbolTokens(model: LlamaModel, symbols: readonly ChoiceSymbol[]): SymbolTokens {
  const found = new Map<ChoiceSymbol, Token[]>(symbols.map((symbol) => [symbol, []]));
  for (const token of model.iterateAllTokens()) {
    const text = model.detokenize([token], true).replace(/^[ \u2581]+/, "");
    found.get(text as ChoiceSymbol)?.push(token);
  }
  return found;
}
