import { describe, expect, it } from "vitest";
import { engineBuilds } from "../../../../src/model/llama/package/engine-builds.js";
import { readEngineLock } from "../../../../src/model/llama/package/engine-lock.js";

describe("engineBuilds", () => {
  it("begins with the build that every machine of the system can use", () => {
    const first = (platform: string, processor: string) => engineBuilds(platform, processor)[0];
    expect(first("linux", "x64")).toMatchObject({ name: "cpu", packages: ["@node-llama-cpp/linux-x64"] });
    expect(first("darwin", "arm64")).toMatchObject({ name: "metal", packages: ["@node-llama-cpp/mac-arm64-metal"] });
    expect(first("win32", "arm64")).toMatchObject({ name: "cpu", packages: ["@node-llama-cpp/win-arm64"] });
  });

  it("knows none where the engine has none", () => {
    expect(engineBuilds("sunos", "x64")).toEqual([]);
  });

  it("shares out every build that the lock file has, each to one system", () => {
    const systems = [
      ["linux", "x64"],
      ["linux", "arm64"],
      ["linux", "arm"],
      ["linux", "riscv64"],
      ["darwin", "arm64"],
      ["darwin", "x64"],
      ["win32", "x64"],
      ["win32", "arm64"],
    ] as const;
    const shared = systems.flatMap(([os, cpu]) => engineBuilds(os, cpu).flatMap(({ packages }) => packages));
    const locked = Object.keys(readEngineLock().packages).filter((place) => place.includes("/@node-llama-cpp/"));
    expect(shared.map((name) => `node_modules/${name}`).sort()).toEqual(locked.sort());
  });
});
