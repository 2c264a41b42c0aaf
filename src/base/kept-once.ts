/**
 * Keeps equal values once: many questions say the same, and there may be fifty thousand. Forgets them all when they are
 * many.
 */
export class KeptOnce<T> {
  readonly #known = new Map<string, T>();
  readonly #most: number;

  /** @param most how many different ones are known at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value that came first under this key, which equal values have in common. */
  of(key: string, value: T): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(key, value);
    return value;
  }
}
