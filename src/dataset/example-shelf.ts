import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { badInput, messageOf, type ProbeError } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { BlockReader } from "../store/block-reader.js";
import { type FileLine, readLines } from "../store/text-lines.js";
import { datasetLine } from "./dataset-file.js";
import type { Example } from "./example.js";

/** Place of an example in its file. */
interface Place extends Omit<FileLine, "bytes"> {
  /** Length of the line, in bytes. */
  readonly length: number;
  /** CRC-32 of the line, as when it was checked. */
  readonly checksum: number;
}

/** The valid examples of a data file by their ids: where each stands. Their texts stay on disk until they are wanted. */
export class ExampleShelf {
  readonly path: string;
  readonly #places: ReadonlyMap<string, Place>;

  private constructor(path: string, places: ReadonlyMap<string, Place>) {
    this.path = path;
    this.#places = places;
  }

  /** Reads the whole file, once. Of several examples by one id it has the first. */
  static async open(path: string): Promise<ExampleShelf> {
    const places = new Map<string, Place>();
    for await (const { bytes, ...place } of readLines(path)) {
      const line = datasetLine(path, { ...place, bytes });
      if (line?.status !== "valid" || places.has(line.example.id)) continue;
      places.set(line.example.id, { ...place, length: bytes.length, checksum: crc32(bytes) });
    }
    return new ExampleShelf(path, places);
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  /**
   * Streams the examples that are named, each with what names it, in this order. Memory: one of them and a block of the file.
   * @throws ProbeError `bad_input` where the file has no such example, or not where it stood
   */
  async *read<Named extends { readonly id: string }>(wanted: Iterable<Named>): AsyncGenerator<[Named, Example]> {
    const file = await this.#openAgain();
    try {
      const reader = new BlockReader(file);
      for (const named of wanted) yield [named, await this.#exampleBy(named.id, reader)];
    } finally {
      await file.close();
    }
  }

  async #exampleBy(id: string, reader: BlockReader): Promise<Example> {
    const place = this.#places.get(id);
    const bytes = place && (await reader.read(place.offset, place.length).catch(nullIfShort));
    const isSame = place !== undefined && bytes != null && crc32(bytes) === place.checksum;
    const line = isSame ? datasetLine(this.path, { ...place, bytes }) : null;
    if (line?.status === "valid") return line.example;
    throw this.#changed(`the example ${shorten(id, 200)} in ${this.path}`, "it changed");
  }

  async #openAgain(): Promise<FileHandle> {
    try {
      return await open(this.path);
    } catch (cause) {
      throw this.#changed(this.path, messageOf(cause), cause);
    }
  }

  #changed(expected: string, found: string, cause?: unknown): ProbeError {
    return badInput(
      `Expected ${expected} as it was when the file was first read, found ${found}. Leave the file alone meanwhile, and try ` +
        "again.",
      cause,
    );
  }
}

/** A file that ends sooner has changed; any other error is one. */
function nullIfShort(error: unknown): null {
  if (error instanceof RangeError) return null;
  throw error;
}
