import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { badInput, type ProbeError } from "../base/errors.js";
import type { Bytes } from "../base/text.js";

/**
 * The most bytes of a file that is read whole, and of a line: hundreds of times any that was ever written here. JSON
 * takes up to fourteen times its bytes of memory.
 */
export const MOST_TEXT_BYTES = 8 * 1024 * 1024;

/**
 * Refuses what is there and is no plain file, such as a pipe, which would be waited for without end.
 * @throws ProbeError `bad_input` naming it
 */
export async function requirePlainFile(path: string): Promise<void> {
  const info = await stat(path).catch(() => null);
  // Reading a folder fails in the system's own words.
  if (info === null || info.isFile() || info.isDirectory()) return;
  const found = info.isFIFO() ? "a pipe" : "a socket or a device";
  throw badInput(`Expected a plain file at ${path}, found ${found}. It is none of this program's.`);
}

/**
 * The text of a file that may be anybody's, UTF-8, without the mark that editors on Windows begin one with. No more of it is read than it may have.
 * @throws ProbeError `bad_input` when it is longer; a system's error when it cannot be read
 */
export async function readText(path: string, mostBytes: number = MOST_TEXT_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // `end` counts from 0: one byte more than there may be.
  for await (const chunk of createReadStream(path, { end: mostBytes }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
  }
  if (bytes > mostBytes) throw tooLong(`${path} to have`, mostBytes, "more");
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** @param what such as `x.json to have` */
function tooLong(what: string, mostBytes: number, found: string): ProbeError {
  const most = mostBytes >= 1024 * 1024 ? `${mostBytes / 1024 / 1024} MB` : `${mostBytes} bytes`;
  return badInput(`Expected ${what} at most ${most}, found ${found}. It is none of this program's.`);
}

const NEWLINE = 0x0a;
/** Several times what a stream takes unless told: a file of a gigabyte is read in half the time. */
const BYTES_A_READ = 1 << 18;

/** One line of a file, without its `\n`. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Begin of the line, in bytes from the start of the file. */
  readonly offset: number;
  readonly bytes: Bytes;
  /** True if a `\n` follows; only a last line can be without. */
  readonly terminated: boolean;
}

/** A place between two lines of a file. */
export interface LinePlace {
  /** Count of lines before it. */
  readonly number: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
}

const START: LinePlace = { number: 0, offset: 0 };

/**
 * Streams the lines of a file, from a place on. Lines end with `\n` alone: unlike `readline`, U+2028 and a lone `\r` (both legal inside
 * a JSON string) split nothing. Memory: one line and one chunk.
 * @throws ProbeError `bad_input` for a line over `MOST_TEXT_BYTES`; a system's error when the file cannot be read
 */
export async function* readLines(path: string, from: LinePlace = START): AsyncGenerator<FileLine> {
  for await (const lines of readLineBlocks(path, from)) yield* lines;
}

/**
 * Reads lines of a file, many at a time: a wait for each of a million would take longer than reading it. A last line
 * without its `\n` comes alone.
 */
export async function* readLineBlocks(path: string, from: LinePlace = START): AsyncGenerator<readonly FileLine[]> {
  const chunks = createReadStream(path, { start: from.offset, highWaterMark: BYTES_A_READ }) as AsyncIterable<Buffer>;
  yield* splitLines(path, chunks, from);
}

/**
 * Cuts chunks into lines, as `readLineBlocks` does.
 * @param name of their source, for messages
 */
export async function* splitLines(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  from: LinePlace = START,
): AsyncGenerator<readonly FileLine[]> {
  const splitter = new LineSplitter(name, from);
  for await (const chunk of chunks) {
    yield splitter.linesOf(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
    splitter.requireShort();
  }
  const rest = splitter.rest();
  if (rest !== null) yield [rest];
}

/** Cuts chunks into lines, and keeps what is left of one. */
class LineSplitter {
  readonly #path: string;
  #number: number;
  #offset: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(path: string, { number, offset }: LinePlace) {
    this.#path = path;
    this.#number = number;
    this.#offset = offset;
  }

  /** The lines that end in the chunk, up to the first that is too long. */
  linesOf(chunk: Buffer): FileLine[] {
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      if (this.#pendingBytes > MOST_TEXT_BYTES) return lines;
      lines.push(this.#take(true));
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** @throws ProbeError `bad_input` where what is kept is longer than a line may be */
  requireShort(): void {
    if (this.#pendingBytes <= MOST_TEXT_BYTES) return;
    throw tooLong(`line ${this.#number + 1} of ${this.#path} to have`, MOST_TEXT_BYTES, "a longer one");
  }

  /** Text behind the last line end; `null`: none. */
  rest(): FileLine | null {
    return this.#pendingBytes > 0 ? this.#take(false) : null;
  }

  #keep(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #take(terminated: boolean): FileLine {
    const [first] = this.#pending;
    const bytes = this.#pending.length === 1 && first !== undefined ? first : Buffer.concat(this.#pending);
    const line = { number: ++this.#number, offset: this.#offset, bytes, terminated };
    this.#offset += bytes.length + 1;
    this.#pending.length = 0;
    this.#pendingBytes = 0;
    return line;
  }
}
