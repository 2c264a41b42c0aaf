import { createReadStream } from "node:fs";
import { MOST_TEXT_BYTES, tooLong } from "./read-text.js";

const NEWLINE = 0x0a;

/** One line of a file, without its `\n`. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Where the line begins, in bytes from the start of the file. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** Whether a `\n` follows; only a last line can be without. */
  readonly terminated: boolean;
}

/** A place between two lines of a file. */
export interface LinePlace {
  /** How many lines stand before it. */
  readonly number: number;
  /** In bytes from the start of the file. */
  readonly offset: number;
}

const START: LinePlace = { number: 0, offset: 0 };

/**
 * Streams the lines of a file, from a place on. Lines end with `\n` alone: unlike `readline`, U+2028 and a lone `\r` (both legal inside
 * a JSON string) split nothing. Memory: one line and one chunk.
 * @throws ProbeError `bad_input` for a line over `MOST_TEXT_BYTES`; a system's error when the file cannot be read
 */
export async function* readLines(path: string, from: LinePlace = START): AsyncGenerator<FileLine> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let { number, offset } = from;
  for await (const chunk of createReadStream(path, { start: offset }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      requireShort(path, number + 1, pendingBytes + end - start);
      pending.push(chunk.subarray(start, end));
      const bytes = pending.length === 1 ? chunk.subarray(start, end) : Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      yield { number: ++number, offset, bytes, terminated: true };
      offset += bytes.length + 1;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    requireShort(path, number + 1, pendingBytes);
  }
  const rest = Buffer.concat(pending);
  if (rest.length > 0) yield { number: ++number, offset, bytes: rest, terminated: false };
}

function requireShort(path: string, number: number, bytes: number): void {
  if (bytes > MOST_TEXT_BYTES) throw tooLong(`line ${number} of ${path} to have`, MOST_TEXT_BYTES, "a longer one");
}
