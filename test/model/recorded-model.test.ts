import { describe, expect, it } from "vitest";
import { NO_CONNECTION } from "../../src/model/model.js";
import { recordedConnection, recordedSettings } from "../../src/model/resolved-model.js";

const SETTINGS = {
  baseUrl: ["http://me:secret@127.0.0.1:1/v1", "http://127.0.0.1:2/v1"],
  apiKeyEnv: "LAB_KEY",
  topLogprobs: 5,
};

describe("how a server was reached", () => {
  it("is recorded with the connection, not with the settings, and never with a password", () => {
    expect(recordedConnection(NO_CONNECTION, SETTINGS)).toEqual({
      base_urls: ["http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"],
      api_key_env: "LAB_KEY",
      api_key_file: null,
      concurrency: null,
    });
    expect(recordedSettings(SETTINGS)).toEqual(["topLogprobs=5"]);
  });

  it("is what the options say, over the settings", () => {
    const connection = { ...NO_CONNECTION, baseUrls: ["http://127.0.0.1:3/v1"], apiKeyEnv: "MINE", concurrency: 3 };
    expect(recordedConnection(connection, SETTINGS)).toMatchObject({
      base_urls: ["http://127.0.0.1:3/v1"],
      api_key_env: "MINE",
      concurrency: 3,
    });
  });

  it("names the key source that is used, and of a URL what is no secret", () => {
    const baseUrls = ["https://gateway/sk-4f9a7c21d8e6/v1"];
    const connection = { ...NO_CONNECTION, baseUrls, apiKeyEnv: "sk-4f9a7c21d8e6", apiKeyFile: "/key.txt" };
    expect(recordedConnection(connection, SETTINGS)).toMatchObject({
      base_urls: ["https://gateway/[key]/v1"],
      api_key_env: null,
      api_key_file: "/key.txt",
    });
  });
});
