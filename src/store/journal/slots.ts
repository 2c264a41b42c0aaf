/** Items of a piece of work, and places for records in each. */
export interface PlacePlan {
  readonly items: number;
  /** The same for every item, or a count for each, such as the N! orders of a question with N options. */
  readonly places: number | ((item: number) => number);
}

const ITEMS_A_MARK = 64;

/** Numbers the places of a plan through. Memory: a number for every 64 items that were asked about, where items differ. */
export class PlaceNumbers {
  readonly #plan: PlacePlan;
  /** Places before every 64th item, as far as was asked. */
  readonly #marks: number[] = [0];

  constructor(plan: PlacePlan) {
    this.#plan = plan;
  }

  placesOf(item: number): number {
    const { places } = this.#plan;
    return typeof places === "number" ? places : places(item);
  }

  has(item: number, place: number): boolean {
    return item >= 0 && item < this.#plan.items && place >= 0 && place < this.placesOf(item);
  }

  /** Count of places before this item. */
  before(item: number): number {
    const { places } = this.#plan;
    if (typeof places === "number") return item * places;
    const mark = Math.floor(item / ITEMS_A_MARK);
    for (let next = this.#marks.length; next <= mark; next++) {
      this.#marks.push((this.#marks[next - 1] ?? 0) + this.#sum((next - 1) * ITEMS_A_MARK, next * ITEMS_A_MARK));
    }
    return (this.#marks[mark] ?? 0) + this.#sum(mark * ITEMS_A_MARK, item);
  }

  /** All places of the plan. */
  get total(): number {
    return this.before(this.#plan.items);
  }

  #sum(from: number, to: number): number {
    let sum = 0;
    for (let item = from; item < to; item++) sum += this.placesOf(item);
    return sum;
  }
}

/** Place of a record. */
export interface Slot {
  readonly offset: number;
  readonly length: number;
  readonly isFailed: boolean;
}

/** A slot, and its number in the list. */
export interface FilledSlot extends Slot {
  readonly number: number;
}

const SLOTS_A_PAGE = 512;
const WORDS = 3;
const FAILED = 2 ** 31;
const WORD = 2 ** 32;

/**
 * A sparse list of slots: 12 bytes each, in pages that are made when a first record of theirs comes. What a plan claims
 * takes no memory; only records do.
 */
export class SlotPages {
  readonly #pages = new Map<number, Uint32Array>();

  get(number: number): Slot | null {
    const page = this.#pages.get(Math.floor(number / SLOTS_A_PAGE));
    return page === undefined ? null : slotAt(page, (number % SLOTS_A_PAGE) * WORDS);
  }

  /** @param slot its length is at least 1 */
  set(number: number, { offset, length, isFailed }: Slot): void {
    const key = Math.floor(number / SLOTS_A_PAGE);
    const page = this.#pages.get(key) ?? new Uint32Array(SLOTS_A_PAGE * WORDS);
    this.#pages.set(key, page);
    const at = (number % SLOTS_A_PAGE) * WORDS;
    page[at] = offset % WORD;
    page[at + 1] = Math.floor(offset / WORD);
    page[at + 2] = length + (isFailed ? FAILED : 0);
  }

  /** The slots that hold something, in order. */
  *filled(): Generator<FilledSlot> {
    for (const [key, page] of [...this.#pages].sort(([a], [b]) => a - b)) {
      for (let at = 0; at < page.length; at += WORDS) {
        const slot = slotAt(page, at);
        if (slot === null) continue;
        const { offset, length, isFailed } = slot;
        yield { offset, length, isFailed, number: key * SLOTS_A_PAGE + at / WORDS };
      }
    }
  }
}

function slotAt(page: Uint32Array, at: number): Slot | null {
  const [low = 0, high = 0, packed = 0] = [page[at], page[at + 1], page[at + 2]];
  if (packed === 0) return null;
  return { offset: high * WORD + low, length: packed % FAILED, isFailed: packed >= FAILED };
}
