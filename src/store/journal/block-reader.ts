import type { FileHandle } from "node:fs/promises";

const BLOCK = 1 << 20;
/** Kept before the place that is read: neighbours are read in nearly, not quite, the order in which they stand. */
const MARGIN = 1 << 18;

/** Reads small pieces of a file that stand near each other, a block at a time. Memory: one block. */
export class BlockReader {
  readonly #file: FileHandle;
  #block = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * The bytes from `offset`; valid until the next read.
   * @throws RangeError when the file ends before them
   */
  async read(offset: number, length: number): Promise<Buffer> {
    const isInBlock = offset >= this.#start && offset + length <= this.#start + this.#block.length;
    if (!isInBlock) await this.#load(Math.max(0, offset - MARGIN), MARGIN + Math.max(BLOCK, length));
    const at = offset - this.#start;
    if (at + length > this.#block.length)
      throw new RangeError(`Expected ${length} bytes at ${offset}, found the file's end.`);
    return this.#block.subarray(at, at + length);
  }

  async #load(start: number, length: number): Promise<void> {
    const block = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#file.read(block, filled, length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#block = block.subarray(0, filled);
    this.#start = start;
  }
}
