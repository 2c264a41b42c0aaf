import { describe, expect, it } from "vitest";
import { parseLlamaSettings } from "../../src/model/model-settings.js";

describe("parseLlamaSettings", () => {
  it("keeps the cache in F32 unless told otherwise (spec §9)", () => {
    expect(parseLlamaSettings({})).toEqual({
      contextSize: 8192,
      batchSize: 512,
      threads: 0,
      kvCache: "F32",
      gpu: "auto",
      thinkTemperature: 0,
    });
  });

  it("reads the texts of the command line like the values of a file", () => {
    const found = {
      contextSize: 4096,
      batchSize: 256,
      threads: 2,
      kvCache: "F16",
      gpu: "false",
      thinkTemperature: 0.5,
    };
    expect(
      parseLlamaSettings({ ...found, contextSize: "4096", batchSize: "256", threads: "2", thinkTemperature: "0.5" }),
    ).toEqual(found);
    expect(parseLlamaSettings(found)).toEqual(found);
  });

  it.each(["auto", "cuda", "vulkan", "metal", "false"])("takes gpu=%s", (gpu) => {
    expect(parseLlamaSettings({ gpu }).gpu).toBe(gpu);
  });

  it.each([
    ["contextSize", "63"],
    ["contextSize", "many"],
    ["contextSize", "100.5"],
    ["batchSize", "15"],
    ["threads", "-1"],
    ["kvCache", "Q8"],
    ["gpu", "yes"],
    ["sha256", "abc"],
    ["chatTemplate", ""],
    ["contextsize", "4096"],
  ])("refuses %s=%s, naming it and the settings there are", (name, value) => {
    expect(() => parseLlamaSettings({ [name]: value })).toThrow(
      expect.objectContaining({
        code: "bad_input",
        message: expect.stringMatching(new RegExp(`^Expected settings .*batchSize.*, found ${name}[:.] ?.*$`)),
      }),
    );
  });
});
