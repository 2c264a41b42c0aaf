import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { messageOf, ProbeError } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { shorten } from "../../base/text.js";
import { sealedText } from "../../workspace/sealed-files.js";
import { fileHashes } from "../../workspace/tree-files.js";
import type { TreeSource } from "../../workspace/workspace.js";
import { plainEnvironment } from "./dockerfile.js";
import { type HarborSettings, type HarborTask, ownValues, taskSchema } from "./harbor-task.js";
import { knownEnvironment } from "./set-up.js";

/** The tasks that come with the program. */
export const OWN_TASKS = join(packageRoot, "datasets/suites/harbor");

/** Folders below the data in which tasks are looked for. */
const MOST_DEPTH = 4;

/**
 * Reads tasks in Harbor's layout: the folder itself, or every folder in it with a `task.toml`.
 * @throws ProbeError `bad_input` when there is none
 */
export async function readHarbor(source: string): Promise<HarborTask[]> {
  const folders = await taskFolders(source, 0);
  const tasks: HarborTask[] = [];
  for (const folder of folders.sort()) tasks.push(await readTask(source, folder));
  if (tasks.length > 0) return tasks;
  throw new ProbeError(
    "bad_input",
    `Expected folders with task.toml, instruction.md, environment/ and tests/ in ${source}, found none. Name a data set in ` +
      "Harbor's layout with --data.",
  );
}

async function taskFolders(folder: string, depth: number): Promise<string[]> {
  if (existsSync(join(folder, "task.toml"))) return [folder];
  if (depth >= MOST_DEPTH) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const inner = entries.filter((entry) => entry.isDirectory() && !/^(?:\.git|node_modules)$/.test(entry.name));
  return (await Promise.all(inner.map(({ name }) => taskFolders(join(folder, name), depth + 1)))).flat();
}

async function readTask(source: string, folder: string): Promise<HarborTask> {
  const id = folder === source ? basename(folder) : relative(source, folder).split(sep).join("/");
  const faults: string[] = [];
  // No link is followed: what an instruction says may be sent to a server.
  const textOf = async (name: string) => {
    const text = await sealedText(folder, name);
    if (text === null) faults.push(`no plain file ${name}`);
    return text ?? "";
  };
  const settings = settingsOf(await textOf("task.toml"), faults);
  const instruction = await textOf("instruction.md");
  if (!existsSync(join(folder, "tests/test.sh"))) faults.push("no tests/test.sh");
  const surroundings = await surroundingsOf(folder, settings);
  return {
    id,
    group: settings.metadata.repository ?? settings.metadata.category ?? id,
    sha256: sha256((await fileHashes(folder)).join("\n")),
    folder,
    instruction,
    settings,
    hasSolution: existsSync(join(folder, "solution/solve.sh")),
    fault: faults[0] ?? null,
    ...surroundings,
    env: { ...surroundings.env, ...ownValues(settings.environment.env) },
  };
}

function settingsOf(toml: string, faults: string[]): HarborSettings {
  try {
    return taskSchema.parse(parseToml(toml));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    faults.push(`task.toml: ${shorten(why, 300)}`);
    return taskSchema.parse({});
  }
}

type Surroundings = Pick<HarborTask, "source" | "place" | "env" | "obstacle"> & { readonly image?: string };

/**
 * Tree and place of a task: by its image where that was set up, else by a Dockerfile that only copies, with this machine's
 * system; else there are none here.
 */
async function surroundingsOf(folder: string, settings: HarborSettings): Promise<Surroundings> {
  const context = join(folder, "environment");
  const none: TreeSource = { kind: "folder", path: context };
  const needs = needOf(folder, settings);
  if (needs !== null) return { source: none, place: "/app", env: {}, obstacle: needs };
  const known = await knownEnvironment(folder, settings);
  if (known !== null) {
    const { tree, image, place } = known;
    if (!isOwnPlace(place)) return { source: none, place: "/app", env: {}, obstacle: `works in ${place}` };
    return { source: { kind: "folder", path: tree }, image, place, env: {}, obstacle: null };
  }
  const plain =
    settings.environment.docker_image !== undefined
      ? `docker_image ${settings.environment.docker_image}`
      : plainEnvironment((await sealedText(context, "Dockerfile")) ?? "");
  if (typeof plain === "string")
    return {
      source: none,
      place: "/app",
      env: {},
      obstacle: `its image is not set up (${shorten(plain, 100)}): ${SET_UP}`,
    };
  const { place, from, at, env } = plain;
  if (!isOwnPlace(place)) return { source: none, place: "/app", env: {}, obstacle: `works in ${place}` };
  return {
    source: { kind: "folder", path: join(context, from), ...(at !== "" && { at }) },
    place,
    env,
    obstacle: null,
  };
}

/** Folders of which no part is anybody's to write: programs, and what tests read. */
const TAKEN = /^\/(?:usr|bin|sbin|lib\w*|etc|proc|sys|dev|run|tmp|var\/tmp|tests|logs|solution)?(?:\/|$)/;

function isOwnPlace(place: string): boolean {
  return !TAKEN.test(place) && place !== "/var";
}

const SET_UP = "probe suite setup harbor --data DIR makes it";

/** Needs of a task that are not met anywhere yet; `null`: none. */
function needOf(folder: string, { environment, steps }: HarborSettings): string | null {
  const compose = ["docker-compose.yaml", "docker-compose.yml"].find((name) =>
    existsSync(join(folder, "environment", name)),
  );
  if (compose !== undefined) return `needs the services of environment/${compose}`;
  if (environment.mcp_servers.length > 0) return "needs the servers of mcp_servers";
  if (environment.gpus > 0) return `needs ${environment.gpus} GPUs`;
  return steps.length > 0 ? "has several steps" : null;
}
