import { describe, expect, it } from "vitest";
import { SYMBOLS, symbolsFor } from "../../src/base/symbol.js";

describe("symbolsFor", () => {
  it("gives the first letters", () => {
    expect(symbolsFor(2)).toEqual(["A", "B"]);
    expect(symbolsFor(3)).toEqual(["A", "B", "C"]);
    expect(symbolsFor(4)).toEqual(["A", "B", "C", "D"]);
  });

  it("knows the 26 letters", () => {
    expect(SYMBOLS).toHaveLength(26);
    expect(symbolsFor(26).at(-1)).toBe("Z");
  });

  it.each([-1, 0, 1, 27, 2.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses %d options", (count) => {
    expect(() => symbolsFor(count)).toThrow(new RangeError(`Expected 2 to 26 options, found ${count}.`));
  });
});
