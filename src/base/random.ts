import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Draws whole numbers from `low` to `high`, both included. */
export type DrawInteger = (low: number, high: number) => number;

/**
 * A generator that draws the same numbers for the same seed on every machine. The seed is hashed first: the first draws
 * of neighbouring raw seeds would follow each other.
 */
export function seededIntegers(seed: number): DrawInteger {
  const generator = xoroshiro128plus(hash32(String(seed), 0));
  return (low, high) => uniformInt(generator, low, high);
}

/** A copy in random order (Fisher–Yates, from the last place down). */
export function shuffled<T>(items: readonly T[], draw: DrawInteger): T[] {
  const pool = [...items];
  for (let i = pool.length - 1; i > 0; i--) swap(pool, i, draw(0, i));
  return pool;
}

/** `count` different items in the order drawn (the first places of a Fisher–Yates shuffle); all where there are fewer. */
export function sampled<T>(items: readonly T[], count: number, draw: DrawInteger): T[] {
  const pool = [...items];
  const taken = Math.min(count, pool.length);
  for (let i = 0; i < taken; i++) swap(pool, i, draw(i, pool.length - 1));
  return pool.slice(0, taken);
}

function swap<T>(items: T[], i: number, j: number): void {
  [items[i], items[j]] = [items[j] as T, items[i] as T];
}

/**
 * A 32-bit hash of `text` that depends on `seed`: a draw that needs no memory of the draws before it, so that a resumed
 * run and an uninterrupted one agree. FNV-1a with a final avalanche (murmur3's).
 */
export function hash32(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
