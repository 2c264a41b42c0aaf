import { type FileHandle, open, truncate } from "node:fs/promises";
import type { Answer } from "../domain/answer.js";
import { isSystemError, messageOf, ProbeError } from "../domain/errors.js";
import { readLines } from "../file/lines.js";
import { decodeAnswer, encodeAnswer } from "./answer-record.js";

/** An answer in the journal, and where it stands. */
export interface JournalEntry {
  readonly answer: Answer;
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
 * Streams the answers of a journal in the order in which they were written; none when there is no file. A last line
 * without its line end is not an answer: it is handed to `onTorn` and skipped.
 * @throws ProbeError `bad_input` when a whole line is damaged
 */
export async function* readJournal(path: string, onTorn?: (torn: TornLine) => void): AsyncGenerator<JournalEntry> {
  try {
    for await (const line of readLines(path)) {
      if (!line.terminated) onTorn?.({ offset: line.offset, length: line.bytes.length });
      else yield { answer: decodeLine(path, line.number, line.bytes), offset: line.offset, length: line.bytes.length };
    }
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

function decodeLine(path: string, number: number, bytes: Buffer): Answer {
  try {
    return decodeAnswer(bytes.toString("utf8"));
  } catch (cause) {
    throw new ProbeError(
      "bad_input",
      `${path}:${number}: expected an answer of a run, found a damaged line (${messageOf(cause)}). ` +
        "Remove that line to ask its question again.",
      { cause },
    );
  }
}

/** Cuts a torn last line off, so that the next answer starts on a line of its own. */
export async function dropTornLine(path: string, torn: TornLine): Promise<void> {
  await truncate(path, torn.offset);
}

/**
 * Appends answers to a journal. Answers that arrive while a write is under way go out together in the next one.
 * Memory: what arrives during one write.
 */
export class JournalWriter {
  readonly #file: FileHandle;
  #pending: string[] = [];
  #writing: Promise<void> | null = null;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<JournalWriter> {
    return new JournalWriter(await open(path, "a"));
  }

  /** Resolves when the answer is in the file, where a kill of this process cannot lose it. */
  async append(answer: Answer): Promise<void> {
    this.#pending.push(`${encodeAnswer(answer)}\n`);
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
