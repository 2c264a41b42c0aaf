import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** SHA-256 of a text (UTF-8) or bytes, as 64 hex digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 of a file, streamed, as 64 hex digits. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
    hash.update(chunk);
  return hash.digest("hex");
}
