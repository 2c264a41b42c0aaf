import { createHash, hash } from "node:crypto";
import { open } from "node:fs/promises";

/** SHA-256 of a text (UTF-8) or bytes, as 64 hex digits. */
export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}

const BYTES_A_READ = 1 << 20;

/** SHA-256 of a file as 64 hex digits. Reads into the same memory again and again. */
export async function sha256OfFile(path: string): Promise<string> {
  const ofAll = createHash("sha256");
  const piece = Buffer.allocUnsafe(BYTES_A_READ);
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) return ofAll.digest("hex");
      ofAll.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
