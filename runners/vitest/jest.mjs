import { createRequire } from "node:module";
import { join } from "node:path";
import { runCLI } from "jest";
import { setJob } from "./jest-resolver.mjs";
import { errorOf } from "./report.mjs";

const { resolve } = createRequire(import.meta.url);

/** Runs a test written for Jest, with the same rules of finding modules. */
export async function runTest({ root, test, isDom, out, runner, places }) {
  setJob({ places, runner, out });
  const presets = [[resolve("@babel/preset-react"), { runtime: "automatic" }]];
  const plugins = [resolve("@babel/plugin-transform-modules-commonjs")];
  const common = { configFile: false, babelrc: false, plugins };
  const compile = (more) => [resolve("babel-jest"), { ...common, presets: [...presets, ...more] }];
  const config = {
    rootDir: root,
    testEnvironment: isDom ? join(runner, "jest-dom.cjs") : "node",
    // Packages as node takes them, not as a bundler for browsers does.
    testEnvironmentOptions: { customExportConditions: ["node", "node-addons"] },
    resolver: join(runner, "jest-resolver.mjs"),
    setupFilesAfterEnv: ["setup-freeze.cjs", ...(isDom ? ["setup-dom.cjs"] : [])].map((name) => join(runner, name)),
    transform: {
      "\\.[mc]?tsx?$": compile([[resolve("@babel/preset-typescript"), { onlyRemoveTypeImports: false }]]),
      "\\.[mc]?jsx?$": compile([]),
    },
    transformIgnorePatterns: ["/node_modules/", literal(runner)],
    cacheDirectory: join(out, "cache"),
    testTimeout: 10_000,
  };
  const asked = {
    config: JSON.stringify(config),
    runTestsByPath: true,
    runInBand: true,
    ci: true,
    silent: true,
    watchman: false,
    reporters: [],
  };
  const { results } = await runCLI({ ...asked, passWithNoTests: true, _: [join(root, test)] }, [root]);
  const [file] = results.testResults;
  return { test: reportOf(file), unhandled: [] };
}

function literal(text) {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}

const STATES = { passed: "passed", failed: "failed" };

function reportOf(file) {
  if (file === undefined) return { tests: [], errors: [] };
  const tests = file.testResults.map(({ fullName, status, failureDetails, failureMessages }) => ({
    name: errorOf({ message: fullName }).message,
    state: STATES[status] ?? "skipped",
    errors: failureMessages.map((message, i) => failureOf(failureDetails[i], message)),
  }));
  return { tests, errors: file.testExecError == null ? [] : [loadError(file.testExecError)] };
}

/** Error of a test; of an expectation it has the name that it has elsewhere. */
function failureOf(detail, message) {
  const error = detail?.error ?? detail;
  if (error?.matcherResult !== undefined) return errorOf({ name: "AssertionError", message: error.message ?? message });
  return errorOf(typeof error?.message === "string" ? error : { name: nameIn(message), message });
}

function loadError({ message, stack }) {
  const text = message || stack;
  if (text.startsWith("Your test suite must contain at least one test"))
    return errorOf({ message: "No test suite found in file" });
  return errorOf({ name: nameIn(stack || text), message: text });
}

function nameIn(text) {
  return /^\s*(\w*Error)\b/m.exec(text)?.[1] ?? "Error";
}
