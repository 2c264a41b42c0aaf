import { describe, expect, it } from "vitest";
import { choice, list, settings, single, wholeNumber } from "../../src/console/arguments.js";

const badInput = (message: string) =>
  expect.objectContaining({ code: "bad_input", message: expect.stringContaining(message) });

describe("list", () => {
  it("splits at commas, joins repetitions, trims, and drops empty parts", () => {
    expect(list("CTR, CL,,SI ")).toEqual(["CTR", "CL", "SI"]);
    expect(list(["CTR,CL", "SI"])).toEqual(["CTR", "CL", "SI"]);
    expect(list(undefined)).toEqual([]);
  });
});

describe("single", () => {
  it("takes one value, given once or not at all", () => {
    expect(single("seed", "7")).toBe("7");
    expect(single("seed", ["7"])).toBe("7");
    expect(single("seed", [])).toBeUndefined();
    expect(single("seed", undefined)).toBeUndefined();
  });

  it("refuses an empty value: it would name the working directory, or nothing", () => {
    expect(() => single("out", "")).toThrow(badInput("Expected a value for --out, found none."));
    expect(() => single("out", [""])).toThrow(badInput("Expected a value for --out, found none."));
  });

  it("refuses a repetition instead of taking one of both", () => {
    expect(() => single("seed", ["7", "8"])).toThrow(badInput("--seed, found 2"));
  });
});

describe("wholeNumber", () => {
  it("reads a whole number", () => {
    expect(wholeNumber("limit", "12", 1)).toBe(12);
    expect(wholeNumber("limit", "1", 1)).toBe(1);
    expect(wholeNumber("seed", "0", 0)).toBe(0);
    expect(wholeNumber("limit", undefined, 1)).toBeUndefined();
  });

  it.each(["", " ", "ten", "1.5", "0", "-3", "1e400", "NaN", "9007199254740993"])("refuses %j", (text) => {
    expect(() => wholeNumber("limit", text, 1)).toThrow(badInput("a whole number of at least 1 for --limit"));
  });

  it.each(["", "  "])("does not take %j for 0", (text) => {
    expect(() => wholeNumber("seed", text, 0)).toThrow(badInput("--seed"));
  });
});

describe("choice", () => {
  it("takes one of the words, in any case", () => {
    expect(choice("mode", "EXACT", ["exact", "fast"])).toBe("exact");
    expect(choice("mode", undefined, ["exact", "fast"])).toBeUndefined();
  });

  it("refuses another word, naming the words there are", () => {
    expect(() => choice("mode", "slow", ["exact", "fast"])).toThrow(
      badInput('Expected one of exact, fast for --mode, found "slow".'),
    );
    expect(() => choice("mode", "", ["exact", "fast"])).toThrow(badInput("--mode"));
  });
});

describe("settings", () => {
  it("are split at the first equals sign", () => {
    expect(settings(["threads=2", "chatTemplate={% if a == b %}", "sha256="])).toEqual({
      threads: "2",
      chatTemplate: "{% if a == b %}",
      sha256: "",
    });
    expect(settings("gpu=false")).toEqual({ gpu: "false" });
    expect(settings(undefined)).toEqual({});
  });

  it("keep commas: a template may hold them", () => {
    expect(settings("chatTemplate=a,b")).toEqual({ chatTemplate: "a,b" });
  });

  it.each(["threads", "=2", ""])("refuse %j", (pair) => {
    expect(() => settings(pair)).toThrow(badInput("Expected key=value for --model-arg"));
  });
});
