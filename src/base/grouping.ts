/** Items by their key, each group in the order of the items; keys in the order in which they first come. */
export function groupBy<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Occurrences of each value; values in the order in which they first come. */
export function countBy<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

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
    return this.made(key, () => value);
  }

  /** The same, of a value that is made where there is none yet. */
  made(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= this.#most) this.#known.clear();
    const value = make();
    this.#known.set(key, value);
    return value;
  }
}
