import { type ChoiceSymbol, symbolsFor } from "../../base/symbol.js";

/** A question whose answer is known, to see whether a server reports what it should. */
export interface CanaryPrompt {
  readonly text: string;
  /** The symbol a model that reads the prompt gives; `null` where no symbol answers it. */
  readonly right: ChoiceSymbol | null;
  /** Prompts with the same name are the same text. */
  readonly name: string;
}

const OPTIONS = ["the first", "the second", "the third", "the fourth"];

/** The symbols of a canary: as many as there are options in most probes. */
export const CANARY_SYMBOLS = symbolsFor(OPTIONS.length);

/** In the form of the paper's prompts, with the answer given away. */
function forced(right: ChoiceSymbol): CanaryPrompt {
  const lines = [
    "",
    "### The following is a multiple choice question (with answers). ",
    `Question: The right answer to this question is the letter ${right}. Which answer is right?`,
    "### Possible answers:",
    ...CANARY_SYMBOLS.map((symbol, i) => `${symbol}. ${OPTIONS[i] ?? ""}`),
    "### Answer with the letter symbol only. Answer:",
    "",
  ];
  return { text: lines.join("\n"), right, name: `forced ${right}` };
}

/**
 * Four forced questions whose right letter moves, the first of them again, and a sentence that no letter continues: the
 * first show that the numbers follow the prompt, the second that they repeat, the third what masking does to them.
 */
export function canaryPrompts(): readonly CanaryPrompt[] {
  const first = CANARY_SYMBOLS.slice(0, 1).map(forced);
  const free: CanaryPrompt = { text: "The capital of France is the city of", right: null, name: "free" };
  return [...CANARY_SYMBOLS.map(forced), ...first, free];
}
