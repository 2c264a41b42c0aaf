import { describe, expect, it } from "vitest";
import { countWords } from "../../../src/dataset/curate/review-measures.js";

/** Comment, words, code elements. */
const COMMENTS: [string, number, number][] = [
  // Made up: none, the two in backticks, the whole comment.
  ["Please shout the even lines.", 5, 0],
  ["Rename `a` to `b`, please", 5, 2],
  ["`if x in y`?", 4, 4],
  // A span over three words, punctuation around it, one word outside that is written as code.
  ["Use (`not hasattr(p, 'read')`) like readFile.", 6, 4],
  // A fenced block: ```py  x = 1  ``` are 5 words, the last is the fence alone.
  ["So:\n```py\nx = 1\n```", 6, 4],
  // The paper's Figures 4 and 7, by hand.
  ["FYI, this will spam console when running 'aaa'.", 8, 0],
  ["You can use 'getJavaVersion()' here.", 5, 1],
  ["there is also a 'KOKKOS_EXPECTS' that was meant for checking preconditions", 11, 1],
  ["", 0, 0],
  [" \n\t", 0, 0],
];

describe("countWords", () => {
  it.each(COMMENTS)("%j: %i words, %i code elements", (comment, words, codeElements) => {
    expect(countWords(comment, [])).toEqual({ words, codeElements });
  });

  it("knows a name with a digit when the code has it", () => {
    const comment = "Does win32 need utf8, too?";
    expect(countWords(comment, []).codeElements).toBe(0);
    expect(countWords(comment, ["if sys == 'win32': s.encode(utf8)"]).codeElements).toBe(2);
    // Case counts, and the whole name: neither is win32 or utf8.
    expect(countWords(comment, ["WIN32 = utf8_text"]).codeElements).toBe(0);
  });

  it("tells an annotation of the code from a person", () => {
    const comment = "@Override is missing, @Alice";
    expect(countWords(comment, ["public void run() {"]).codeElements).toBe(0);
    expect(countWords(comment, ["@Override", "Alice alice = bob;"]).codeElements).toBe(1);
  });

  it("does not take a plain word for code because a variable has its name", () => {
    expect(countWords("the size is wrong", ["size = the.wrong"]).codeElements).toBe(0);
  });
});
