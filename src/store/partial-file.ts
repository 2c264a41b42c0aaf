import { type FileHandle, open, rm, truncate } from "node:fs/promises";
import { z } from "zod";
import { isSystemError, ProbeError } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { BlockReader } from "./block-reader.js";
import { readLines } from "./lines.js";
import { takeLock } from "./lock.js";

/** What makes a piece of work what it is; flat. */
export type WorkHeader = Readonly<Record<string, string | number | boolean | null>>;

/**
 * What a long piece of work has done so far: a JSONL file beside its output whose first line says what the work is. A kill
 * loses at most the line that was being written; the same work goes on behind the last whole line. While it is open, no
 * other process can open it.
 */
export class PartialFile {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #unlock: () => Promise<void>;
  #lines: number;

  private constructor(path: string, lines: number, file: FileHandle, unlock: () => Promise<void>) {
    this.path = path;
    this.#lines = lines;
    this.#file = file;
    this.#unlock = unlock;
  }

  /** Whole lines behind the header. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Opens the file, or begins it.
   * @throws ProbeError `bad_input` when it belongs to other work, naming the differences, or another process has it
   */
  static async open(path: string, header: WorkHeader): Promise<PartialFile> {
    const unlock = await takeLock(`${path}.lock`, { name: path, advice: "name another output with --out" });
    try {
      const lines = await prepare(path, header);
      const file = await open(path, "a");
      if (lines === null) await file.appendFile(`${JSON.stringify(header)}\n`);
      return new PartialFile(path, lines ?? 0, file, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** Resolves when the line is in the file, where a kill of this process cannot lose it. */
  async append(value: unknown): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify(value)}\n`);
    this.#lines++;
  }

  /**
   * Streams what was appended, in order.
   * @throws ProbeError `bad_input` naming the line that is something else
   */
  async *read<T>(schema: z.ZodType<T>): AsyncGenerator<T> {
    for await (const line of readLines(this.path)) {
      if (line.number > 1 && line.terminated) yield parseLine(this.path, line.number, line.bytes, schema);
    }
  }

  /**
   * Streams what was appended by ascending key; lines without a key are left out. Memory: one line, and a few bytes for each
   * of the others.
   */
  async *readByKey<T>(schema: z.ZodType<T>, keyOf: (value: T) => number | null): AsyncGenerator<T> {
    const places: { key: number; line: number; offset: number; length: number }[] = [];
    for await (const { number: line, offset, bytes, terminated } of readLines(this.path)) {
      const key = line > 1 && terminated ? keyOf(parseLine(this.path, line, bytes, schema)) : null;
      if (key !== null) places.push({ key, line, offset, length: bytes.length });
    }
    const file = await open(this.path, "r");
    const reader = new BlockReader(file);
    try {
      for (const { line, offset, length } of places.sort((a, b) => a.key - b.key)) {
        yield parseLine(this.path, line, await reader.read(offset, length), schema);
      }
    } finally {
      await file.close();
    }
  }

  /** The work is done, and its output written. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** Leaves the file, if there still is one, for the next time. */
  async close(): Promise<void> {
    await this.#file.close();
    await this.#unlock();
  }
}

/** Checks the header and cuts a torn last line off; `null` when there is nothing yet. */
async function prepare(path: string, header: WorkHeader): Promise<number | null> {
  let lines = 0;
  try {
    for await (const line of readLines(path)) {
      if (!line.terminated) await truncate(path, line.offset);
      else if (lines++ === 0) requireSame(path, line.bytes, header);
    }
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
  return lines === 0 ? null : lines - 1;
}

function requireSame(path: string, bytes: Buffer, header: WorkHeader): void {
  const found = parseLine(path, 1, bytes, z.record(z.string(), z.unknown()));
  const keys = [...new Set([...Object.keys(found), ...Object.keys(header)])];
  const differences = keys.filter((key) => JSON.stringify(found[key]) !== JSON.stringify(header[key]));
  if (differences.length === 0) return;
  const list = differences.map((key) => `  ${key}: ${show(found[key])} there, ${show(header[key])} now`);
  throw new ProbeError(
    "bad_input",
    `Expected ${path} to be from this same command, found a different one:\n${list.join("\n")}\n` +
      "Nothing was changed. Finish that one, remove the file to give it up, or name another output with --out.",
  );
}

function parseLine<T>(path: string, line: number, bytes: Buffer, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw new ProbeError(
      "bad_input",
      `${path}:${line}: expected what an unfinished command left, found something else. Move the file away.`,
      { cause },
    );
  }
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value), 80);
}
