import type { CodeFile, Edit } from "./code-file.js";

/** Smell that can be put into code. */
export interface Candidate {
  /** Name of what it is made of, by which it is made once. */
  readonly key: string;
  /** Edits by the paths of files. */
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
  /** File, class, function. */
  readonly place: readonly [string, string | null, string | null];
  /** Sentence for an agent that is told of the file. */
  readonly guided: string;
  /** Sentence for one that is told of class and function too. */
  readonly targeted: string;
}

/** Edits put together by the paths of files. */
export function editsBy(pairs: readonly (readonly [CodeFile, Edit])[]): Map<string, Edit[]> {
  const found = new Map<string, Edit[]>();
  for (const [{ path }, edit] of pairs) found.set(path, [...(found.get(path) ?? []), edit]);
  return found;
}
