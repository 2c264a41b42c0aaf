import { fillTemplate, loadPrompt, type PromptTemplate } from "../../../base/prompt-template.js";
import { symbolsFor } from "../../../base/symbol.js";
import type { Question } from "../example/question.js";
import type { Order } from "./permutations.js";

export { fillTemplate, type PromptTemplate, placeholdersOf } from "../../../base/prompt-template.js";

/** Loads `prompts/<set>/<task>.txt`, to the byte. */
export function loadTemplate(task: string, set = "paper"): Promise<PromptTemplate> {
  return loadPrompt(`${set}/${task}`);
}

/** The placeholders of a question's options: `option_a`, `option_b` and so on. */
export function optionNames(optionCount: number): string[] {
  return symbolsFor(optionCount).map((symbol) => `option_${symbol.toLowerCase()}`);
}

/**
 * The prompt that shows the question's options in this order: `option_a` is the option at the first symbol, and so on.
 * @throws Error when the template names a value the question does not have
 */
export function renderPrompt(template: PromptTemplate, question: Question, order: Order): string {
  const options = optionNames(question.options.length).flatMap((name, position) => {
    const option = question.options[order[position] ?? -1];
    return option === undefined ? [] : [[name, option] as const];
  });
  return fillTemplate(template, { ...Object.fromEntries(options), ...question.stem });
}
