import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sha256OfFile } from "../../../src/base/sha256.js";
import { tryToLoad } from "../../../src/model/llama/open-llama.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { TINY_FILE } from "./open-tiny.js";

const folder = useFreshFolder();
const NEVER = new AbortController().signal;

beforeEach(() => vi.stubEnv("PROBE_MODELS_DIR", folder.path("models")));
afterEach(() => vi.unstubAllEnvs());

async function file(change: (bytes: Buffer) => void) {
  const bytes = Buffer.from(readFileSync(TINY_FILE));
  change(bytes);
  const path = folder.path("model.gguf");
  writeFileSync(path, bytes);
  return { path, sha256: await sha256OfFile(path) };
}

describe("a model file", () => {
  it("with one flipped bit, which ends the engine, is refused with an error in this process", async () => {
    // A byte among the texts of the vocabulary.
    const damaged = await file((bytes) => {
      bytes[2208]! ^= 1;
    });
    await expect(tryToLoad(damaged, NEVER)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(
        /model\.gguf as a GGUF model, found that it ends the engine \(SIG\w+.*damaged.*fetch it anew/s,
      ),
    });
  });

  it("that loads is noted by its checksum, and not tried again", async () => {
    const { path, sha256 } = await file(() => {});
    await tryToLoad({ path, sha256 }, NEVER);
    expect(existsSync(join(folder.path("models"), "loaded", sha256))).toBe(true);
    // Tried, this file would end the engine.
    const damaged = await file((bytes) => {
      bytes[2208]! ^= 1;
    });
    await tryToLoad({ path: damaged.path, sha256 }, NEVER);
  });

  it("that is no model is left to the loading itself, which says what is wrong", async () => {
    const path = folder.path("text.gguf");
    writeFileSync(path, "no model");
    await tryToLoad({ path, sha256: "0".repeat(64) }, NEVER);
    expect(existsSync(join(folder.path("models"), "loaded"))).toBe(false);
  });

  it("is not waited for behind an interrupt", async () => {
    const controller = new AbortController();
    const tried = tryToLoad(await file(() => {}), controller.signal);
    controller.abort();
    await expect(tried).rejects.toMatchObject({ name: "AbortError" });
  });
});
