import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/base/folders.js";

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const read = (path: string) => JSON.parse(readFileSync(join(packageRoot, path), "utf8"));
const manifest = read("package.json");
const LOCKS = ["package-lock.json", "vendor/engine/lock.json"] as const;
/** Those that come from a registry: one of this repository stands in for builds that a clone does not need. */
const packagesOf = (lock: string) =>
  Object.entries<Entry>(read(lock).packages).filter(
    ([place, { link }]) => place.includes("node_modules/") && !place.endsWith("/engine-not-installed") && !link,
  );

/** The registry that the lock files were made from has none of these builds, so nobody here could see their hashes. */
const UNSEEN = [
  /^@biomejs\/cli-(android|darwin|win32)-|^@biomejs\/cli-linux-\w+-musl$/,
  /^@msgpackr-extract\/msgpackr-extract-(darwin-|win32-|linux-arm$)/,
  /^@node-llama-cpp\/(mac|win)-|^@node-llama-cpp\/linux-riscv64$/,
];

/** Whether Node 20.20 is in a range such as `^20.19.0 || >=22`: some part begins with 20, or with `>=` something lower. */
function allowsNode20(range: string): boolean {
  return range.split("||").some((part) => {
    if (part.trim() === "*") return true;
    const [, operator = "", major = "0"] = /(>=|>|\^|~)?\s*v?(\d+)/.exec(part) ?? [];
    return Number(major) === 20 || (operator.startsWith(">") && Number(major) < 20);
  });
}

describe.each(LOCKS)("%s", (lock) => {
  it("has a hash for every package of this registry, and no address", () => {
    const unhashed = packagesOf(lock).filter(([, { integrity }]) => integrity === undefined);
    const names = unhashed.map(([place]) => place.replace(/.*node_modules\//, ""));
    expect(names.filter((name) => !UNSEEN.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(packagesOf(lock).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(readFileSync(join(packageRoot, lock), "utf8")).not.toContain("://registry");
  });

  it("asks for no newer Node than the program does", () => {
    expect(manifest.engines.node).toBe(">=20.20");
    const newer = packagesOf(lock).filter(([, { engines, dev }]) => !dev && !allowsNode20(engines?.node ?? ">=0"));
    expect(newer).toEqual([]);
  });
});

describe("the ranges of Node", () => {
  it.each([
    [">=22", false],
    ["^20.19.0 || >=22.12.0", true],
    [">= 14", true],
    ["^18", false],
  ])("%s: %s", (range, expected) => {
    expect(allowsNode20(range)).toBe(expected);
  });
});

describe("the engine's lock file", () => {
  it("is of the version that the types are of, and holds every build", () => {
    const engine = packagesOf("vendor/engine/lock.json");
    const version = manifest.devDependencies["node-llama-cpp"];
    expect(engine.find(([place]) => place === "node_modules/node-llama-cpp")?.[1].version).toBe(version);
    const builds = engine.filter(([place]) => place.startsWith("node_modules/@node-llama-cpp/"));
    expect(builds.map(([, entry]) => entry.version)).toEqual(Array(14).fill(version));
  });
});
