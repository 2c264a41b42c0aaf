import { type FileHandle, open } from "node:fs/promises";
import type { Bytes } from "../../base/text.js";
import { BlockReader } from "../block-reader.js";
import type { WorkIdentity } from "../identity.js";
import { type Glance, type PlacedCodec, requireSeal, textOfSealed } from "./codec.js";
import type { JournalForm } from "./header.js";
import {
  damaged,
  foreignRecord,
  type JournalPlace,
  lineNumberAt,
  type RawLine,
  readJournalBlocks,
  readLine,
  type TornLine,
} from "./read-journal.js";
import { type FilledSlot, PlaceNumbers, type PlacePlan, type Slot, SlotPages } from "./slots.js";

interface IndexOptions {
  readonly plan: PlacePlan;
  /** Identity of the work that the journal must belong to; absent: not checked. */
  readonly identity?: WorkIdentity;
  /**
   * True if all records are going to be read, by `byItem`. Then lines are checked against their checksums and placed
   * here, and looked at whole there: once, not twice. Absent: they are looked at whole here too.
   */
  readonly isReadLater?: boolean;
}

/** Enough to make the waits between them few, and few enough to be gone before the memory is looked through. */
const RECORDS_AT_ONCE = 64;

/**
 * Where each record of a journal stands, so that tables can be written in the order of the work whatever the order in
 * which records came. About 12 bytes a record, whatever the plan claims; the records themselves stay on disk. When a place
 * was filled twice (a failed answer asked again on resume), the last record counts.
 */
export class JournalIndex<T> {
  readonly #path: string;
  readonly #codec: PlacedCodec<T>;
  readonly #options: IndexOptions;
  readonly #numbers: PlaceNumbers;
  readonly #slots = new SlotPages();
  #version: JournalForm["version"] = 2;
  #recorded = 0;
  #answered = 0;
  #torn: TornLine | null = null;
  /** Behind the last record; `null` before the first. */
  #end: JournalPlace | null = null;

  private constructor(path: string, codec: PlacedCodec<T>, options: IndexOptions) {
    this.#path = path;
    this.#codec = codec;
    this.#options = options;
    this.#numbers = new PlaceNumbers(options.plan);
  }

  /**
   * Reads the whole journal, once; no file is an empty journal.
   * @throws ProbeError `bad_input` when a line is damaged or does not belong to the plan, or the journal to other work
   */
  static async build<T>(path: string, codec: PlacedCodec<T>, options: IndexOptions): Promise<JournalIndex<T>> {
    const index = new JournalIndex(path, codec, options);
    await index.readOn();
    return index;
  }

  /**
   * Reads what was added since, such as by a process that is at work. For a journal that only grew.
   * @throws ProbeError as `build` does
   */
  async readOn(isReadLater: boolean = this.#options.isReadLater === true): Promise<void> {
    const { identity } = this.#options;
    this.#torn = null;
    const blocks = readJournalBlocks(this.#path, this.#codec, {
      ...(this.#end && { from: this.#end }),
      ...(identity && { identity }),
      onTorn: (torn) => {
        this.#torn = torn;
      },
      onForm: ({ version }) => {
        this.#version = version;
      },
    });
    for await (const lines of blocks) {
      if (isReadLater) await this.#glanceAtAll(lines);
      else for (const line of lines) this.#readWhole(line);
      const last = lines.at(-1);
      if (last !== undefined)
        this.#end = { number: last.number, offset: last.offset + last.bytes.length + 1, form: last.form };
    }
  }

  async #glanceAtAll(lines: readonly RawLine[]): Promise<void> {
    // Records whose place another takes: nobody is going to read them later.
    const replaced: FilledSlot[] = [];
    for (const line of lines) {
      const earlier = this.#glanceAt(line);
      if (earlier !== null) replaced.push(earlier);
    }
    for await (const _ of this.#recordsAt(replaced));
  }

  /** The slot whose place the line takes; `null`: none. */
  #readWhole(line: RawLine): FilledSlot | null {
    const entry = readLine(this.#path, this.#codec, line);
    return this.#add(line, this.#placeIn(entry.record));
  }

  /** Slot of a line, read from its beginning; `null` where that does not tell. */
  #glanceAt(line: RawLine): FilledSlot | null {
    const glance = line.form.version === 1 ? null : (this.#codec.glance?.(line.bytes) ?? null);
    if (glance === null) return this.#readWhole(line);
    try {
      requireSeal(line.bytes);
    } catch (cause) {
      throw damaged(this.#path, this.#codec, line.number, cause);
    }
    return this.#add(line, glance);
  }

  #placeIn(record: T): Glance | null {
    const found = this.#codec.placeOf(record);
    return found === null ? null : { item: found.item, place: found.place, isFailed: this.#codec.isFailed(record) };
  }

  #add(line: RawLine, found: Glance | null): FilledSlot | null {
    if (found === null) return null;
    const { item, place, isFailed } = found;
    if (!this.#numbers.has(item, place)) {
      // Earlier versions of this program passed over such a record, and may have left some.
      if (line.form.version === 1) return null;
      throw foreignRecord(this.#path, this.#codec, line, this.#placeText(item, place));
    }
    const number = this.#numbers.before(item) + place;
    const earlier = this.#slots.get(number);
    this.#slots.set(number, { offset: line.offset, length: line.bytes.length, isFailed });
    this.#recorded += earlier === null ? 1 : 0;
    this.#answered += Number(!isFailed) - Number(earlier !== null && !earlier.isFailed);
    return earlier && { ...earlier, number };
  }

  #placeText(item: number, place: number): string {
    const { items } = this.#options.plan;
    if (item >= items) return `item ${item + 1} of ${items}`;
    return `place ${place + 1} of ${this.#numbers.placesOf(item)} of item ${item + 1}`;
  }

  /** Remains of a last line after a kill; `null`: none. */
  get torn(): TornLine | null {
    return this.#torn;
  }

  /** Count of places with a record, failed or not. */
  get recordedCount(): number {
    return this.#recorded;
  }

  /** Tests if this place has a record, failed or not. */
  has(item: number, place: number): boolean {
    return this.#slotOf(item, place) !== null;
  }

  /** Tests if this place has a record that is not a failure. */
  isAnswered(item: number, place: number): boolean {
    return this.#slotOf(item, place)?.isFailed === false;
  }

  #slotOf(item: number, place: number): Slot | null {
    return this.#numbers.has(item, place) ? this.#slots.get(this.#numbers.before(item) + place) : null;
  }

  /** Count of places with a record that is not a failure. */
  answeredCount(): number {
    return this.#answered;
  }

  /**
   * Streams the records item by item, each item's in the order of its places; items without a record are left out.
   * @throws ProbeError `bad_input` when a line is damaged
   */
  async *byItem(): AsyncGenerator<readonly T[]> {
    let [records, item]: [T[], number | null] = [[], null];
    for await (const block of this.#recordsAt(this.#slots.filled())) {
      for (const record of block) {
        const found = this.#codec.placeOf(record)?.item ?? null;
        if (found !== item && records.length > 0) {
          yield records;
          records = [];
        }
        item = found;
        records.push(record);
      }
    }
    if (records.length > 0) yield records;
  }

  /** The records of one item, in the order of its places. */
  async recordsOf(item: number): Promise<T[]> {
    const slots: FilledSlot[] = [];
    for (let place = 0; place < this.#numbers.placesOf(item); place++) {
      const slot = this.#slotOf(item, place);
      if (slot !== null) slots.push({ ...slot, number: this.#numbers.before(item) + place });
    }
    const records: T[] = [];
    for await (const block of this.#recordsAt(slots)) records.push(...block);
    return records;
  }

  /** Reads records again, in the order of their slots: some at a time. */
  async *#recordsAt(slots: Iterable<FilledSlot>): AsyncGenerator<readonly T[]> {
    let file: FileHandle | null = null;
    let reader: BlockReader | null = null;
    let records: T[] = [];
    try {
      for (const slot of slots) {
        file ??= await open(this.#path, "r");
        reader ??= new BlockReader(file);
        if (records.length >= RECORDS_AT_ONCE) {
          yield records;
          records = [];
        }
        const bytes = reader.find(slot.offset, slot.length) ?? (await reader.read(slot.offset, slot.length));
        try {
          records.push(this.#recordIn(bytes, slot));
        } catch (cause) {
          throw damaged(this.#path, this.#codec, await lineNumberAt(this.#path, slot.offset), cause);
        }
      }
      yield records;
    } finally {
      await file?.close();
    }
  }

  /** @throws Error when the line is no record, or not the one that belongs there */
  #recordIn(bytes: Bytes, { number, isFailed }: FilledSlot): T {
    // Its checksum was held against it when it was placed.
    const text = this.#version === 1 ? bytes.toString("utf8") : textOfSealed(bytes);
    const record = this.#codec.decode(text);
    const found = this.#codec.placeOf(record);
    const isThere =
      found !== null &&
      this.#numbers.has(found.item, found.place) &&
      this.#numbers.before(found.item) + found.place === number;
    if (isThere && this.#codec.isFailed(record) === isFailed) return record;
    throw new Error("it says in two ways where it belongs");
  }
}
