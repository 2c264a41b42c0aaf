import { spawnSync } from "node:child_process";
import { configDefaults, defineConfig } from "vitest/config";

const SERVER_TESTS = "test/**/*.server.test.ts";

/** Tests against llama.cpp's server need it built; a machine that has only Node has no compiler for it. */
function missingServer(): string | null {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/build-llama-server.mjs", "--cached"], {
    encoding: "utf8",
  });
  return status === 0 ? null : stderr.trim();
}

const missing = missingServer();
if (missing !== null) process.stdout.write(`Skipping ${SERVER_TESTS}: ${missing}\n`);

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(missing === null ? [] : [SERVER_TESTS])],
    // The engine is a native addon: a process a file, and as many as there are cores.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
