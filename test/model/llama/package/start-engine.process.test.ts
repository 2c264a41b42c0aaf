import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { engineBuilds } from "../../../../src/model/llama/package/engine-builds.js";
import { startEngine, unusedBuildMessage } from "../../../../src/model/llama/package/start-engine.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { writeEnginePackage } from "./write-engine-package.js";

const folder = useFreshFolder();
const signal = new AbortController().signal;

beforeEach(() => {
  vi.stubEnv("PROBE_ENGINE_DIR", folder.path("engine"));
  vi.stubEnv("XDG_CACHE_HOME", folder.path("cache"));
});
afterEach(() => vi.unstubAllEnvs());

const writePackage = (name: string, main?: string) => writeEnginePackage(folder.path("engine"), name, main);

/** An engine with a card of CUDA, which does this with a model. */
function writeEngine(load: string): void {
  writePackage(
    "node-llama-cpp",
    `export const LlamaLogLevel = { disabled: "disabled" };
    const chosen = ({ gpu }) => (gpu?.type !== "auto" ? gpu : gpu.exclude.includes("cuda") ? false : "cuda");
    export const getLlama = async (options) => {
      const library = process.env["LIBRARY_OF_FAKE"];
      if (library) process.dlopen({ exports: {} }, library);
      return {
        gpu: chosen(options),
        getGpuDeviceNames: async () => ["Old Card"],
        dispose: async () => {},
        loadModel: async () => { ${load} },
      };
    };`,
  );
}

const ABORTS = `console.error("/build/ggml-cuda/ggml-cuda.cu:108: CUDA error"); process.abort();`;
const WORKS = `const sequence = { evaluateWithoutGeneratingNewTokens: async () => {} };
  return { tokenize: () => [1, 2], createContext: async () => ({ getSequence: () => sequence }) };`;

/** Any library that Node loads. */
const ADDON = `node_modules/tree-sitter-go/prebuilds/${process.platform}-${process.arch}/tree-sitter-go.node`;

async function start(gpu: Parameters<typeof startEngine>[0]) {
  const messages: string[] = [];
  const llama = await startEngine(gpu, { signal, onMessage: (message) => messages.push(message) });
  return { gpu: llama.gpu, messages };
}

describe("startEngine", () => {
  it("leaves a card that ends the engine to the processor, and says why", async () => {
    writeEngine(ABORTS);
    expect(await start("auto")).toEqual({
      gpu: false,
      messages: [
        expect.stringMatching(/^Trying Old Card by cuda: a driver/),
        expect.stringMatching(
          /^Old Card does not compute by cuda: .*SIGABRT: ggml-cuda\.cu:108: CUDA error\).*Update NVIDIA's driver/,
        ),
      ],
    });
    expect(existsSync(folder.path("cache/code-review-probe/gpu"))).toBe(false);
  });

  it("refuses that card where it is asked for by name", async () => {
    writeEngine(ABORTS);
    await expect(start("cuda")).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("Old Card does not compute by cuda"),
    });
  });

  it("tries a card anew by another build", async () => {
    writeEngine(WORKS);
    // The engine's library for CUDA 13 and that for 12 have one name and two places.
    for (const place of ["cuda/libggml-cuda.so", "cuda/fallback/libggml-cuda.so"]) {
      const library = folder.path(place);
      mkdirSync(dirname(library), { recursive: true });
      copyFileSync(ADDON, library);
      vi.stubEnv("LIBRARY_OF_FAKE", library);
      expect((await start("cuda")).messages).toEqual([expect.stringContaining("Trying Old Card")]);
    }
  });

  it("tries a card that works once", async () => {
    writeEngine(WORKS);
    expect(await start("auto")).toMatchObject({ gpu: "cuda", messages: [expect.stringContaining("Trying Old Card")] });
    expect(readdirSync(folder.path("cache/code-review-probe/gpu"))).toHaveLength(1);
    expect(await start("cuda")).toEqual({ gpu: "cuda", messages: [] });
  });

  it("tries no card where the processor is asked for", async () => {
    writeEngine(ABORTS);
    expect(await start("false")).toEqual({ gpu: false, messages: [] });
  });

  it("says what a build needs that the real engine does not have here", async () => {
    vi.unstubAllEnvs();
    await expect(start("cuda")).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/compute by cuda, found that it cannot.*probe engine install cuda.*libcublas/),
    });
  });
});

describe("unusedBuildMessage", () => {
  const modules = () => folder.path("engine/node_modules");
  const builds = engineBuilds("linux", "x64");

  it("names the builds for a GPU that are installed whole", () => {
    for (const name of ["linux-x64-cuda", "linux-x64-vulkan"]) writePackage(`@node-llama-cpp/${name}`);
    const message = unusedBuildMessage(modules(), builds);
    expect(message).toContain("vulkan needs a Vulkan loader");
    // One of the two packages of CUDA is missing.
    expect(message).not.toContain("cuda needs");
    writePackage("@node-llama-cpp/linux-x64-cuda-ext");
    expect(unusedBuildMessage(modules(), builds)).toContain("cuda needs NVIDIA's driver");
  });

  it("is none where there is the build for the processor alone", () => {
    writePackage("@node-llama-cpp/linux-x64");
    expect(unusedBuildMessage(modules(), builds)).toBeNull();
  });
});
