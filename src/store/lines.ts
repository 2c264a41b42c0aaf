import { createReadStream } from "node:fs";

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

/**
 * Streams the lines of a file. Lines end with `\n` alone: unlike `readline`, U+2028 and a lone `\r` (both legal inside
 * a JSON string) split nothing. Memory: one line and one chunk.
 */
export async function* readLines(path: string): AsyncGenerator<FileLine> {
  let pending: Buffer[] = [];
  let offset = 0;
  let number = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const bytes = pending.length === 1 ? chunk.subarray(start, end) : Buffer.concat(pending);
      pending = [];
      yield { number: ++number, offset, bytes, terminated: true };
      offset += bytes.length + 1;
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(pending);
  if (rest.length > 0) yield { number: ++number, offset, bytes: rest, terminated: false };
}
