import { expect, it } from "vitest";
import { ownText } from "../../src/base/text.js";

it("is the same text, whatever it holds", () => {
  for (const text of ["", "c-tile-short-read-0", "größer 説明 😀", '"\\\n\u0000\u2028', "\ud800 alone"])
    expect(ownText(text)).toBe(text);
});
