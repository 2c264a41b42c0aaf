import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeSpans } from "../../../src/dataset/curate/review-measures.js";

/** What stands inside the spans. */
const inside = (text: string) => codeSpans(text).map(({ start, end }) => text.slice(start, end));

describe("codeSpans", () => {
  it.each<[string, string[]]>([
    ["use `a` and `b c`", ["a", "b c"]],
    ["``a ` b`` then `c`", ["a ` b", "c"]],
    ["```py\nx = 1\n```", ["py\nx = 1\n"]],
    ["`over\ntwo lines`", ["over\ntwo lines"]],
    ["don`t", []],
    ["``a` b", []],
    // The run of two has no partner; the two single ones have.
    ["``a `b` c", ["b"]],
    ["", []],
  ])("%j holds %j", (text, spans) => {
    expect(inside(text)).toEqual(spans);
  });

  it("finds ascending spans that do not touch, none of which holds its own delimiter", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("`", "``", "a", " ")), (parts) => {
        const text = parts.join("");
        let last = 0;
        for (const { start, end } of codeSpans(text)) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(text[start]).not.toBe("`");
          expect(text[end]).toBe("`");
          last = end;
        }
      }),
      { seed: 1 },
    );
  });
});
