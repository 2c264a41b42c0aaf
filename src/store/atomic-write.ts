import { open, rename, rm } from "node:fs/promises";
import { onDisk } from "./disk-fault.js";
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
