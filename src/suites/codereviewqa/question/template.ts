import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../base/package-root.js";
import { sha256 } from "../../../base/sha256.js";
import { symbolsFor } from "../../../base/symbol.js";
import type { Question, StemValues } from "../example/question.js";
import type { Order } from "./permutations.js";

/** A versioned prompt template. */
export interface PromptTemplate {
  /** Such as `paper/CL`. */
  readonly id: string;
  readonly text: string;
  /** SHA-256 of the template's bytes; goes into every result. */
  readonly sha256: string;
}

/** Loads `prompts/<set>/<task>.txt`, to the byte. */
export async function loadTemplate(task: string, set = "paper"): Promise<PromptTemplate> {
  const text = await readFile(join(packageRoot, "prompts", set, `${task}.txt`), "utf8");
  return { id: `${set}/${task}`, text, sha256: sha256(text) };
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

const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** The placeholders that a template names, in order, each once. */
export function placeholdersOf({ text }: Pick<PromptTemplate, "text">): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name ?? ""))];
}

/**
 * The template with its placeholders replaced, in one pass, so that code or a review that holds `{code_review}` stays as
 * it is.
 * @throws Error when the template names a value that is not given
 */
export function fillTemplate(template: PromptTemplate, values: StemValues): string {
  return template.text.replace(PLACEHOLDER, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`Template ${template.id} names {${name}}, which is not given.`);
    return value;
  });
}
