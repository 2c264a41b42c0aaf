import { describe, expect, it } from "vitest";
import { difficulties } from "../../../../src/suites/codereviewqa/cli/difficulties.js";

const badInput = (message: string) =>
  expect.objectContaining({ code: "bad_input", message: expect.stringContaining(message) });

describe("difficulties", () => {
  it("are easy before hard, each once; both is both", () => {
    expect(difficulties("hard,easy")).toEqual(["easy", "hard"]);
    expect(difficulties(["hard", "HARD"])).toEqual(["hard"]);
    expect(difficulties("both")).toEqual(["easy", "hard"]);
    expect(difficulties("easy,both")).toEqual(["easy", "hard"]);
    expect(difficulties(undefined)).toEqual([]);
  });

  it("refuses another word, even beside a known one", () => {
    expect(() => difficulties("easy,medium")).toThrow(badInput('easy, hard or both for --difficulty, found "medium"'));
  });
});
