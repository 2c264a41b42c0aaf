import { createTwoFilesPatch } from "diff";
import { languageOfFile } from "../../../base/file-language.js";
import { hash32, seededIntegers, shuffled } from "../../../base/random.js";
import { loadSyntax, type Syntax } from "../../../syntax/load.js";
import { type Mutation, type MutationOperator, mutated, mutationsOf } from "../../../syntax/mutate.js";
import type { CodeText } from "../../adapter.js";

/** A file with one small fault in it. */
export interface Mutant {
  readonly file: CodeText;
  readonly operator: MutationOperator;
  /** Where the fault is, from 1. */
  readonly line: number;
  /** From the file as it was, with a line of context. */
  readonly diff: string;
}

/** What was drawn. */
export interface MutantDraw {
  /** In the order drawn. */
  readonly mutants: readonly Mutant[];
  /** Why there are none; `null`: there are. */
  readonly reason: string | null;
}

/** A file, how it is read, and a fault that can be put into it. */
interface Place {
  readonly file: CodeText;
  readonly syntax: Syntax;
  readonly mutation: Mutation;
}

/**
 * Draws so many different mutants of some files at random, all faults alike; all where there are fewer. The same for the
 * same seed on every machine.
 * @param owner what they are mutants of: two tasks draw by themselves
 */
export async function drawMutants(
  files: readonly CodeText[],
  { count, seed, owner }: { readonly count: number; readonly seed: number; readonly owner: string },
): Promise<MutantDraw> {
  const places: Place[] = [];
  const unknown: string[] = [];
  for (const file of files) {
    const language = languageOfFile(file.path);
    if (language === null) {
      unknown.push(file.path);
      continue;
    }
    const syntax = await loadSyntax(language);
    places.push(...mutationsOf(syntax, file.text).map((mutation) => ({ file, syntax, mutation })));
  }
  const mutants: Mutant[] = [];
  const seen = new Set<string>();
  for (const place of shuffled(places, seededIntegers(hash32(owner, seed)))) {
    if (mutants.length === count) break;
    const mutant = mutantAt(place);
    const key = JSON.stringify(mutant?.file);
    if (mutant === null || seen.has(key)) continue;
    seen.add(key);
    mutants.push(mutant);
  }
  if (mutants.length > 0) return { mutants, reason: null };
  if (unknown.length > 0) return { mutants, reason: `no grammar reads ${unknown.join(", ")}` };
  return { mutants, reason: "there is nothing in its code to put a fault into" };
}

function mutantAt({ file: { path, text }, syntax, mutation }: Place): Mutant | null {
  const changed = mutated(syntax, text, mutation);
  if (changed === null) return null;
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, text, changed, undefined, undefined, { context: 1 });
  return {
    file: { path, text: changed },
    operator: mutation.operator,
    line: text.slice(0, mutation.start).split("\n").length,
    diff: patch.replace(/^=+\n/, ""),
  };
}
