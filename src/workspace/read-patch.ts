import { createReadStream } from "node:fs";
import { MOST_PATCH_BYTES } from "./workspace.js";

/** The bytes of a patch that somebody made; one byte over the limit of one that is larger, which is then refused. */
export async function readPatch(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // `end` counts from 0.
  for await (const chunk of createReadStream(path, { end: MOST_PATCH_BYTES }) as AsyncIterable<Buffer>)
    chunks.push(chunk);
  return Buffer.concat(chunks);
}
