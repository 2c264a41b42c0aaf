import type { LlamaModel, Token } from "node-llama-cpp";

/** The special tokens that mark the parts of a fill-in-the-middle prompt. */
interface FimTokens {
  readonly prefix: Token;
  readonly suffix: Token;
  readonly middle: Token;
}

/** `null` for a model that was not made to fill gaps. */
export function fimTokensOf(model: LlamaModel): FimTokens | null {
  const { prefix, suffix, middle } = model.tokens.infill;
  return prefix === null || suffix === null || middle === null ? null : { prefix, suffix, middle };
}

/**
 * The prompt for what stands between `before` and `after`: prefix, suffix, middle, as the models are trained. A
 * tokenizer that puts a space before a text does so before the first part only, as Code Llama's own code does.
 */
export function fimPrompt(model: LlamaModel, fim: FimTokens, before: string, after: string): Token[] {
  const suffix = model.tokenize(after, false, "trimLeadingSpace");
  return [fim.prefix, ...model.tokenize(before), fim.suffix, ...suffix, fim.middle];
}
