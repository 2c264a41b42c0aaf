import { describe, expect, it } from "vitest";
import { MAX_OPTIONS, symbolsFor } from "../../src/base/symbol.js";

describe("symbolsFor", () => {
  it("gives the first letters", () => {
    expect(symbolsFor(2)).toEqual(["A", "B"]);
    expect(symbolsFor(3)).toEqual(["A", "B", "C"]);
    expect(symbolsFor(4)).toEqual(["A", "B", "C", "D"]);
  });

  it("knows four symbols at most", () => {
    expect(MAX_OPTIONS).toBe(4);
  });

  it.each([-1, 0, 1, 5, 2.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses %d options", (count) => {
    expect(() => symbolsFor(count)).toThrow(new RangeError(`Expected 2 to 4 options, found ${count}.`));
  });
});
