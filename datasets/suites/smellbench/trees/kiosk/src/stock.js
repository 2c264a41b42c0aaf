/** What is on the shelves. */
export class Stock {
  #counts = new Map();

  add(name, count) {
    this.#counts.set(name, this.countOf(name) + count);
  }

  countOf(name) {
    return this.#counts.get(name) ?? 0;
  }

  /** Takes one from the shelf; whether there was one. */
  take(name) {
    const count = this.countOf(name);
    if (count > 0) this.#counts.set(name, count - 1);
    return count > 0;
  }
}
