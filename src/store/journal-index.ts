import { open } from "node:fs/promises";
import { BlockReader } from "./block-reader.js";
import { readJournal, type TornLine } from "./journal.js";
import type { JournalCodec } from "./journal-codec.js";

const MISSING = -1;

/**
 * Where each record of a journal stands, so that tables can be written in the order of the run whatever the order in
 * which records came. 13 bytes a record; the records themselves stay on disk. When a place was filled twice (a failed
 * answer asked again on resume), the last record counts.
 */
export class JournalIndex<T> {
  readonly #path: string;
  readonly #codec: JournalCodec<T>;
  readonly #offsets: Float64Array;
  readonly #lengths: Uint32Array;
  readonly #failed: Uint8Array;
  /** Questions of the run. */
  readonly itemCount: number;
  torn: TornLine | null = null;

  private constructor(path: string, codec: JournalCodec<T>, itemCount: number) {
    this.#path = path;
    this.#codec = codec;
    this.itemCount = itemCount;
    const slots = itemCount * codec.places;
    this.#offsets = new Float64Array(slots).fill(MISSING);
    this.#lengths = new Uint32Array(slots);
    this.#failed = new Uint8Array(slots);
  }

  /**
   * @param itemCount questions of the run
   * @throws ProbeError `bad_input` when a line is damaged
   */
  static async build<T>(path: string, codec: JournalCodec<T>, itemCount: number): Promise<JournalIndex<T>> {
    const index = new JournalIndex(path, codec, itemCount);
    const noteTorn = (torn: TornLine) => {
      index.torn = torn;
    };
    for await (const { record, offset, length } of readJournal(path, codec, noteTorn)) {
      const { item, place } = codec.placeOf(record);
      if (item >= itemCount || place >= codec.places) continue;
      const slot = item * codec.places + place;
      index.#offsets[slot] = offset;
      index.#lengths[slot] = length;
      index.#failed[slot] = codec.isFailed(record) ? 1 : 0;
    }
    return index;
  }

  /** Whether this place has a record that is not a failure. */
  isAnswered(item: number, place: number): boolean {
    const slot = item * this.#codec.places + place;
    return (this.#offsets[slot] ?? MISSING) !== MISSING && this.#failed[slot] === 0;
  }

  /** How many places have a record that is not a failure. */
  answeredCount(): number {
    return this.#offsets.reduce(
      (sum, offset, slot) => sum + (offset !== MISSING && this.#failed[slot] === 0 ? 1 : 0),
      0,
    );
  }

  /** Streams the records question by question, each question's in the order of its places. */
  async *byQuestion(): AsyncGenerator<readonly T[]> {
    if (this.#offsets.every((offset) => offset === MISSING)) return;
    const file = await open(this.#path, "r");
    const reader = new BlockReader(file);
    try {
      for (let item = 0; item < this.itemCount; item++) {
        const records = await this.#recordsOf(reader, item);
        if (records.length > 0) yield records;
      }
    } finally {
      await file.close();
    }
  }

  async #recordsOf(reader: BlockReader, item: number): Promise<T[]> {
    const records: T[] = [];
    const { places } = this.#codec;
    for (let slot = item * places; slot < (item + 1) * places; slot++) {
      const [offset, length] = [this.#offsets[slot] ?? MISSING, this.#lengths[slot] ?? 0];
      if (offset === MISSING) continue;
      records.push(this.#codec.decode((await reader.read(offset, length)).toString("utf8")));
    }
    return records;
  }

  /** The records of one question, for early stopping on resume. */
  async answersTo(item: number): Promise<T[]> {
    const file = await open(this.#path, "r");
    try {
      return await this.#recordsOf(new BlockReader(file), item);
    } finally {
      await file.close();
    }
  }
}
