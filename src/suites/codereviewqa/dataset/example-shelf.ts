import { type FileHandle, open } from "node:fs/promises";
import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { BlockReader } from "../../../store/journal/block-reader.js";
import { type FileLine, readLines } from "../../../store/lines.js";
import type { Example } from "../example/example.js";
import { datasetLine } from "./read.js";

/** Where an example stands in its file. */
interface Place extends Omit<FileLine, "bytes"> {
  /** Of the line, in bytes. */
  readonly length: number;
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
      places.set(line.example.id, { ...place, length: bytes.length });
    }
    return new ExampleShelf(path, places);
  }

  /** In the order of the file. */
  get ids(): Iterable<string> {
    return this.#places.keys();
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  /**
   * Streams the examples that are named, each with what names it, in this order. Memory: one of them and a block of the file.
   * @throws ProbeError `bad_input` where the file has no such example, or not where it stood
   */
  async *read<Named extends { readonly id: string }>(wanted: Iterable<Named>): AsyncGenerator<[Named, Example]> {
    let file: FileHandle | null = null;
    try {
      file = await open(this.path);
      const reader = new BlockReader(file);
      for (const named of wanted) yield [named, await this.#exampleBy(named.id, reader)];
    } finally {
      await file?.close();
    }
  }

  async #exampleBy(id: string, reader: BlockReader): Promise<Example> {
    const place = this.#places.get(id);
    const bytes = place && (await reader.read(place.offset, place.length).catch(() => null));
    const line = place && bytes && datasetLine(this.path, { ...place, bytes });
    if (line?.status === "valid" && line.example.id === id) return line.example;
    throw new ProbeError(
      "bad_input",
      `Expected the example ${shorten(id, 200)} in ${this.path} as it was when the file was first read, found it ` +
        "changed. Leave the file alone meanwhile, and try again.",
    );
  }
}
