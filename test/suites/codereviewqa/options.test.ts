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

describe("--think", () => {
  const { parse, record } = RUN_OPTIONS.think;
  it("is off, an effort or the most tokens, and is recorded as it is given again", () => {
    const found = ["off", "HIGH", "512"].map((given) => parse(given, "think"));
    expect(found).toEqual(["off", "high", { tokens: 512 }]);
    expect(found.map((think) => record?.(think))).toEqual(["off", "high", 512]);
    // A run without it has the fingerprint that it had before there was any.
    expect(record?.(parse(undefined, "think"))).toBeUndefined();
  });

  it.each(["0", "-1", "1.5", "lots", "99999999"])("refuses %s", (given) => {
    expect(() => parse(given, "think")).toThrow(badInput("off, low, medium, high or a number of tokens from 1"));
  });
});

describe("--orders and --repeats", () => {
  it("are all, once, where nothing is said, and leave no trace then", () => {
    const { orders, repeats } = RUN_OPTIONS;
    expect([orders.parse(undefined, "orders"), repeats.parse(undefined, "repeats")]).toEqual(["all", 1]);
    expect([orders.record?.("all"), repeats.record?.(1)]).toEqual([undefined, undefined]);
    expect([orders.parse("cyclic", "orders"), orders.parse("8", "orders")]).toEqual(["cyclic", 8]);
    expect([orders.record?.("cyclic"), orders.record?.(8), repeats.record?.(3)]).toEqual(["cyclic", 8, 3]);
    expect(() => orders.parse("0", "orders")).toThrow(badInput("at least 1"));
    expect(() => orders.parse("some", "orders")).toThrow(badInput("all, cyclic or a whole number from 1"));
  });
});
