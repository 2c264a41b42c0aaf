import { Tally } from "./tally.js";

/** Keeps values for a while: at most `capacity` of them, each for `keepMs` milliseconds. */
export class Larder {
  #entries = new Map();
  #capacity;
  #keepMs;
  #now;

  constructor({ capacity, keepMs, now = Date.now }) {
    if (!(capacity > 0)) throw new RangeError("capacity must be above 0");
    this.#capacity = capacity;
    this.#keepMs = keepMs;
    this.#now = now;
    this.tally = new Tally();
  }

  put(key, value) {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#capacity && this.sweep() === 0) this.#dropOldest();
    this.#entries.set(key, { value, storedAt: this.#now() });
  }

  take(key) {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.tally.miss();
      return undefined;
    }
    if (this.#now() - entry.storedAt >= this.#keepMs) {
      this.#entries.delete(key);
      this.tally.miss();
      return undefined;
    }
    // What was used last is dropped last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.tally.hit();
    return entry.value;
  }

  peek(key) {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#now() - entry.storedAt >= this.#keepMs) return undefined;
    return entry.value;
  }

  sweep() {
    let dropped = 0;
    for (const [key, entry] of this.#entries) {
      if (this.#now() - entry.storedAt >= this.#keepMs) {
        this.#entries.delete(key);
        dropped++;
      }
    }
    return dropped;
  }

  get size() {
    return this.#entries.size;
  }

  #dropOldest() {
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest);
  }
}
