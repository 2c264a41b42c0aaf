import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hash32, sampled, seededIntegers, shuffled } from "../../src/base/random.js";

describe("seededIntegers", () => {
  it("draws unrelated numbers for neighbouring seeds", () => {
    // Raw seeds 0, 1, 2, … would begin 47, 46, 45, …: one step, always the same.
    const firsts = Array.from({ length: 100 }, (_, seed) => seededIntegers(seed)(0, 99));
    const steps = firsts.slice(1).map((first, i) => first - firsts[i]!);
    expect(new Set(steps).size).toBeGreaterThan(50);
  });

  it("draws the same numbers for the same seed", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const [first, second] = [seededIntegers(seed), seededIntegers(seed)];
        for (let i = 0; i < 20; i++) expect(first(0, 1_000_000)).toBe(second(0, 1_000_000));
      }),
      { seed: 1 },
    );
  });

  it("draws other numbers for another seed", () => {
    const numbers = (seed: number) => {
      const draw = seededIntegers(seed);
      return Array.from({ length: 10 }, () => draw(0, 1_000_000)).join();
    };
    expect(new Set(Array.from({ length: 100 }, (_, seed) => numbers(seed))).size).toBe(100);
  });

  it("includes both ends of the range and nothing outside", () => {
    const draw = seededIntegers(7);
    const drawn = new Set(Array.from({ length: 1000 }, () => draw(-1, 2)));
    expect([...drawn].toSorted((a, b) => a - b)).toEqual([-1, 0, 1, 2]);
  });

  it("draws the only number of a range of one", () => {
    expect(seededIntegers(1)(5, 5)).toBe(5);
  });
});

describe("hash32", () => {
  it("is FNV-1a with the final avalanche of murmur3", () => {
    // Published FNV-1a vectors: "a" e40c292c, "foobar" bf9cf968; through fmix32, computed apart in Python.
    expect(hash32("a", 0)).toBe(0x1a80b1b3);
    expect(hash32("foobar", 0)).toBe(0x0c0da6dc);
  });

  it("depends on the seed and on every character", () => {
    const hashes = [hash32("abc", 0), hash32("abc", 1), hash32("abd", 0), hash32("bbc", 0), hash32("ab", 0)];
    expect(new Set(hashes).size).toBe(5);
  });

  it("is a whole number of 32 bits without a sign", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (text, seed) => {
        const hash = hash32(text, seed);
        expect(Number.isInteger(hash) && hash >= 0 && hash <= 0xffffffff).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it("falls evenly on four places", () => {
    // 4,000 texts: 1,000 a place expected, standard deviation √(4000·¼·¾) ≈ 27; five of them are 137.
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) {
      const place = hash32(`example-${i}`, 42) % 4;
      counts[place] = counts[place]! + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(137);
  });
});

describe("shuffled", () => {
  it("keeps the items and leaves the given order alone", () => {
    const items = Object.freeze([1, 2, 3, 4, 5]);
    const found = shuffled(items, seededIntegers(3));
    expect(found.toSorted()).toEqual(items);
    expect(found).not.toBe(items);
  });

  it("puts three items into each of their six orders about as often", () => {
    const draw = seededIntegers(1);
    const seen = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = shuffled(["a", "b", "c"], draw).join("");
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    // 1,000 expected, standard deviation √(6000 · 1/6 · 5/6) = 29.
    for (const times of seen.values()) expect(Math.abs(times - 1000)).toBeLessThan(130);
  });
});

describe("sampled", () => {
  it("draws different items, as many as asked for or all there are", () => {
    const draw = seededIntegers(2);
    expect(new Set(sampled([1, 2, 3, 4, 5], 3, draw)).size).toBe(3);
    expect(sampled([1, 2], 5, draw).toSorted()).toEqual([1, 2]);
    expect(sampled([], 2, draw)).toEqual([]);
  });

  it("draws every item about as often", () => {
    const draw = seededIntegers(1);
    const seen = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) for (const item of sampled([0, 1, 2, 3], 1, draw)) seen[item]! += 1;
    for (const times of seen) expect(Math.abs(times - 1000)).toBeLessThan(140);
  });
});
