import { join } from "node:path";
import { startVitest } from "vitest/node";
import { errorOf, reportOf } from "./report.mjs";
import { fixturePlugin } from "./resolve.mjs";

/** Runs a test written for vitest. */
export async function runTest({ root, test, isDom, out, runner, places, missing, stubbed }) {
  const setup = ["setup-freeze.cjs", "setup-require.mjs", ...(isDom ? ["setup-dom.mjs"] : [])];
  const vitest = await startVitest(
    "test",
    [],
    {
      root,
      config: false,
      watch: false,
      globals: true,
      environment: isDom ? "jsdom" : "node",
      include: [test],
      exclude: [],
      setupFiles: setup.map((name) => join(runner, name)),
      pool: "forks",
      maxWorkers: 1,
      testTimeout: 10_000,
      reporters: [{}],
      includeTaskLocation: false,
    },
    {
      configFile: false,
      envFile: false,
      root,
      cacheDir: join(out, "cache"),
      plugins: [fixturePlugin({ places, runner, missing, stubbed })],
      server: { fs: { strict: false } },
      logLevel: "silent",
    },
  );
  const module = vitest.state.getTestModules().find(({ moduleId }) => moduleId === join(root, test));
  return {
    test: reportOf(module),
    unhandled: vitest.state.getUnhandledErrors().map(errorOf),
    close: () => vitest.close(),
  };
}
