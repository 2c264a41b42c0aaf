import { writeAtomically } from "../../store/atomic-write.js";
import type { Markup } from "../../web/markup.js";

/**
 * Writes a page piece by piece, as its pieces are made. Where one cannot be made, or written, the page that was there stays.
 * @returns its size in bytes
 */
export async function writePage(path: string, pieces: AsyncIterable<Markup>): Promise<number> {
  let bytes = 0;
  await writeAtomically(path, async (append) => {
    for await (const { text } of pieces) {
      bytes += Buffer.byteLength(text);
      await append(text);
    }
  });
  return bytes;
}
