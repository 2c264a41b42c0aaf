import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editSimilarity } from "../../../../../src/suites/codereviewqa/metric/written/generation-score.js";

const similarity = (reference: string, generation: string) =>
  editSimilarity({ postReviewLines: reference.split("\n"), generation });

describe("editSimilarity", () => {
  it("is 1 − distance/longest", () => {
    // k→s, e→i, +g: 3 of 7
    expect(similarity("kitten", "sitting")).toBeCloseTo(4 / 7, 12);
    expect(similarity("sitting", "kitten")).toBeCloseTo(4 / 7, 12);
    // two lines joined by one line break: "a\nb" against "a": 2 of 3
    expect(similarity("a\nb", "a")).toBeCloseTo(1 / 3, 12);
  });

  it("is 1 for equal code, numbers echoed or not, and for two empty texts", () => {
    expect(similarity("a\n  b", "1 a\n2   b\n")).toBe(1);
    expect(similarity("a\n  b", "a\n  b\n")).toBe(1);
    expect(similarity("", "\n")).toBe(1);
  });

  it("is 0 for an empty generation of code, and for code where there should be none", () => {
    expect(similarity("abc", "")).toBe(0);
    expect(similarity("", "abc")).toBe(0);
  });

  it("minds whitespace", () => {
    expect(similarity("a  b", "a b")).toBe(0.75);
  });

  it("counts code points, not UTF-16 units", () => {
    // 😀 and 😁 share their first unit: by units the similarity would be 1/2
    expect(similarity("😀", "😁")).toBe(0);
    // one of three characters differs, (by units: 1 of 4)
    expect(similarity("a😀b", "a😁b")).toBeCloseTo(2 / 3, 12);
    expect(similarity("😀😀", "😀")).toBe(0.5);
  });

  it("counts code points of up to 65,536 different ones, and units beyond", () => {
    // U+10000 to U+1FFFE: none is the last one, whose first unit is also that of others.
    const others = Array.from({ length: 65_535 }, (_, i) => String.fromCodePoint(0x10000 + i)).join("");
    expect(similarity(others, "\u{1ffff}")).toBe(0);
    expect(similarity(`${others}\u{20000}`, "\u{1ffff}")).toBeGreaterThan(0);
  });

  it("does not take a letter with an accent for one without its own", () => {
    // é as one code point, or as e and an accent: one replaced, one added, of 2
    expect(similarity("\u00e9", "e\u0301")).toBe(0);
  });

  it("is symmetric, 0 to 1, and 1 only for equal code", () => {
    const code = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "😁", "中"), maxLength: 12 });
    fc.assert(
      fc.property(code, code, (a, b) => {
        const value = similarity(a, b);
        expect(value).toBe(similarity(b, a));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(value === 1).toBe(a === b);
      }),
      { seed: 1 },
    );
  });
});
