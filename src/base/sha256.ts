import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";

/** SHA-256 of a text (UTF-8) or bytes, as 64 hex digits. */
export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}

/** SHA-256 of a file, streamed, as 64 hex digits. */
export async function sha256OfFile(path: string): Promise<string> {
  const ofAll = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
    ofAll.update(chunk);
  return ofAll.digest("hex");
}
