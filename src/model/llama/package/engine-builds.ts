/** One of the engine's builds for a system. */
export interface EngineBuild {
  /** Name for `probe engine install`. */
  readonly name: string;
  /** The packages that hold it. */
  readonly packages: readonly string[];
  readonly about: string;
}

const SCOPE = "@node-llama-cpp";

/** The packages of each system's builds; the first build is the one that every install has. */
const PACKAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "linux-x64": {
    cpu: ["linux-x64"],
    cuda: ["linux-x64-cuda", "linux-x64-cuda-ext"],
    vulkan: ["linux-x64-vulkan"],
  },
  "linux-arm64": { cpu: ["linux-arm64"] },
  "linux-arm": { cpu: ["linux-armv7l"] },
  "linux-riscv64": { cpu: ["linux-riscv64"] },
  "darwin-arm64": { metal: ["mac-arm64-metal"] },
  "darwin-x64": { cpu: ["mac-x64"] },
  "win32-x64": {
    cpu: ["win-x64"],
    cuda: ["win-x64-cuda", "win-x64-cuda-ext"],
    vulkan: ["win-x64-vulkan"],
  },
  "win32-arm64": { cpu: ["win-arm64"] },
};

const ABOUT: Readonly<Record<string, string>> = {
  cpu: "runs everywhere; always installed",
  metal: "the Mac's processor and GPU; always installed",
  cuda: "NVIDIA GPUs (about 550 MB)",
  vulkan: "GPUs with a Vulkan driver (about 70 MB)",
};

/** The builds for a system, the one of every install first; none where the engine has none. */
export function engineBuilds(platform: string = process.platform, processor: string = process.arch): EngineBuild[] {
  return Object.entries(PACKAGES[`${platform}-${processor}`] ?? {}).map(([name, packages]) => ({
    name,
    packages: packages.map((part) => `${SCOPE}/${part}`),
    about: ABOUT[name] ?? name,
  }));
}
