import { type FileHandle, open, truncate } from "node:fs/promises";
import { isSystemError, messageOf, ProbeError } from "../base/errors.js";
import { printable, printableLines } from "../base/text.js";
import type { JournalCodec } from "./journal-codec.js";
import { readLines } from "./lines.js";

/** A record in a journal, and where it stands. */
interface JournalEntry<T> {
  readonly record: T;
  /** In bytes from the start of the file. */
  readonly offset: number;
  /** In bytes, without the line end. */
  readonly length: number;
}

/** What a torn last line was: bytes that a kill left without their line end. */
export interface TornLine {
  readonly offset: number;
  readonly length: number;
}

/**
 * Streams the records of a journal in the order in which they were written; none when there is no file. A last line
 * without its line end is no record: it is handed to `onTorn` and skipped.
 * @throws ProbeError `bad_input` when a whole line is damaged
 */
export async function* readJournal<T>(
  path: string,
  codec: JournalCodec<T>,
  onTorn?: (torn: TornLine) => void,
): AsyncGenerator<JournalEntry<T>> {
  try {
    for await (const { terminated, number, offset, bytes } of readLines(path)) {
      if (!terminated) onTorn?.({ offset, length: bytes.length });
      else yield { record: decodeLine(path, codec, number, bytes), offset, length: bytes.length };
    }
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

function decodeLine<T>(path: string, codec: JournalCodec<T>, number: number, bytes: Buffer): T {
  try {
    return codec.decode(bytes.toString("utf8"));
  } catch (cause) {
    throw new ProbeError(
      "bad_input",
      `${printable(path, 1000)}:${number}: expected ${codec.record}, found a damaged line ` +
        `(${printableLines(messageOf(cause), 300)}). ` +
        "Remove that line to ask its question again.",
      { cause },
    );
  }
}

/** Cuts a torn last line off, so that the next record starts on a line of its own. */
export async function dropTornLine(path: string, torn: TornLine): Promise<void> {
  await truncate(path, torn.offset);
}

/**
 * Appends records to a journal. Records that arrive while a write is under way go out together in the next one.
 * Memory: what arrives during one write.
 */
export class JournalWriter<T> {
  readonly #file: FileHandle;
  readonly #codec: JournalCodec<T>;
  #pending: string[] = [];
  #writing: Promise<void> | null = null;

  private constructor(file: FileHandle, codec: JournalCodec<T>) {
    this.#file = file;
    this.#codec = codec;
  }

  static async open<T>(path: string, codec: JournalCodec<T>): Promise<JournalWriter<T>> {
    return new JournalWriter(await open(path, "a"), codec);
  }

  /** Resolves when the record is in the file, where a kill of this process cannot lose it. */
  async append(record: T): Promise<void> {
    this.#pending.push(`${this.#codec.encode(record)}\n`);
    // What is pending now goes out in the write after the one under way.
    if (this.#writing !== null) await this.#writing;
    this.#writing ??= this.#writePending();
    await this.#writing;
  }

  async #writePending(): Promise<void> {
    const lines = this.#pending.join("");
    this.#pending = [];
    try {
      if (lines !== "") await this.#file.appendFile(lines);
    } finally {
      this.#writing = null;
    }
  }

  async close(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
  }
}
