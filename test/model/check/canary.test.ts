import { describe, expect, it } from "vitest";
import { canaryPrompts } from "../../../src/model/check/canaries.js";
import { A, B, C, D } from "../../fixtures/symbols.js";

describe("canaryPrompts", () => {
  it("asks for each letter, for the first again, and for none", () => {
    expect(canaryPrompts().map(({ right }) => right)).toEqual([A, B, C, D, A, null]);
  });

  it("gives the same name to the same text, and to no other", () => {
    const texts = new Map(canaryPrompts().map(({ name, text }) => [name, text]));
    expect(new Set(texts.values()).size).toBe(5);
    for (const { name, text } of canaryPrompts()) expect(texts.get(name)).toBe(text);
  });

  it("moves only the letter that is given away", () => {
    const [first, ...others] = canaryPrompts().slice(0, 4);
    for (const { text, right } of others) {
      expect(text).not.toBe(first?.text);
      expect(text.replace(`the letter ${right}.`, "the letter A.")).toBe(first?.text);
    }
  });
});
