import { describe, expect, it } from "vitest";
import { choiceOption } from "../../../src/console/option-kinds.js";
import { otherDifferences } from "../../../src/run/compare/compare-runs.js";
import { makeRunFile, makeRunModel } from "../../fixtures/run-file.js";

const SUITE = {
  manner: ["prompt_mode", "max_tokens"],
  options: { promptMode: choiceOption("", ["completion", "chat"], "completion", { parameter: "prompt_mode" }) },
};
const run = (model: string, identity: Record<string, string>, parameters: Record<string, string | string[]>) =>
  makeRunFile({ model: makeRunModel(model, identity), parameters });

describe("otherDifferences", () => {
  it("names the manner of asking in which runs of any models differ, and nothing else of them", () => {
    const then = run("a", { file: "a.gguf" }, { prompt_mode: "chat", model_args: ["threads=1"], tasks: ["CTR"] });
    const now = run("b", { file: "b.gguf" }, { prompt_mode: "completion", model_args: ["threads=2"], tasks: ["CL"] });
    expect(otherDifferences(SUITE, then, now)).toEqual([
      { name: "prompt_mode", baseline: "chat", candidate: "completion" },
    ]);
  });

  it("names identity and settings too where the models have one name", () => {
    const then = run("a", { sha256: "11" }, { model_args: ["threads=1"] });
    const now = run("a", { sha256: "22", host: "lab" }, { model_args: ["threads=2"] });
    expect(otherDifferences(SUITE, then, now)).toEqual([
      { name: "model sha256", baseline: "11", candidate: "22" },
      { name: "model host", baseline: null, candidate: "lab" },
      { name: "model_args", baseline: ["threads=1"], candidate: ["threads=2"] },
    ]);
  });

  it("finds none between runs that were asked alike", () => {
    const same = run("a", { sha256: "11" }, { prompt_mode: "chat", model_args: ["threads=1"] });
    expect(otherDifferences(SUITE, same, structuredClone(same))).toEqual([]);
  });

  it("takes a parameter that a record does not have for the default of its option; without an option it is none", () => {
    const [old, now] = [run("a", {}, {}), run("a", {}, { prompt_mode: "completion", max_tokens: "9" })];
    expect(otherDifferences(SUITE, old, now)).toEqual([{ name: "max_tokens", baseline: null, candidate: "9" }]);
    expect(otherDifferences(SUITE, old, run("a", {}, { prompt_mode: "chat" }))).toEqual([
      { name: "prompt_mode", baseline: "completion", candidate: "chat" },
    ]);
  });
});
