import { describe, expect, it } from "vitest";
import { emptyThoughts, marksOf, openingOf } from "../../../src/model/llama/think-tokenizer.js";
import { beforeMark } from "../../../src/model/llama/thinker.js";

const MARKS = { open: "<think>", close: "</think>" };

describe("marks of thoughts", () => {
  it("are those that the template speaks of, or those of the settings", () => {
    expect(marksOf("{{ content.split('</think>')[-1] }}", {})).toEqual(MARKS);
    expect(marksOf("[THINK]{{ thoughts }}[/THINK]", {})).toEqual({ open: "[THINK]", close: "[/THINK]" });
    expect(marksOf("<think>", { thinkClose: "DONE" })).toEqual({ open: "<think>", close: "DONE" });
    expect(marksOf("{{ content }}", {})).toBeNull();
    expect(marksOf("{{ content }}", { thinkOpen: "(", thinkClose: ")" })).toEqual({ open: "(", close: ")" });
    expect(marksOf("{{ content }}", { thinkOpen: "(" })).toBeNull();
  });

  it("open thoughts unless the template has, and close empty ones unless it has", () => {
    expect(openingOf("user: x assistant:", MARKS)).toBe("<think>\n");
    expect(openingOf("assistant: <think>\n", MARKS)).toBe("");
    expect(emptyThoughts("assistant: <think>\n", MARKS)).toBe("\n</think>\n\n");
    expect(emptyThoughts("assistant: <think>", MARKS)).toBe("\n\n</think>\n\n");
    expect(emptyThoughts("assistant:", MARKS)).toBe("<think>\n\n</think>\n\n");
    expect(emptyThoughts("assistant: <think>\n\n</think>\n\n", MARKS)).toBe("");
    expect(emptyThoughts("assistant:", null)).toBe("");
  });
});

describe("tokens before a mark", () => {
  const pieces = ["So ", "B", ".</", "thi", "nk>"];
  const text = { after: (tokens: readonly number[]) => tokens.map((token) => pieces[token] ?? "?").join("") };
  it("end before it; what stands before it in its first token is tokenised by itself", () => {
    // ".</" begins with a point that is no part of the mark.
    expect(beforeMark([0, 1, 2, 3, 4], "</think>", text, (rest) => [rest === "." ? 9 : -1])).toEqual([0, 1, 9]);
    expect(beforeMark([0, 1], "B", text, () => [-1])).toEqual([0]);
  });
});
