import type { Capability, Model } from "./model.js";

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

/** Which of these a model cannot do, in words that follow "can": `a, b and c`; `null` when it can do all. */
export function missingCapabilities(model: Model, needs: readonly Capability[]): string | null {
  const missing = [...new Set(needs)].filter((need) => model[METHODS[need]] === undefined);
  return missing.length === 0 ? null : LIST.format(missing.map((need) => TITLES[need]));
}
