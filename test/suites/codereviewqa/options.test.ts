import { describe, expect, it } from "vitest";
import { difficultyOption, RUN_OPTIONS } from "../../../src/suites/codereviewqa/options.js";

const badInput = (message: string) =>
  expect.objectContaining({ code: "bad_input", message: expect.stringContaining(message) });

describe("--difficulty", () => {
  const difficulties = (given: string | string[] | undefined) => difficultyOption().parse(given, "difficulty");

  it("is easy before hard, each once; both is both", () => {
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

describe("--ablate", () => {
  it("is what is withheld, each once, in the order of the tables; another word is refused", () => {
    const ablate = (given: string | string[]) => RUN_OPTIONS.ablate.parse(given, "ablate");
    expect(ablate(["both,CODE", "review", "code"])).toEqual(["review", "code", "both"]);
    expect(() => ablate("review,nothing")).toThrow(badInput('review, code, both for --ablate, found "nothing"'));
  });
});
