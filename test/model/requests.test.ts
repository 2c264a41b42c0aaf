import { describe, expect, it } from "vitest";
import { firstStop } from "../../src/model/requests.js";

describe("firstStop", () => {
  it("finds the stop text that begins first, whatever their order", () => {
    // "bc" begins at 1, "d" at 3.
    expect(firstStop("abcd", ["d", "bc"])).toBe(1);
    expect(firstStop("abcd", ["bc", "d"])).toBe(1);
  });

  it("finds one at the very beginning", () => {
    expect(firstStop("abcd", ["b", "a"])).toBe(0);
  });

  it("finds none where there is none", () => {
    expect(firstStop("abcd", ["x", "da"])).toBe(-1);
    expect(firstStop("abcd", [])).toBe(-1);
  });

  it("is not stopped by an empty one", () => {
    expect(firstStop("abcd", ["", "c"])).toBe(2);
    expect(firstStop("abcd", [""])).toBe(-1);
  });
});
