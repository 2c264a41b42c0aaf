// Runs the test of a fixture. The job comes in on standard input, as one JSON object:
//   root    the fixture: `src`, the test
//   test    path of the test in it
//   isDom   whether the tests need a page
//   out     a folder that may be written to
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startVitest } from "vitest/node";
import { mockedSpecifiers } from "./mocks.mjs";
import { errorOf, reportOf } from "./report.mjs";
import { fixturePlugin } from "./resolve.mjs";

const { root, test, isDom, out } = JSON.parse(await text(process.stdin));
const runner = import.meta.dirname;
const missing = new Set();
const mocked = mockedSpecifiers(readFileSync(join(root, test), "utf8"), test);

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
    setupFiles: [join(runner, "setup-freeze.mjs"), ...(isDom ? [join(runner, "setup-dom.mjs")] : [])],
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
    plugins: [fixturePlugin({ root, test, runner, mocked, missing })],
    server: { fs: { strict: false } },
    logLevel: "silent",
  },
);

const moduleOf = (name) => vitest.state.getTestModules().find(({ moduleId }) => moduleId === join(root, name));
const report = {
  test: reportOf(moduleOf(test)),
  unhandled: vitest.state.getUnhandledErrors().map(errorOf),
  mocked,
  missingPackages: [...missing],
};
writeFileSync(join(out, "report.json"), JSON.stringify(report));
await vitest.close();
// What the code under test left running must not hold the process.
process.exit(0);
