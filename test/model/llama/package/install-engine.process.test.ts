import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { engineBuilds } from "../../../../src/model/llama/package/engine-builds.js";
import { fallBackToOlderCuda } from "../../../../src/model/llama/package/install-engine.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { writeEnginePackage } from "./write-engine-package.js";

const folder = useFreshFolder();
const signal = new AbortController().signal;
const [NEWER = "", OLDER = ""] = engineBuilds().find(({ name }) => name === "cuda")?.packages ?? [];
/** As the package has it. */
const LIBRARY = `bins/linux-x64-cuda/${process.platform === "win32" ? "" : "lib"}ggml-cuda.${process.platform === "win32" ? "dll" : "so"}`;

beforeEach(() => vi.stubEnv("PROBE_ENGINE_DIR", folder.path("engine")));
afterEach(() => vi.unstubAllEnvs());

const library = () => folder.path(join("engine/node_modules", NEWER, LIBRARY));

/** An engine that ends at the first token where its build for CUDA 13 is, and elsewhere does this. */
function writeEngine(otherwise: string): void {
  writeEnginePackage(
    folder.path("engine"),
    "node-llama-cpp",
    `import { existsSync } from "node:fs";
    export const LlamaLogLevel = { disabled: "disabled" };
    export class InsufficientMemoryError extends Error {}
    const sequence = { evaluateWithoutGeneratingNewTokens: async () => {} };
    export const getLlama = async () => {
      if (!existsSync(${JSON.stringify(library())})) { ${otherwise} }
      return {
        loadModel: async () => ({
          tokenize: () => [1, 2],
          createContext: async () => {
            if (existsSync(${JSON.stringify(library())})) process.abort();
            return { getSequence: () => sequence };
          },
        }),
      };
    };`,
  );
}

function writeBuilds(): void {
  for (const name of [NEWER, OLDER]) writeEnginePackage(folder.path("engine"), name);
  mkdirSync(dirname(library()), { recursive: true });
  writeFileSync(library(), "");
}

describe.runIf(NEWER !== "")("the build for CUDA 12", () => {
  it("is taken where it computes: the one for 13, which the engine would prefer, is moved aside", async () => {
    writeEngine("");
    writeBuilds();
    expect(await fallBackToOlderCuda(signal)).toBe(true);
    expect(existsSync(library())).toBe(false);
  });

  it.each([
    ["its runtime is not there", "throw new Error('no CUDA');"],
    ["the card does not compute by it either", "process.abort();"],
  ])("is not taken where %s", async (_, otherwise) => {
    writeEngine(otherwise);
    writeBuilds();
    expect(await fallBackToOlderCuda(signal)).toBe(false);
    expect(existsSync(library())).toBe(true);
  });

  it("is not looked for where it is not installed", async () => {
    writeEngine("");
    writeEnginePackage(folder.path("engine"), NEWER);
    expect(await fallBackToOlderCuda(signal)).toBe(false);
  });
});
