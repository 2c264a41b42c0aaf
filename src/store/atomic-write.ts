import { open, rename, rm } from "node:fs/promises";
import { badInput, messageOf } from "../base/errors.js";
import { temporaryBeside } from "./folder/own-files.js";

/**
 * Writes a file so that a reader, or a kill, finds the old content or the new, never a part: into a file beside it,
 * flushed to disk, then renamed.
 * @param mode its rights, such as 0o600; those of any new file unless told otherwise
 * @throws ProbeError `bad_input` where the disk, or rights on it, are at fault
 */
export async function writeAtomically(
  path: string,
  write: (append: (text: string | Uint8Array) => Promise<void>) => Promise<void>,
  mode?: number,
): Promise<void> {
  const temporary = await temporaryBeside(path);
  const file = await onDisk(path, () => open(temporary, "w", mode));
  try {
    try {
      // `appendFile` goes on after a short write (a disk that fills up), `write` would not notice.
      await write((text) => onDisk(path, () => file.appendFile(text)));
      await onDisk(path, () => file.sync());
    } finally {
      await file.close();
    }
    await onDisk(path, () => rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const CHARACTERS_A_WRITE = 1 << 18;

/** Hands lines to a file in large blocks, each line ended by `\n`. */
export class LineWriter {
  readonly #append: (text: string) => Promise<void>;
  #block: string[] = [];
  #characters = 0;

  constructor(append: (text: string) => Promise<void>) {
    this.#append = append;
  }

  /** @param text one line; a `\r` at its end is taken for part of the line end, and dropped */
  async write(text: string): Promise<void> {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    this.#block.push(line, "\n");
    this.#characters += line.length + 1;
    if (this.#characters >= CHARACTERS_A_WRITE) await this.flush();
  }

  /** To be called after the last line. */
  async flush(): Promise<void> {
    const block = this.#block.join("");
    this.#block = [];
    this.#characters = 0;
    if (block !== "") await this.#append(block);
  }
}

/** For a command with --out, and for one that writes into a run's own folder. */
const OR_COPY = "Name another place, or copy the folder to where it can be written.";

/** Faults of a disk, or of rights on it, as a user is told of them: the finding, and a remedy. */
const FAULTS: Readonly<Record<string, readonly [found: string, advice: string]>> = {
  ENOSPC: ["no space left on its disk", "Free some, then give the same command again: what is written is kept."],
  EDQUOT: ["the disk quota used up", "Free some space, then give the same command again: what is written is kept."],
  EFBIG: [
    "that the file would be too large for this system's limits",
    "Raise the limit (ulimit -f), or name another place.",
  ],
  EACCES: ["that it may not be written to", `Change its rights. ${OR_COPY}`],
  EPERM: ["that it may not be written to", `Change its rights. ${OR_COPY}`],
  EROFS: ["a file system that is read-only", OR_COPY],
  ENOENT: ["no folder for it, or one that was moved or deleted", "Make the folder, or name another place."],
  ENOTDIR: ["a file where a folder has to be", "Move it away, or name another place."],
  EEXIST: ["something else in its place", "Move it away, or name another place."],
  ENOTEMPTY: ["something else in its place", "Move it away, or name another place."],
  ELOOP: ["links on its path that lead in a circle", "Name another place."],
  EISDIR: ["a folder in its place", "Move it away, or name another place."],
  ENAMETOOLONG: ["a name that is too long for this system", "Name a shorter one."],
  EIO: ["a disk that fails", OR_COPY],
};

/**
 * Does something that writes to `path`.
 * @throws ProbeError `bad_input` that says what to do, where disk or rights are at fault; anything else as it is
 */
export async function onDisk<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw explainFault(path, error);
  }
}

/** Does something that writes to `path` at once, as `onDisk`. */
export function onDiskSync<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explainFault(path, error);
  }
}

function explainFault(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const fault = FAULTS[code];
  if (fault === undefined) return error;
  const [found, advice] = fault;
  return badInput(`Expected to write ${path}, found ${found} (${messageOf(error)}). ${advice}`, error);
}
