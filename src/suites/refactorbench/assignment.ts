import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fillTemplate, loadPrompt, type PromptTemplate } from "../../base/prompt-template.js";
import { filesOf } from "../../workspace/tree-files.js";
import type { Fixture } from "./read-fixtures.js";

const NAMES = ["system", "user", "tools", "workspace", "web", "mobile"] as const;

/** Our wording of the task: the released one is private. */
export type Prompts = Readonly<Record<(typeof NAMES)[number], PromptTemplate>>;

export async function loadPrompts(): Promise<Prompts> {
  const entries = NAMES.map(async (name) => [name, await loadPrompt(`suites/refactorbench/${name}`)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Prompts;
}

/** What a tool is told as. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
}

/** What an agent is told. */
export interface AssignmentText {
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

/** What is asked for, in a sentence. */
export function requestText({ user }: Prompts, { target }: Pick<Fixture, "target">): string {
  return fillTemplate(user, { target });
}
