import { afterEach, describe, expect, it, vi } from "vitest";
import { hubHost } from "../../../src/model/llama/model-file.js";

afterEach(() => vi.unstubAllEnvs());

describe("where files of the hub come from", () => {
  it.each([
    [undefined, undefined, "https://huggingface.co"],
    [undefined, "https://mirror.example/", "https://mirror.example"],
    ["http://first.example/hub/", "https://mirror.example", "http://first.example/hub"],
    // The engine passes over what is no address, and so must the program that says whom it asks.
    ["not an address", "https://mirror.example", "https://mirror.example"],
    ["ftp://files.example", "", "https://huggingface.co"],
  ])("is %s, else %s, where that is an address: %s", (first, second, host) => {
    vi.stubEnv("MODEL_ENDPOINT", first);
    vi.stubEnv("HF_ENDPOINT", second);
    expect(hubHost()).toBe(host);
  });
});
