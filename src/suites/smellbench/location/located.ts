import { type PatchedFile, patchedFiles } from "../../../workspace/patched-files.js";
import type { SmellPlace } from "../case/smell-case.js";
import type { LineSpan } from "./smelly-lines.js";
import { smellyLines } from "./smelly-lines.js";

/** Whether a patch is where the smell is. */
export interface Located {
  /** Whether it changes a line of the smelly class or method; `null`: the smelly tree has none of that name. */
  readonly la: boolean | null;
  /** Whether it changes the smelly file. */
  readonly laFile: boolean;
  /** Why `la` is not known; `null`: it is. */
  readonly reason: string | null;
}

/**
 * Localization accuracy (LA), as we define it: no code for the paper's was released. A patch is located if it changes a line
 * of the smelly class or method in the smelly tree: removes or replaces one, or adds one behind a line of it that is not its
 * last. Lines are those of a diff that follows no renames: who renames or deletes the file, writes it anew or changes its
 * line ends changes every line.
 * @param smelly the file with the smell; `null`: there is none
 */
export async function locate(place: SmellPlace, smelly: string | null, patch: string): Promise<Located> {
  const files = patchedFiles(patch).filter(({ before }) => before === place.file);
  const laFile = files.length > 0;
  if (smelly === null) return { la: null, laFile, reason: `no ${place.file}` };
  const spans = await smellyLines(place, smelly);
  if (typeof spans === "string") return { la: null, laFile, reason: spans };
  return { la: files.some((file) => spans.some((span) => touches(file, span))), laFile, reason: null };
}

function touches({ removed, addedBehind, after }: PatchedFile, { first, last }: LineSpan): boolean {
  return (
    // A binary file that goes has no lines.
    after === null ||
    removed.some((line) => first <= line && line <= last) ||
    addedBehind.some((line) => first <= line && line < last)
  );
}
