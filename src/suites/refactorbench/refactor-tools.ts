import { join } from "node:path";
import { z } from "zod";
import { fileTools } from "../../agent/file-tools.js";
import { checkedPath, defineTool, finishTool, type Tool, ToolFault } from "../../agent/tool.js";
import type { Condition } from "./assignment.js";
import { type CompileCheck, compileCheck, newErrors } from "./compile-errors.js";
import type { TestResult } from "./runner/runner-report.js";

/** Folder in which an agent may write tests of its own. */
export const SCRATCH = "scratch";

/** Setting that the tools of a trial work on. */
interface ToolSetting {
  readonly tree: string;
  readonly condition: Condition;
  /** Compile check of the code before the trial. */
  readonly original: CompileCheck;
  readonly provided: ReadonlySet<string>;
  /** Runs a test of the tree by its path. */
  readonly runTest: (path: string) => Promise<TestResult>;
}

/** Names that are told always, and those for looking around. */
const WRITING = ["write_file", "remove_file"];
const LOOKING = ["list_files", "read_file", "search"];

/** The tools of the benchmark. */
export function refactorTools({ tree, condition, original, provided, runTest }: ToolSetting): Tool[] {
  const within = condition.hasTestRunner ? ["src", SCRATCH] : ["src"];
  const names = condition.hasFullTools ? [...LOOKING, ...WRITING] : WRITING;
  const files = fileTools({ tree, within }).filter(({ definition }) => names.includes(definition.name));
  return [
    ...files,
    errorsTool(tree, original, provided),
    ...(condition.hasTestRunner ? [testTool(tree, runTest)] : []),
    finishTool("finish_refactoring", "Ends the work, and says whether it is done."),
  ];
}

function errorsTool(tree: string, original: CompileCheck, provided: ReadonlySet<string>): Tool {
  return defineTool(
    "get_all_errors",
    "Parses every file, follows every import, and shows the errors that the code did not have before.",
    {},
    async () => newErrors(original, await compileCheck(join(tree, "src")), provided).message || "No errors.",
  );
}

function testTool(tree: string, runTest: ToolSetting["runTest"]): Tool {
  return defineTool(
    "run_unit_test",
    `Runs a test file of your own in ${SCRATCH}/ (vitest, such as ${SCRATCH}/prices.test.js), and shows what fails.`,
    { path: z.string().describe("path of the test from the root of the working tree") },
    async ({ path }) => {
      if (!/\.test\.[jt]sx?$/.test(path))
        throw new ToolFault(`"${path}" is no test: its name ends in .test.js or .test.jsx`);
      await checkedPath(tree, path, [SCRATCH]);
      const { passes, testsPassed, testsFailed, message } = await runTest(path);
      const counts = `${testsPassed} passed, ${testsFailed} failed`;
      return passes ? `Passed: ${counts}.` : `Failed: ${counts}.\n${message}`;
    },
  );
}
