import { writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hubHost, resolveModelFile } from "../../../src/model/llama/model-file.js";
import { installEngine } from "../../../src/model/llama/package/install-engine.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

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

describe("where nothing can be kept", () => {
  it("a model file to be fetched is refused, with the place", async () => {
    writeFileSync(folder.path("file"), "");
    vi.stubEnv("PROBE_MODELS_DIR", folder.path("file/models"));
    await expect(resolveModelFile("hf:owner/repo/file.gguf")).rejects.toThrow(
      `Expected to write ${folder.path("file/models")}, found a file where a folder has to be`,
    );
  });

  it("so is the engine", async () => {
    writeFileSync(folder.path("file"), "");
    const install = installEngine([], () => undefined, folder.path("file/cache/engine"));
    await expect(install).rejects.toThrow(/^Expected to write \S+, found a file where a folder has to be/);
  });
});
