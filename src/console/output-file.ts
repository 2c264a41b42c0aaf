import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isSystemError, ProbeError } from "../base/errors.js";

/** A file that a command is about to write. */
export interface OutputFile {
  /** The option that names it, such as `out`. */
  readonly option: string;
  readonly path: string;
}

/**
 * Makes sure, before any work is done, that files can be written and that nothing is lost by it: none is a file that is
 * read, two are not the same, and what exists is replaced only when that was asked for.
 * @throws ProbeError `bad_input` saying what is in the way
 */
export async function requireWritable(
  outputs: readonly OutputFile[],
  { inputs, overwrite }: { readonly inputs: readonly string[]; readonly overwrite: boolean },
): Promise<void> {
  const taken = new Map<string, string>();
  for (const input of inputs) taken.set(await realPath(input), "the file that is read");
  for (const { option, path } of outputs) {
    const real = await realPath(path);
    const other = taken.get(real);
    if (other !== undefined) throw refuse(option, "a file of its own", `${path}, ${other}`, "Name another file.");
    taken.set(real, `the file of --${option}`);
    await requireFree(option, path, overwrite);
    await requireFolder(option, dirname(resolve(path)));
  }
}

async function requireFree(option: string, path: string, overwrite: boolean): Promise<void> {
  const info = await stat(path).catch(() => null);
  if (info === null || (info.isFile() && overwrite)) return;
  if (info.isFile()) {
    throw refuse(option, "a new file", `${path}, which exists`, "Name another, or add --overwrite to replace it.");
  }
  throw refuse(option, "a file", `${path}, which is something else`, "Name a file.");
}

async function requireFolder(option: string, folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const [what, advice] = isSystemError(cause, "ENOENT")
      ? ["does not exist", "Make it first."]
      : ["cannot be written to", "Name another."];
    throw refuse(option, "a file in a writable folder", `the folder ${folder}, which ${what}`, advice, cause);
  }
}

/** The path without symbolic links; as given where there is no such file. */
async function realPath(path: string): Promise<string> {
  const absolute = resolve(path);
  return realpath(absolute).catch(() => absolute);
}

function refuse(option: string, expected: string, found: string, advice: string, cause?: unknown): ProbeError {
  return new ProbeError("bad_input", `Expected ${expected} for --${option}, found ${found}. ${advice}`, { cause });
}
