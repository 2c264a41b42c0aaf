import { describe, expect, it } from "vitest";
import { nearHint, nearNames } from "../../src/base/near-names.js";

describe("near names", () => {
  const near = (word: string, ...names: string[]) => nearNames(word, names);

  it("are those that a third of the letters make of the word, the nearest first", () => {
    // "pythn": one letter of 5 is missing, 1 ≤ 5 / 3; "go" is five changes away.
    expect(near("pythn", "go", "python")).toEqual(["python"]);
    // One change to "tine", two to "tans", of which 4 / 3 allows one.
    expect(near("tins", "tine", "tans", "tents")).toEqual(["tine", "tans"]);
    expect(near("nonsense", "run", "runs")).toEqual([]);
  });

  it("have the letters of the word in another order, whatever its case", () => {
    expect(near("taks", "task", "tiny")).toEqual(["task"]);
    expect(near("hdar", "hard", "easy")).toEqual(["hard"]);
    expect(near("ctR", "CTR", "CL")).toEqual(["CTR"]);
  });

  it("begin with the word or it with them, or are a part of it between dashes, or it of them", () => {
    expect(near("diff", "difficulty", "out")).toEqual(["difficulty"]);
    expect(near("output", "out", "json")).toEqual(["out"]);
    expect(near("key", "api-key-env", "model")).toEqual(["api-key-env"]);
    expect(near("atlas", "swe-atlas", "codetaste")).toEqual(["swe-atlas"]);
    // Two letters begin too many names.
    expect(near("ru", "run-of-today")).toEqual([]);
  });

  it("are one where it is the word but for case and for what stands between its parts", () => {
    expect(near("MODEL", "model-arg", "model", "mode")).toEqual(["model"]);
    expect(near("Change_Localisation", "change localisation without options", "change localisation")).toEqual([
      "change localisation",
    ]);
  });

  it("are three at most, each once", () => {
    expect(near("run", "runs", "rune", "runt", "rung", "runs")).toEqual(["runs", "rune", "runt"]);
  });

  it("are told in one sentence, or not at all", () => {
    expect(nearHint("tniy", ["tiny", "tint"], (name) => `--${name}`)).toBe(" Did you mean --tiny?");
    expect(nearHint("zzz", ["tiny"])).toBe("");
  });
});
