import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "./folders.js";
import { sha256 } from "./sha256.js";

/** A versioned prompt template. */
export interface PromptTemplate {
  /** Such as `paper/CL`. */
  readonly id: string;
  readonly text: string;
  /** SHA-256 of the template's bytes; goes into every result. */
  readonly sha256: string;
}

/** Loads `prompts/<id>.txt`, to the byte. */
export async function loadPrompt(id: string): Promise<PromptTemplate> {
  const text = await readFile(join(packageRoot, "prompts", `${id}.txt`), "utf8");
  return { id, text, sha256: sha256(text) };
}

/** Loads the templates of a folder of `prompts/`, by their names. */
export async function loadPromptsIn<const Name extends string>(
  folder: string,
  names: readonly Name[],
): Promise<Readonly<Record<Name, PromptTemplate>>> {
  const entries = names.map(async (name) => [name, await loadPrompt(`${folder}/${name}`)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, PromptTemplate>;
}

const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** The placeholders that a template names, in order, each once. */
export function placeholdersOf({ text }: Pick<PromptTemplate, "text">): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name ?? ""))];
}

/**
 * The template with its placeholders replaced, in one pass, so that what is put in stays as it is, also where it holds
 * `{code_review}`.
 * @throws Error when the template names a value that is not given
 */
export function fillTemplate(template: PromptTemplate, values: Readonly<Record<string, string>>): string {
  return fillTemplateBy(template, (name) => (Object.hasOwn(values, name) ? values[name] : undefined));
}

/** Variant of `fillTemplate` for values that are looked up by their names; `undefined`: not given. */
export function fillTemplateBy(template: PromptTemplate, lookUp: (name: string) => string | undefined): string {
  const pieces = piecesOf(template.text);
  let text = pieces[0] ?? "";
  for (let i = 1; i < pieces.length; i += 2) {
    const name = pieces[i] ?? "";
    const value = lookUp(name);
    if (value === undefined) throw new Error(`Template ${template.id} names {${name}}, which is not given.`);
    text += value + (pieces[i + 1] ?? "");
  }
  return text;
}

const knownPieces = new Map<string, readonly string[]>();
const MOST_KNOWN = 100;

/**
 * A template cut at its placeholders, whose names are every other piece, once: each question fills it in as many times as
 * its options have orders.
 */
function piecesOf(text: string): readonly string[] {
  const known = knownPieces.get(text);
  if (known !== undefined) return known;
  if (knownPieces.size >= MOST_KNOWN) knownPieces.clear();
  const pieces = text.split(PLACEHOLDER);
  knownPieces.set(text, pieces);
  return pieces;
}
