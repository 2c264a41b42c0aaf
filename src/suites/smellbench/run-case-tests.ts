import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { shorten } from "../../base/text.js";
import type { Bench } from "../../trial/bench-task.js";
import { type LineUp, type LineUpSetting, lineUp, lineUpText, stands } from "../../trial/lineup/line-up.js";
import { receivedEnvironment } from "../../workspace/received-repository.js";
import { runCommand } from "../../workspace/run-command.js";
import { writeSealed } from "../../workspace/sealed-files.js";
import { filesOf, readTexts } from "../../workspace/tree-files.js";
import { Workspace } from "../../workspace/workspace.js";
import type { SmellCase, SmellTask } from "./smell-case.js";

/** Seconds that the tests of a case may take. */
export const TEST_LIMIT_SECONDS = 60;

/** Outcome of a case's tests on a tree. */
interface TestOutcome {
  /**
   * True if they passed in time, each of their expectations was seen to hold, and no turned one; `null`: they could not
   * be started.
   */
  readonly passes: boolean | null;
  /** End of their run, in words. */
  readonly end: string;
  /** Files of tests that had been changed, and were put back first. */
  readonly putBack: readonly string[];
  /** `null`: they did not pass. */
  readonly line_up: LineUp | null;
  readonly output: string;
}

/** Looked for once a session. */
let pytest: Promise<Pytest | string> | null = null;

/** The pytest of this machine; a text: why there is none. */
export function sessionPytest(): Promise<Pytest | string> {
  pytest ??= findPytest();
  return pytest;
}

/**
 * Runs the tests of a case on a tree, with their files as they were in the source; where they pass, once more as a line-up.
 * @param place of the case, and the code that its tests pass on
 */
export async function runTests(
  { id, sha256, clean, smellCase }: TestedCase,
  workspace: Workspace,
  bench: Bench,
): Promise<TestOutcome> {
  const changed = (await workspace.changedFiles()).map(({ path }) => path);
  const putBack = testFilesAmong(changed, smellCase.testsuites);
  await workspace.restore(putBack);
  // Copied first: what the tests leave in their tree is none of the other's.
  const submitted = await Workspace.create(await bench.folder(), { kind: "folder", path: workspace.tree });
  const first = await runOnce(smellCase, workspace.tree, bench, []);
  if (first.passes !== true) return { ...first, putBack, line_up: null };
  const setting: LineUpSetting = {
    tests: await readTexts(submitted.tree, testFilesAmong(await filesOf(submitted.tree), smellCase.testsuites)),
    reference: JSON.stringify(["smellbench", id, sha256, bench.cage.setting]),
    async run(code, files, writes) {
      const tested = code === "submitted" ? { kind: "folder" as const, path: submitted.tree } : clean;
      const { tree } = await Workspace.create(await bench.folder(), tested);
      for (const { path, text } of files) await writeSealed({ root: tree, path }, text);
      await runOnce(smellCase, tree, bench, [writes]);
    },
  };
  const found = await lineUp(setting, bench);
  const passes = stands(found);
  return { ...first, passes, end: passes ? first.end : lineUpText(found), putBack, line_up: found };
}

type TestedCase = Pick<SmellTask, "id" | "sha256" | "clean"> & { readonly smellCase: SmellCase };

async function runOnce(
  smellCase: SmellCase,
  tree: string,
  bench: Bench,
  writes: readonly string[],
): Promise<Pick<TestOutcome, "passes" | "end" | "output">> {
  const command = await commandOf(smellCase);
  if (typeof command === "string") return { passes: null, end: command, output: "" };
  const home = await bench.folder();
  const env = {
    ...receivedEnvironment(smellCase.settings.envs ?? {}, bench.cage),
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: home,
  };
  const limits = { cwd: tree, env, limitMs: TEST_LIMIT_SECONDS * 1000 };
  const permissions = {
    workspace: tree,
    writesWorkspace: true,
    writes: [home, ...writes],
    reads: command.reads,
    network: false,
  };
  const { end, code, output } = await bench.cage.run({ argv: command.argv, ...limits }, permissions, bench.signal);
  bench.signal.throwIfAborted();
  // That the command can be run here the baseline has shown: what it exits with is the code's doing.
  const isMissing = end === "not_started";
  const said = end === "exited" ? `exit code ${code}` : end.replace("_", " ");
  return { passes: isMissing ? null : end === "exited" && code === 0, end: said, output };
}

interface TestCommand {
  readonly argv: readonly [string, ...string[]];
  readonly reads: readonly string[];
}

async function commandOf({ settings, testsuites }: SmellCase): Promise<TestCommand | string> {
  const { command, test_cmd } = settings;
  if (command !== undefined) {
    const [program = "", ...rest] = command;
    return { argv: [program === "node" ? process.execPath : program, ...rest, ...testsuites], reads: [] };
  }
  const found = await sessionPytest();
  if (typeof found === "string") return found;
  const [first, ...options] = test_cmd ?? [];
  const given = first === undefined || first === "pytest" ? options : [first, ...options];
  return { argv: [...found.argv, "-x", ...given, ...testsuites], reads: found.reads };
}

/** The last lines of what tests printed: that is where runners say what failed. */
export function lastLines(output: string): string {
  return shorten(output.trim().split("\n").slice(-12).join("\n"), 300);
}

/** A pytest that can be run, also where a home folder is hidden. */
interface Pytest {
  readonly argv: readonly [string, ...string[]];
  /** Folders that it needs. */
  readonly reads: readonly string[];
  readonly version: string;
}

const LOOK =
  "import sys, pytest; print(sys.executable); print(sys.prefix); print(sys.base_prefix); print(pytest.__version__)";
const LIMIT_MS = 30_000;

/** The pytest of the search path's Python; else why there is none. */
async function findPytest(): Promise<Pytest | string> {
  const { code, output } = await runCommand(
    {
      // Without packages of the user's home, which tests do not see.
      argv: ["python3", "-s", "-c", LOOK],
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: process.env["HOME"] ?? "/" },
      limitMs: LIMIT_MS,
      strays: "none",
    },
    new AbortController().signal,
  );
  const [executable, prefix, base, version] = output.trim().split("\n");
  if (code !== 0 || executable === undefined || version === undefined)
    return "no pytest for the python3 of the search path";
  const script = join(dirname(executable), "pytest");
  return {
    argv: existsSync(script) ? [script] : [executable, "-m", "pytest"],
    // Paths of the system are seen anyway.
    reads: [...new Set([prefix, base])].filter((path) => path !== undefined && path !== "/usr").map(String),
    version,
  };
}

/** Files by which whole runs of pytest are set up, wherever they are. */
const SET_UP = new Set([
  "conftest.py",
  "pytest.toml",
  ".pytest.toml",
  "pytest.ini",
  ".pytest.ini",
  "tox.ini",
  "setup.cfg",
  "pyproject.toml",
]);

/**
 * The files that decide what tests say: those that a case names, what is in folders that it names, and those that set pytest
 * up. A solution may not change them.
 * @param testsuites such as `tests/test_a.py::TestA::test_b` or `test/a.test.js`
 */
export function testFilesAmong(paths: readonly string[], testsuites: readonly string[]): string[] {
  const named = testsuites.map((test) => (test.split("::")[0] ?? "").replace(/^\.\//, "").replace(/\/$/, ""));
  return paths.filter((path) => {
    const isNamed = named.some((name) => path === name || path.startsWith(`${name}/`));
    return isNamed || SET_UP.has(path.split("/").at(-1) ?? "");
  });
}
