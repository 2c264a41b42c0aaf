import { describe, expect, it } from "vitest";
import { type EngineLock, engineVersion, lockWith } from "../../../../src/model/llama/package/engine-lock.js";

const LOCK: EngineLock = {
  lockfileVersion: 3,
  packages: {
    "": { dependencies: { "node-llama-cpp": "9.9.9" } },
    "node_modules/@node-llama-cpp/linux-x64": { version: "9.9.9", integrity: "sha512-a", optional: true },
    "node_modules/@node-llama-cpp/linux-x64-cuda": { version: "9.9.9", optional: true },
    "node_modules/node-llama-cpp": { version: "9.9.9", integrity: "sha512-b" },
  },
};

describe("lockWith", () => {
  it("makes the engine and the builds chosen needed, and leaves the others optional", () => {
    const { manifest, lock, unhashed } = lockWith(LOCK, ["@node-llama-cpp/linux-x64"]);
    const dependencies = { "node-llama-cpp": "9.9.9", "@node-llama-cpp/linux-x64": "9.9.9" };
    expect(manifest).toEqual({ name: "probe-engine", private: true, dependencies });
    expect(lock).toEqual({
      lockfileVersion: 3,
      packages: {
        "": manifest,
        "node_modules/@node-llama-cpp/linux-x64": { version: "9.9.9", integrity: "sha512-a" },
        "node_modules/@node-llama-cpp/linux-x64-cuda": { version: "9.9.9", optional: true },
        "node_modules/node-llama-cpp": { version: "9.9.9", integrity: "sha512-b" },
      },
    });
    expect(unhashed).toEqual([]);
  });

  it("names the builds whose hash is not known", () => {
    expect(lockWith(LOCK, ["@node-llama-cpp/linux-x64-cuda"]).unhashed).toEqual(["@node-llama-cpp/linux-x64-cuda"]);
  });

  it("is of the version in the file", () => {
    expect(engineVersion(LOCK)).toBe("9.9.9");
  });
});
