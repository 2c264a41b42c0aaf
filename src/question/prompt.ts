import { promptName } from "../base/language.js";
import { fillTemplateBy, loadPrompt, type PromptTemplate } from "../base/prompt-template.js";
import { symbolsFor } from "../base/symbol.js";
import type { ChangeType, Example } from "../dataset/example.js";
import type { Order } from "./permutations.js";
import type { Question, StemValues } from "./question.js";

const PHRASES: Readonly<Record<ChangeType, string>> = {
  add: "only add new lines of code",
  delete: "only delete existing lines of code",
  modify: "modify the code",
};

/** A change type in the words of the paper's prompts. */
export function changeTypePhrase(changeType: ChangeType): string {
  return PHRASES[changeType];
}

/** Values that every prompt of the paper shows: language, numbered pre-review code, review. */
export function commonStem(example: Pick<Example, "language" | "preReviewLines" | "review">): StemValues {
  return {
    lang: promptName(example.language),
    code_snippet: example.preReviewLines.map((line, i) => `${i + 1} ${line}`).join("\n"),
    code_review: example.review,
  };
}

export { fillTemplate, type PromptTemplate, placeholdersOf } from "../base/prompt-template.js";

/** Loads `prompts/<set>/<task>.txt`, to the byte. */
export function loadTemplate(task: string, set = "paper"): Promise<PromptTemplate> {
  return loadPrompt(`${set}/${task}`);
}

/** The placeholders of a question's options: `option_a`, `option_b` and so on. */
export function optionNames(optionCount: number): readonly string[] {
  const known = knownNames.get(optionCount);
  if (known !== undefined) return known;
  const names = symbolsFor(optionCount).map((symbol) => `option_${symbol.toLowerCase()}`);
  knownNames.set(optionCount, names);
  return names;
}

/** Names by number of options: all questions share them. */
const knownNames = new Map<number, readonly string[]>();

/**
 * The prompt that shows the question's options in this order: `option_a` is the option at the first symbol, and so on.
 * @throws Error when the template names a value the question does not have
 */
export function renderPrompt(template: PromptTemplate, { options, stem }: Question, order: Order): string {
  const names = optionNames(options.length);
  return fillTemplateBy(template, (name) =>
    Object.hasOwn(stem, name) ? stem[name] : options[order[names.indexOf(name)] ?? -1],
  );
}
