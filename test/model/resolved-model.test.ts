import { describe, expect, it } from "vitest";
import type { Alias } from "../../src/model/model-aliases.js";
import { openModel } from "../../src/model/open-model.js";
import { resolveModel } from "../../src/model/resolved-model.js";
import { OPEN_OPTIONS } from "../fixtures/open-options.js";

const alias = (name: string, model: string, settings = {}): [string, Alias] => [
  name,
  { name, model, settings, origin: "shipped" },
];
const ALIASES = new Map([
  alias("tiny", "llama:package:tiny.gguf", { threads: 1 }),
  alias("qwen", "llama:hf:Qwen/q"),
  alias("lost", "nowhere:model"),
]);

function messageFor(label: string): string {
  try {
    resolveModel(label, ALIASES);
  } catch (error) {
    expect(error).toMatchObject({ code: "bad_input" });
    return error instanceof Error ? error.message : "";
  }
  throw new Error(`Expected ${label} to be refused.`);
}

describe("resolveModel", () => {
  it("finds an alias, with its settings, under the label the user typed", () => {
    expect(resolveModel("tiny", ALIASES)).toEqual({
      label: "tiny",
      provider: "llama",
      name: "package:tiny.gguf",
      settings: { threads: 1 },
    });
  });

  it("takes provider:name, and colons in the name as part of it", () => {
    expect(resolveModel("llama:hf:owner/name:Q4_K_M", ALIASES)).toEqual({
      label: "llama:hf:owner/name:Q4_K_M",
      provider: "llama",
      name: "hf:owner/name:Q4_K_M",
      settings: {},
    });
  });

  it.each(["models/m.gguf", "/abs/m.gguf", "C:\\models\\m.gguf"])("takes %s for a GGUF file", (path) => {
    expect(resolveModel(path, ALIASES)).toMatchObject({ label: path, provider: "llama", name: path });
  });

  it("refuses what means nothing, and suggests near names only", () => {
    expect(messageFor("tinny")).toContain("Did you mean tiny?");
    expect(messageFor("quen")).toContain("Did you mean qwen?");
    expect(messageFor("nothing-like-it")).not.toContain("Did you mean");
  });

  it.each(["nowhere:model", "llama:", "llama", ":name", "", "constructor:x", "__proto__:x"])(
    "refuses %j, naming the providers there are",
    (label) => {
      expect(messageFor(label)).toMatch(/llama, .*scripted/);
    },
  );

  it("names the target of an alias whose provider does not exist, not the alias itself as a near name", () => {
    expect(messageFor("lost")).toContain("nowhere:model");
    expect(messageFor("lost")).not.toContain("Did you mean");
  });

  it("names a label as it is: the console makes visible what a terminal would obey", () => {
    expect(messageFor("\u001b[2J")).toContain("\u001b[2J");
  });
});

describe("openModel", () => {
  it("opens a model of the provider, by its name", async () => {
    const model = await openModel(resolveModel("scripted:uniform", ALIASES), { ...OPEN_OPTIONS, seed: 3 });
    expect(model.identity).toEqual({ provider: "scripted", rule: "uniform", seed: 3 });
  });
});
