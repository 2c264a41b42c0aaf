import { writeAtomically } from "../../store/atomic-write.js";

/** Where the description of a data file's origin stands. */
export function sourceFilePath(path: string): string {
  return `${path}.source.json`;
}

/** Where an unfinished import of a repository stands. */
export function progressPath(path: string): string {
  return `${path}.partial.jsonl`;
}

/** Writes where a data file came from beside it. */
export async function writeSourceFile(path: string, description: object): Promise<void> {
  await writeAtomically(sourceFilePath(path), (append) => append(`${JSON.stringify(description, null, 2)}\n`));
}
