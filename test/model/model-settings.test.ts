import { describe, expect, it } from "vitest";
import { parseServerSettings } from "../../src/model/model-settings.js";

describe("parseServerSettings", () => {
  it("waits two minutes for a reply, five for a server and one for batches, unless told otherwise", () => {
    expect(parseServerSettings({})).toEqual({ timeoutSeconds: 120, patienceSeconds: 300, batchPollSeconds: 60 });
  });

  it("reads numbers from text, as --model-arg gives them", () => {
    expect(parseServerSettings({ topLogprobs: "7", timeoutSeconds: "0.5", patienceSeconds: "1e3" })).toMatchObject({
      topLogprobs: 7,
      timeoutSeconds: 0.5,
      patienceSeconds: 1000,
    });
  });

  it("takes one server or several, a key's name and a way", () => {
    const settings = { baseUrl: "http://host/v1", apiKeyEnv: "MY_KEY", extraction: "guided" };
    expect(parseServerSettings(settings)).toMatchObject(settings);
    const several = { baseUrl: ["http://a/v1", "http://b/v1"] };
    expect(parseServerSettings(several)).toMatchObject(several);
  });

  it.each([
    ["extraction", { extraction: "best" }],
    ["topLogprobs", { topLogprobs: 0 }],
    ["topLogprobs", { topLogprobs: 1.5 }],
    ["topLogprobs", { topLogprobs: "many" }],
    ["timeoutSeconds", { timeoutSeconds: 0 }],
    ["timeoutSeconds", { timeoutSeconds: -1 }],
    // 2^31 ms: from there on a timer of Node's fires at once
    ["timeoutSeconds", { timeoutSeconds: 2_147_484 }],
    ["patienceSeconds", { patienceSeconds: "long" }],
    ["baseUrl", { baseUrl: "host" }],
    ["baseUrl", { baseUrl: [] }],
    ["apiKeyEnv", { apiKeyEnv: "" }],
    ["apiKey", { apiKey: "sk-1" }],
  ])("refuses %s in %o, naming it", (name, settings) => {
    expect(() => parseServerSettings(settings)).toThrow(
      expect.objectContaining({ code: "bad_input", message: expect.stringContaining(name) }),
    );
  });
});
