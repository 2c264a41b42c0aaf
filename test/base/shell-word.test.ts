import { describe, expect, it } from "vitest";
import { shellWord } from "../../src/base/text.js";

describe("shellWord", () => {
  it.each([
    ["results/a-1", "results/a-1"],
    ["my runs", "'my runs'"],
    ["it's", "'it'\\''s'"],
    ["$(rm)", "'$(rm)'"],
    ["", "''"],
  ])("writes %j as %s", (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  it("lets no control character through", () => {
    expect(shellWord("a\u001b[2Jb")).toBe("'a\u001b[2Jb'");
  });
});
