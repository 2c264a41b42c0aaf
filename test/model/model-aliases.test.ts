import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadAliases } from "../../src/model/model-aliases.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

async function withConfig(config: unknown) {
  const text = typeof config === "string" ? config : JSON.stringify(config);
  await writeFile(folder.path("probe.config.json"), text);
  return await loadAliases(folder.path());
}

describe("loadAliases", () => {
  it("knows the bundled model without any configuration", async () => {
    const tiny = (await loadAliases(folder.path())).get("tiny");
    expect(tiny).toMatchObject({ name: "tiny", origin: "shipped", model: expect.stringMatching(/^llama:/) });
  });

  it("adds the models of probe.config.json, with their settings", async () => {
    const aliases = await withConfig({ models: { mine: { model: "llama:/m.gguf", settings: { threads: 2 } } } });
    expect(aliases.get("mine")).toEqual({
      name: "mine",
      origin: "probe.config.json",
      model: "llama:/m.gguf",
      settings: { threads: 2 },
    });
    expect(aliases.has("tiny")).toBe(true);
  });

  it("marks an alias of probe.config.json that takes the place of a shipped one", async () => {
    const aliases = await withConfig({ models: { tiny: { model: "scripted:oracle" } } });
    expect(aliases.get("tiny")).toEqual({
      name: "tiny",
      origin: "probe.config.json",
      model: "scripted:oracle",
      settings: {},
      replacesShipped: true,
    });
  });

  it("takes a configuration without models", async () => {
    expect((await withConfig({})).has("tiny")).toBe(true);
  });

  it.each([
    ["is not JSON", "{"],
    ["has an unknown key", { model: {} }],
    ["has a model without a provider", { models: { mine: { model: "m.gguf" } } }],
    ["has an alias with an unknown key", { models: { mine: { model: "llama:m", setting: {} } } }],
  ])("refuses a configuration that %s", async (_, config) => {
    await expect(withConfig(config)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("Expected probe.config.json to hold"),
    });
  });

  it("refuses a configuration that cannot be read", async () => {
    await mkdir(folder.path("probe.config.json"));
    await expect(loadAliases(folder.path())).rejects.toMatchObject({ code: "bad_input" });
  });
});
