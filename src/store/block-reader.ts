import type { FileHandle } from "node:fs/promises";

const BLOCK = 1 << 20;
/** Kept before the place that is read: neighbours are read in nearly, not quite, the order in which they stand. */
const MARGIN = 1 << 18;

/** Reads small pieces of a file that stand near each other, a block at a time. Memory: one block. */
export class BlockReader {
  readonly #file: FileHandle;
  #memory = Buffer.alloc(0);
  #block = this.#memory;
  #start = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * The bytes from `offset`; valid until the next read.
   * @throws RangeError when the file ends before them
   */
  async read(offset: number, length: number): Promise<Buffer> {
    const known = this.find(offset, length);
    if (known !== null) return known;
    await this.#load(Math.max(0, offset - MARGIN), MARGIN + Math.max(BLOCK, length));
    const loaded = this.find(offset, length);
    if (loaded === null) throw new RangeError(`Expected ${length} bytes at ${offset}, found the file's end.`);
    return loaded;
  }

  /** Bytes from `offset`, where they are in the block that was read last; else `null`. */
  find(offset: number, length: number): Buffer | null {
    const at = offset - this.#start;
    return at >= 0 && at + length <= this.#block.length ? this.#block.subarray(at, at + length) : null;
  }

  async #load(start: number, length: number): Promise<void> {
    // The same memory for every block: what was thrown away would be given back late.
    if (this.#memory.length < length) this.#memory = Buffer.allocUnsafe(length);
    const block = this.#memory;
    let [filled, bytesRead] = [0, 0];
    do {
      ({ bytesRead } = await this.#file.read(block, filled, length - filled, start + filled));
      filled += bytesRead;
    } while (bytesRead > 0);
    this.#block = block.subarray(0, filled);
    this.#start = start;
  }
}
