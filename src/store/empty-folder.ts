import { readdir } from "node:fs/promises";
import { isSystemError, ProbeError } from "../base/errors.js";

/**
 * Checks that a folder for new files holds none.
 * @param own what it could have held, such as `a run`: for the message
 * @throws ProbeError `bad_input` when it is no folder, or not empty
 */
export async function requireEmptyFolder(path: string, own: string): Promise<void> {
  const files = await readdir(path).catch((cause: unknown) => {
    if (isSystemError(cause, "ENOENT")) return [];
    throw new ProbeError("bad_input", `Expected a folder at ${path}, found something else.`, {
      cause,
    });
  });
  if (files.length === 0) return;
  throw new ProbeError(
    "bad_input",
    `Expected ${path} to be new, empty or ${own}, found ${files.length} other files. Name another folder.`,
  );
}
