import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../base/package-root.js";
import { sha256 } from "../../../base/sha256.js";
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

/**
 * The prompt that shows the question's options in this order: `option_a` is the option at the first symbol, and so on.
 * @throws Error when the template names a value the question does not have
 */
export function renderPrompt(template: PromptTemplate, question: Question, order: Order): string {
  const options = ["option_a", "option_b", "option_c", "option_d"].flatMap((name, position) => {
    const option = question.options[order[position] ?? -1];
    return option === undefined ? [] : [[name, option] as const];
  });
  return fillTemplate(template, { ...Object.fromEntries(options), ...question.stem });
}

/**
 * The template with its placeholders replaced, in one pass, so that code or a review that holds `{code_review}` stays as
 * it is.
 * @throws Error when the template names a value that is not given
 */
export function fillTemplate(template: PromptTemplate, values: StemValues): string {
  return template.text.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`Template ${template.id} names {${name}}, which is not given.`);
    return value;
  });
}
