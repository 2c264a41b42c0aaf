import { spawnSync } from "node:child_process";
import { join, relative } from "node:path";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Against llama.cpp's own server, which a machine that has only Node has no compiler for. */
const SERVER = "test/**/*.server.test.ts";
const SLOW = "test/**/*.slow.test.ts";
const PROCESS = "test/**/*.process.test.ts";

/** The engine tries its binary once a worker, not once a model. */
const ENGINE_TRIALS = "test/fixtures/engine-trials.ts";

const SOURCES = [
  ["code-review-probe/suite", "src/suite-library.ts"],
  ["code-review-probe", "src/index.ts"],
].map(([find = "", file = ""]) => ({ find, replacement: join(import.meta.dirname, file) }));

/** Whether tests of samples take all there is. */
const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";

/** What a user may have set for the program: a test is told by what it sets itself. */
const USERS_OWN =
  /^(COLUMNS|LINES|NO_COLOR|FORCE_COLOR|PROBE_(OUTPUT|DATASETS|MODELS|ENGINE)_DIR|PROBE_TRUST_FILE|XDG_CONFIG_HOME|[A-Z_]*(API_KEY|TOKEN)|CI_API_V4_URL|[A-Z]+_BASE_URL|HF_ENDPOINT)$/;
for (const name of Object.keys(process.env)) if (USERS_OWN.test(name)) delete process.env[name];

/** The reason why there is no server to test against, or `null`. */
function missingServer(): string | null {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/build-llama-server.mjs", "--cached"], {
    encoding: "utf8",
  });
  return status === 0 ? null : stderr.trim();
}

const missing = missingServer();
if (missing !== null) process.stdout.write(`Skipping ${SERVER}: ${missing}\n`);

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

/** Projects in the order in which they start: what waits longest first, while the next ones fill the time. */
const ORDER = ["slow", "process", "unit"];
/** Tests that start programs by the dozen: a worker forks in 5 ms at first, in 60 when its memory has grown. */
const STARTS_MANY = /workspace|trial|agent|codetaste|harbor|refactorbench|smellbench|swe-atlas/;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      2 * ORDER.indexOf(project.name) + (STARTS_MANY.test(relative(import.meta.dirname, moduleId)) ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/**
 * A test file's name says where it runs, and so what it may do:
 * - `*.test.ts` (`unit`): threads that share their modules. Computes, reads and writes files, asks servers of its own;
 *   starts no process, loads no engine, leaves the working directory alone (`test/fixtures/only-compute.ts` sees to it).
 * - `*.process.test.ts`: processes that share their modules. Whole commands, the engine, git and other programs.
 * - `*.slow.test.ts` and `*.server.test.ts` (`slow`): likewise, and first. Kills, queues, servers, browsers, mutants.
 */
export default defineConfig({
  // The sources in place of what was compiled of them: test suites and examples name the package.
  resolve: { alias: SOURCES },
  test: {
    // More than the cores of a small machine, as most files wait at times; not many more, as each loads all modules.
    maxWorkers: 4,
    sequence: { sequencer: WaitingFirst },
    // Guards against what hangs, on a machine that does other things too: no test is about the time that it takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ["default"],
    projects: [
      project("slow", {
        include: [SLOW, ...(missing === null ? [SERVER] : [])],
        pool: "forks",
        isolate: false,
        setupFiles: [ENGINE_TRIALS],
        testTimeout: isWhole ? 3_600_000 : 900_000,
      }),
      project("process", { include: [PROCESS], pool: "forks", isolate: false, setupFiles: [ENGINE_TRIALS] }),
      project("unit", {
        include: ["test/**/*.test.ts"],
        exclude: [...configDefaults.exclude, PROCESS, SLOW, SERVER],
        pool: "threads",
        isolate: false,
        setupFiles: ["test/fixtures/only-compute.ts"],
      }),
    ],
  },
});
