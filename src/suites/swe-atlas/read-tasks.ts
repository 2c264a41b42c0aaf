import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { badInput, messageOf } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { shorten } from "../../base/text.js";
import { foreignPart, leavesData } from "../../workspace/inspect-tree.js";
import { commitObstacle } from "../../workspace/received-repository.js";
import { fileHashes } from "../../workspace/tree-files.js";
import type { TreeSource } from "../../workspace/workspace.js";
import {
  type AtlasTask,
  type OwnPrompts,
  promptsOf,
  type Rubric,
  type Script,
  type TestScripts,
  WORKFLOWS,
  type Workflow,
} from "./atlas-task.js";

/** The tasks that come with the program. */
export const OWN_TASKS = join(packageRoot, "datasets/suites/swe-atlas");

/**
 * Reads tasks in the released layout: `data/{qa,tw,rf}/task-*`, and clones of the repositories that they are about in
 * `repos/OWNER/NAME`. What keeps a task from being tried is told by the task.
 * @throws ProbeError `bad_input` when there is no task at all
 */
export async function readTasks(source: string, own: OwnPrompts): Promise<AtlasTask[]> {
  const tasks: AtlasTask[] = [];
  for (const workflow of WORKFLOWS) {
    const folder = join(source, "data", workflow);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith("task-")).sort())
      tasks.push(await readTask(source, workflow, name, own));
  }
  if (tasks.length > 0) return tasks;
  throw badInput(
    `Expected tasks in ${join(source, "data")}/{qa,tw,rf}/task-*, found none. Name a clone of SWE Atlas with --data.`,
  );
}

const metadataSchema = z.looseObject({
  repository: z.string().min(1),
  base_commit: z.string().min(1),
  category: z.string().default(""),
  language: z.string().default(""),
});
/**
 * Fields of `tests/config.json` that refactorings have instead; `OWNER_NAME` is a repository, as no owner has an
 * underscore.
 */
const configSchema = z.looseObject({
  repo: z.string().min(1),
  base_commit: z.string().min(1),
  language: z.string().default(""),
});
const rubricsSchema = z.array(
  z.looseObject({
    id: z.string().min(1),
    title: z.string(),
    annotations: z.looseObject({ type: z.string().default(""), importance: z.string().default("must have") }),
  }),
);
const namesSchema = z.looseObject({ tests: z.array(z.looseObject({ name: z.string() })) });
/** A file of the tree: what is put back there stays there. */
const inTree = z.string().refine((path) => !isAbsolute(path) && !path.split("/").includes(".."), {
  error: "expected paths within the repository in tests/test_files.json",
});
const filesSchema = z.looseObject({ files: z.array(z.looseObject({ name: inTree })) });

/** Fields of a task that cannot be read. */
const UNREAD = { repository: "", base_commit: "", category: "", language: "" };

async function readTask(source: string, workflow: Workflow, id: string, own: OwnPrompts): Promise<AtlasTask> {
  const folder = join(source, "data", workflow, id);
  const obstacles: string[] = [];
  const foreign = await foreignPart(source, folder);
  const tried = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      if (foreign !== null) throw badInput(foreign);
      return await read();
    } catch (error) {
      obstacles.push(error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error));
      return otherwise;
    }
  };
  const text = (file: string) => tried(() => readPart(folder, file), "");
  const list = async (file: string): Promise<unknown> => JSON.parse(await readPart(folder, file));
  const metadata = await tried(() => readMetadata(folder), UNREAD);
  const tree = await tried(() => findTree(source, metadata), null);
  const tests = join(folder, "tests");
  const scripts = findScripts(workflow, tests);
  if (typeof scripts === "string") obstacles.push(scripts);
  const lists =
    workflow === "rf"
      ? await tried<Pick<AtlasTask, "relevantTests" | "testFiles">>(() => readTestLists(list), NO_LISTS)
      : NO_LISTS;
  const rubrics = await tried(async () => rubricsSchema.parse(await list("tests/rubrics.json")), []);
  const prompts = await promptsOf(tests, workflow, own);
  const instruction = await text("instruction.md");
  const problem = await text("tests/prompt.txt");
  const [reason] = obstacles;
  return {
    id,
    workflow,
    folder,
    conditions: [workflow],
    group: groupOf(metadata.repository) || id,
    source: tree ?? { kind: "folder", path: folder },
    sha256: await hashOf(folder, tree),
    category: metadata.category,
    language: metadata.language.toLowerCase(),
    instruction,
    problem,
    rubrics: rubrics.map(rubricOf),
    ...prompts,
    scripts: typeof scripts === "string" ? null : scripts,
    ...lists,
    obstacle: reason === undefined ? null : `${id}: ${shorten(reason, 300)}`,
  };
}

const NO_LISTS = { relevantTests: [], testFiles: [] };

/** The tests that a refactoring has to keep, and the files that they are in. */
async function readTestLists(
  list: (file: string) => Promise<unknown>,
): Promise<Pick<AtlasTask, "relevantTests" | "testFiles">> {
  const { tests } = namesSchema.parse(await list("tests/relevant_test_names.json"));
  const { files } = filesSchema.parse(await list("tests/test_files.json"));
  return { relevantTests: tests.map(({ name }) => name), testFiles: files.map(({ name }) => name) };
}

function rubricOf({ id, title, annotations: { type, importance } }: z.infer<typeof rubricsSchema>[number]): Rubric {
  return { id, title, type, importance };
}

async function readPart(folder: string, file: string): Promise<string> {
  return readFile(join(folder, file), "utf8").catch(() => {
    throw badInput(`no ${file}`);
  });
}

/** Metadata of a task, from `task.toml`, and missing ones from `tests/config.json`. */
async function readMetadata(folder: string): Promise<typeof UNREAD> {
  const { metadata } = parseToml(await readPart(folder, "task.toml"));
  const own = typeof metadata === "object" ? metadata : {};
  if ("repository" in own || !existsSync(join(folder, "tests/config.json"))) return metadataSchema.parse(own);
  const { repo, ...config } = configSchema.parse(JSON.parse(await readPart(folder, "tests/config.json")));
  return metadataSchema.parse({ ...config, ...own, repository: repo.replace("_", "/") });
}

/** `OWNER/NAME`, whichever way it is written. */
export function groupOf(repository: string): string {
  return repository.replace(/^https?:\/\/[^/]+\//, "").replace(/(\.git)?\/?$/, "");
}

/** The tree of a task: its commit in a clone, or a folder that is no clone. */
async function findTree(
  source: string,
  { repository, base_commit: commit }: typeof UNREAD,
): Promise<TreeSource | null> {
  const name = groupOf(repository);
  if (name === "") return null;
  const path = join(source, "repos", ...name.split("/").filter((part) => part !== ".."));
  if (!existsSync(path)) throw badInput(`no clone of ${name} in ${path}`);
  if (await leavesData(source, path))
    throw badInput(`${path} leads out of the data by a link: put a clone in its place`);
  if (!existsSync(join(path, ".git"))) return { kind: "folder", path };
  const missing = await commitObstacle(path, commit);
  if (missing !== null) throw badInput(missing);
  return { kind: "commit", repository: path, commit, patch: null };
}

/** `null`: the task has no tests to run. A text: why they cannot be run. */
function findScripts(workflow: Workflow, tests: string): TestScripts | null | string {
  if (workflow === "qa") return null;
  const needed = workflow === "tw" ? ["skeleton_code_swap.patch"] : ["test_patch.diff"];
  const missing = needed.find((file) => !existsSync(join(tests, file)));
  if (missing !== undefined) return `no tests/${missing}`;
  const run = findScript(tests, "run_script", ["mjs", "sh"]);
  if (typeof run === "string") return run;
  if (workflow === "rf") return { run, parse: null };
  const parse = findScript(tests, "parse_script", ["mjs", "py"]);
  return typeof parse === "string" ? parse : { run, parse };
}

/** Hash of all files of a task and of its tree. */
async function hashOf(folder: string, tree: TreeSource | null): Promise<string> {
  const ofTree = tree?.kind === "folder" ? await fileHashes(tree.path) : tree?.kind === "commit" ? [tree.commit] : [];
  return sha256([...(await fileHashes(folder)), ...ofTree].join("\n"));
}

/** Programs that run scripts, by their endings; those of the released tasks are for bash and Python. */
const PROGRAMS: Readonly<Record<string, string>> = { mjs: process.execPath, sh: "bash", py: "python3" };

/** A script that is there and can be run; else why not, in words. */
export function findScript(folder: string, name: string, endings: readonly string[]): Script | string {
  const ending = endings.find((each) => existsSync(join(folder, `${name}.${each}`)));
  if (ending === undefined) return `no tests/${endings.map((each) => `${name}.${each}`).join(" or ")}`;
  const program = PROGRAMS[ending] ?? ending;
  return isThere(program) ? { file: `${name}.${ending}`, program } : `no ${program} to run tests/${name}.${ending}`;
}

function isThere(program: string): boolean {
  if (program.includes("/")) return existsSync(program);
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && existsSync(join(folder, program)));
}
