import { createReadStream } from "node:fs";
import { ProbeError } from "../base/errors.js";

/**
 * The most bytes of a file that is read whole, and of a line: hundreds of times any that was ever written here. JSON
 * takes up to fourteen times its bytes of memory.
 */
export const MOST_TEXT_BYTES = 8 * 1024 * 1024;

/**
 * The text of a file that may be anybody's, UTF-8. No more of it is read than it may have.
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
  return Buffer.concat(chunks).toString("utf8");
}

/** @param what such as `x.json to have` */
export function tooLong(what: string, mostBytes: number, found: string): ProbeError {
  const most = mostBytes >= 1024 * 1024 ? `${mostBytes / 1024 / 1024} MB` : `${mostBytes} bytes`;
  return new ProbeError("bad_input", `Expected ${what} at most ${most}, found ${found}. It is none of this program's.`);
}
