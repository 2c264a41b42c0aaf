import { describe, expect, it } from "vitest";
import type { OptionIndex } from "../../src/base/symbol.js";
import {
  drawnFirstOrder,
  optionCountOfOrder,
  orderName,
  permutationCount,
  permutationsOf,
} from "../../src/question/permutations.js";

describe("permutationsOf", () => {
  it("gives the six orders of three options in lexicographic order", () => {
    expect(permutationsOf(3).map(orderName)).toEqual(["012", "021", "102", "120", "201", "210"]);
  });

  it("gives the 24 orders of four options in lexicographic order", () => {
    expect(permutationsOf(4).map(orderName).join(" ")).toBe(
      "0123 0132 0213 0231 0312 0321 1023 1032 1203 1230 1302 1320 " +
        "2013 2031 2103 2130 2301 2310 3012 3021 3102 3120 3201 3210",
    );
  });

  it("shows every option equally often at every symbol", () => {
    // 24 orders, 4 options: 3! = 6 times each.
    for (const symbol of [0, 1, 2, 3]) {
      const shown = permutationsOf(4).map((order) => Number(order[symbol]));
      expect([0, 1, 2, 3].map((option) => shown.filter((o) => o === option).length)).toEqual([6, 6, 6, 6]);
    }
  });
});

describe("permutationCount", () => {
  it("is the factorial", () => {
    expect([1, 2, 3, 4, 5].map(permutationCount)).toEqual([1, 2, 6, 24, 120]);
  });
});

describe("orderName", () => {
  it("separates the options where one has two digits, so that no two orders share a name", () => {
    // Of 11 options: 1, 0, 10, 2… and 10, 1, 0, 2… are both 1 0 1 0 2… when run together.
    const first = [1, 0, 10, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => index as OptionIndex);
    const second = [10, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => index as OptionIndex);
    expect(orderName(first)).toBe("1-0-10-2-3-4-5-6-7-8-9");
    expect(orderName(second)).toBe("10-1-0-2-3-4-5-6-7-8-9");
  });

  it("tells how many options it is of", () => {
    expect(["012", "2013", "0123456789", "1-0-10-2-3-4-5-6-7-8-9"].map(optionCountOfOrder)).toEqual([3, 4, 10, 11]);
  });
});

describe("drawnFirstOrder", () => {
  const question = { task: "CL", difficulty: "hard", exampleId: "a" };

  it("is the same for the same question and seed, and another for others", () => {
    expect(drawnFirstOrder(question, 24, 1)).toBe(drawnFirstOrder({ ...question }, 24, 1));
    const seeds = [0, 1, 2, 3, 4, 5, 6, 7].map((seed) => drawnFirstOrder(question, 24, seed));
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  it("draws every order as often", () => {
    const drawn = Array.from({ length: 24_000 }, (_, i) => drawnFirstOrder({ ...question, exampleId: `${i}` }, 24, 0));
    // 1000 of each expected, deviation √(24000 · 1/24 · 23/24) = 31; within five of them.
    for (let order = 0; order < 24; order++) {
      expect(Math.abs(drawn.filter((each) => each === order).length - 1000)).toBeLessThan(155);
    }
  });
});
