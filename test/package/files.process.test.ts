import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/base/folders.js";

/** What `npm pack` would put into the package. */
function packedFiles(): string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: packageRoot,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  const [{ files }] = Object.values(JSON.parse(output)) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

const files = packedFiles();

describe("the package", () => {
  it("has what the program reads", () => {
    const read = [
      "dist/src/cli/main.js",
      "dist/src/index.d.ts",
      "dist/grammars/tree-sitter-python.wasm",
      "dist/report-page.js",
      "models/tiny.gguf",
      "datasets/starter.jsonl",
      "prompts/paper/ACR.txt",
      "vendor/engine/lock.json",
    ];
    expect(read.filter((path) => !files.includes(path))).toEqual([]);
  });

  it("has nothing that only those who work on it need", () => {
    const foreign =
      /(\.map|\.tsbuildinfo|\.tmp|\.py)$|^(src|test|scripts|bench|node_modules|docs\/(api|images))\/|lock\.json$/;
    // What is exported for other harnesses, and the lock files by which the program itself installs something.
    const own = [
      "runners/benchmark/codereviewqa.py",
      "runners/benchmark/orders.py",
      "runners/vitest/package-lock.json",
      "vendor/engine/lock.json",
    ];
    // Code that agents work on is data, in whatever language.
    const isData = (path: string) => path.startsWith("datasets/suites/");
    expect(files.filter((path) => foreign.test(path) && !isData(path)).sort()).toEqual(own);
  });

  it("has what its README refers to, pictures excepted", () => {
    const links = [...readFileSync(join(packageRoot, "README.md"), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    const targets = links.map(([, target = ""]) => posix.normalize(target)).filter((path) => !path.endsWith(".png"));
    expect(targets.length).toBeGreaterThan(5);
    const isThere = (target: string) => files.some((path) => path === target || path.startsWith(`${target}/`));
    expect(targets.filter((target) => !isThere(target))).toEqual([]);
  });
});
