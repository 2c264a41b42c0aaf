import { describe, expect, it } from "vitest";
import { connectionOf } from "../../src/console/model-options.js";

const NOTHING = {
  baseUrl: [],
  apiKeyEnv: null,
  apiKeyFile: null,
  concurrency: null,
  allowGenerated: true,
  force: false,
};
const NAMED = { ...NOTHING, baseUrl: ["http://127.0.0.1:9/v1"], apiKeyEnv: "LAB" };
const TINY = { label: "tiny", provider: "llama" };
const SERVED = { label: "openai:auto", provider: "openai" };

describe("connectionOf", () => {
  it("refuses a server and a key that are typed for a model in this process", () => {
    expect(() => connectionOf(NAMED, TINY)).toThrow("Expected no --base-url or --api-key-env with tiny: it runs in");
    expect(() => connectionOf({ ...NOTHING, apiKeyFile: "key" }, TINY)).toThrow("Expected no --api-key-file with tiny");
    expect(connectionOf(NAMED, SERVED)).toMatchObject({ baseUrls: NAMED.baseUrl, apiKeyEnv: "LAB" });
  });

  it("takes them where an older record names them", () => {
    const foundIn = { baseUrl: "run.json", apiKey: "run.json" };
    expect(connectionOf(NAMED, TINY, foundIn)).toMatchObject({ baseUrls: NAMED.baseUrl, foundIn });
    expect(() => connectionOf(NAMED, TINY, { apiKey: "run.json" })).toThrow("Expected no --base-url with tiny");
  });

  it("allows written letters to models of servers alone, as a config file allows them to all", () => {
    expect([TINY, SERVED].map((model) => connectionOf(NOTHING, model).allowGenerated)).toEqual([false, true]);
  });
});
