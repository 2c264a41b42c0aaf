import { open } from "node:fs/promises";
import type { WorkIdentity } from "../identity.js";
import { BlockReader } from "./block-reader.js";
import type { PlacedCodec } from "./codec.js";
import type { JournalForm } from "./header.js";
import {
  foreignRecord,
  type JournalEntry,
  type JournalPlace,
  lineText,
  readJournal,
  type TornLine,
} from "./read-journal.js";
import { PlaceNumbers, type PlacePlan, type Slot, SlotPages } from "./slots.js";

export interface IndexOptions<T> {
  readonly plan: PlacePlan;
  /** Of the work that the journal must belong to; without it, that is not checked. */
  readonly identity?: WorkIdentity;
  /** Told of every record while the journal is read. */
  readonly onEntry?: (entry: JournalEntry<T>) => void;
}

/**
 * Where each record of a journal stands, so that tables can be written in the order of the work whatever the order in
 * which records came. About 12 bytes a record, whatever the plan claims; the records themselves stay on disk. When a place
 * was filled twice (a failed answer asked again on resume), the last record counts.
 */
export class JournalIndex<T> {
  readonly #path: string;
  readonly #codec: PlacedCodec<T>;
  readonly #options: IndexOptions<T>;
  readonly #numbers: PlaceNumbers;
  readonly #slots = new SlotPages();
  #form: JournalForm = { version: 2, hasHeader: true };
  #recorded = 0;
  #answered = 0;
  #torn: TornLine | null = null;
  /** Behind the last record; `null` before the first. */
  #end: JournalPlace | null = null;

  private constructor(path: string, codec: PlacedCodec<T>, options: IndexOptions<T>) {
    this.#path = path;
    this.#codec = codec;
    this.#options = options;
    this.#numbers = new PlaceNumbers(options.plan);
  }

  /**
   * Reads the whole journal, once; no file is an empty journal.
   * @throws ProbeError `bad_input` when a line is damaged or does not belong to the plan, or the journal to other work
   */
  static async build<T>(path: string, codec: PlacedCodec<T>, options: IndexOptions<T>): Promise<JournalIndex<T>> {
    const index = new JournalIndex(path, codec, options);
    await index.readOn();
    return index;
  }

  /**
   * Reads what was added since, such as by a process that is at work. For a journal that only grew.
   * @throws ProbeError as `build` does
   */
  async readOn(): Promise<void> {
    const { identity, onEntry } = this.#options;
    this.#torn = null;
    const entries = readJournal(this.#path, this.#codec, {
      ...(this.#end && { from: this.#end }),
      ...(identity && { identity }),
      onTorn: (torn) => {
        this.#torn = torn;
      },
      onForm: (form) => {
        this.#form = form;
      },
    });
    for await (const entry of entries) {
      this.#add(entry);
      onEntry?.(entry);
      this.#end = { number: entry.number, offset: entry.offset + entry.length + 1, form: entry.form };
    }
  }

  #add(entry: JournalEntry<T>): void {
    const found = this.#codec.placeOf(entry.record);
    if (found === null) return;
    const { item, place } = found;
    if (!this.#numbers.has(item, place)) {
      // Earlier versions of this program passed over such a record, and may have left some.
      if (entry.form.version === 1) return;
      throw foreignRecord(this.#path, this.#codec, entry, this.#placeText(item, place));
    }
    const number = this.#numbers.before(item) + place;
    const earlier = this.#slots.get(number);
    const isFailed = this.#codec.isFailed(entry.record);
    this.#slots.set(number, { offset: entry.offset, length: entry.length, isFailed });
    this.#recorded += earlier === null ? 1 : 0;
    this.#answered += Number(!isFailed) - Number(earlier !== null && !earlier.isFailed);
  }

  #placeText(item: number, place: number): string {
    const { items } = this.#options.plan;
    if (item < 0 || item >= items) return `item ${item + 1} of ${items}`;
    return `place ${place + 1} of ${this.#numbers.placesOf(item)} of item ${item + 1}`;
  }

  /** What a kill left of a last line; `null`: nothing. */
  get torn(): TornLine | null {
    return this.#torn;
  }

  /** How many places have a record, failed or not. */
  get recordedCount(): number {
    return this.#recorded;
  }

  /**
   * How many places have no record.
   * @param planned of the work, where not every place of the index is planned; else all
   */
  missingCount(planned: number = this.#numbers.total): number {
    return planned - this.#recorded;
  }

  /** Whether this place has a record, failed or not. */
  has(item: number, place: number): boolean {
    return this.#slotOf(item, place) !== null;
  }

  /** Whether this place has a record that is not a failure. */
  isAnswered(item: number, place: number): boolean {
    return this.#slotOf(item, place)?.isFailed === false;
  }

  #slotOf(item: number, place: number): Slot | null {
    return this.#numbers.has(item, place) ? this.#slots.get(this.#numbers.before(item) + place) : null;
  }

  /** How many places have a record that is not a failure. */
  answeredCount(): number {
    return this.#answered;
  }

  /** Streams the records item by item, each item's in the order of its places; items without a record are left out. */
  async *byItem(): AsyncGenerator<readonly T[]> {
    if (this.#recorded === 0) return;
    const file = await open(this.#path, "r");
    const reader = new BlockReader(file);
    try {
      let [records, item]: [T[], number | null] = [[], null];
      for (const slot of this.#slots.filled()) {
        const record = await this.#read(reader, slot);
        const found = this.#codec.placeOf(record)?.item ?? null;
        if (found !== item && records.length > 0) {
          yield records;
          records = [];
        }
        item = found;
        records.push(record);
      }
      if (records.length > 0) yield records;
    } finally {
      await file.close();
    }
  }

  /** The records of one item, in the order of its places. */
  async recordsOf(item: number): Promise<T[]> {
    const slots: Slot[] = [];
    for (let place = 0; place < this.#numbers.placesOf(item); place++) {
      const slot = this.#slotOf(item, place);
      if (slot !== null) slots.push(slot);
    }
    if (slots.length === 0) return [];
    const file = await open(this.#path, "r");
    try {
      const reader = new BlockReader(file);
      const records: T[] = [];
      for (const slot of slots) records.push(await this.#read(reader, slot));
      return records;
    } finally {
      await file.close();
    }
  }

  async #read(reader: BlockReader, { offset, length }: Slot): Promise<T> {
    const bytes = await reader.read(offset, length);
    return this.#codec.decode(lineText(this.#path, this.#codec, bytes, this.#form));
  }
}
