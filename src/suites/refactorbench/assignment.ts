import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fileTools } from "../../agent/file-tools.js";
import { checkedPath, defineTool, finishTool, type Tool, ToolFault } from "../../agent/tool.js";
import { fillTemplate, loadPromptsIn } from "../../base/prompt-template.js";
import { filesOf } from "../../workspace/tree-files.js";
import { type CompileCheck, compileCheck, newErrors } from "./compile-errors.js";
import type { Fixture } from "./read-fixtures.js";
import type { TestResult } from "./runner/runner-report.js";

/** Our wording of the task: the released one is private. */
type Prompts = Awaited<ReturnType<typeof loadPrompts>>;

export function loadPrompts() {
  return loadPromptsIn("suites/refactorbench", ["system", "user", "tools", "workspace", "web", "mobile"]);
}

/** Wording of a tool. */
interface ToolText {
  readonly name: string;
  readonly description: string;
}

/** Wording of an assignment. */
interface AssignmentText {
  readonly system: string;
  readonly user: string;
  /** For one that brings its own tools: all in one text. */
  readonly instruction: string;
}

/**
 * @param tools that it can call
 * @param mayWriteTests whether it may write tests of its own
 */
export async function assignmentText(
  prompts: Prompts,
  { folder, target, appType }: Fixture,
  tools: readonly ToolText[],
  mayWriteTests: boolean,
): Promise<AssignmentText> {
  const source = join(folder, "src");
  const others = (await filesOf(source)).filter((path) => path !== target);
  const values = {
    target,
    text: (await readFile(join(source, target), "utf8")).trimEnd(),
    files: others.length === 0 ? "None." : others.map((path) => `- src/${path}`).join("\n"),
    conventions: prompts[appType].text.trimEnd(),
  };
  const called = fillTemplate(prompts.tools, {
    scratch: mayWriteTests ? ", and tests of your own into `scratch/`, which is thrown away" : "",
    tools: tools.map(({ name, description }) => `- \`${name}\`: ${description}`).join("\n"),
  });
  const user = requestText(prompts, { target });
  const whole = fillTemplate(prompts.system, { ...values, tools: prompts.workspace.text.trimEnd() });
  return {
    system: fillTemplate(prompts.system, { ...values, tools: called.trimEnd() }),
    user,
    instruction: `${user}\n${whole}`,
  };
}

/** Request of a task, in a sentence. */
export function requestText({ user }: Prompts, { target }: Pick<Fixture, "target">): string {
  return fillTemplate(user, { target });
}

/** Condition: the tools that an agent is given. */
interface Condition {
  readonly name: string;
  /** True if runs that name no condition have it. */
  readonly isDefault: boolean;
  /** True if it can run tests that it writes. */
  readonly hasTestRunner: boolean;
  /** True if it can list, read and search files. */
  readonly hasFullTools: boolean;
}

/** The two arms of the benchmark, and each again with tools to look at files. */
export const CONDITIONS: readonly Condition[] = [
  { name: "no-test-runner", isDefault: true, hasTestRunner: false, hasFullTools: false },
  { name: "test-runner", isDefault: true, hasTestRunner: true, hasFullTools: false },
  { name: "no-test-runner-full", isDefault: false, hasTestRunner: false, hasFullTools: true },
  { name: "test-runner-full", isDefault: false, hasTestRunner: true, hasFullTools: true },
];

/** The name of an arm with tools to look at files. */
export function withFullTools(name: string): string {
  const { hasTestRunner } = conditionOf(name);
  return CONDITIONS.find((other) => other.hasFullTools && other.hasTestRunner === hasTestRunner)?.name ?? name;
}

/** The condition of this name. */
export function conditionOf(name: string): Condition {
  const found = CONDITIONS.find((condition) => condition.name === name);
  if (found === undefined) throw new Error(`Expected a condition, found ${name}.`);
  return found;
}

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
  readonly runTest: (path: string, leftMs: number) => Promise<TestResult>;
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
    async () => newErrors(original, await compileCheck(join(tree, "src"), original), provided).message || "No errors.",
  );
}

function testTool(tree: string, runTest: ToolSetting["runTest"]): Tool {
  return defineTool(
    "run_unit_test",
    `Runs a test file of your own in ${SCRATCH}/ (vitest, such as ${SCRATCH}/prices.test.js), and shows what fails.`,
    { path: z.string().describe("path of the test from the root of the working tree") },
    async ({ path }, leftMs) => {
      if (!/\.test\.[jt]sx?$/.test(path))
        throw new ToolFault(`"${path}" is no test: its name ends in .test.js or .test.jsx`);
      await checkedPath(tree, path, [SCRATCH]);
      const { passes, testsPassed, testsFailed, message } = await runTest(path, leftMs);
      const counts = `${testsPassed} passed, ${testsFailed} failed`;
      return passes ? `Passed: ${counts}.` : `Failed: ${counts}.\n${message}`;
    },
  );
}
