import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, posix, relative, sep } from "node:path";
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { badInput, messageOf } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { shorten } from "../../base/text.js";
import { foreignPart, leavesData } from "../../workspace/inspect-tree.js";
import { sealedText } from "../../workspace/sealed-files.js";
import { fileHashes } from "../../workspace/tree-files.js";
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
  throw badInput(
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
  const foreign = await foreignIn(source, folder);
  const surroundings = await surroundingsOf(folder, settings, foreign);
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

/** Reason why parts of a task are not copied: by a link, scripts would get a folder of the user's. `null`: they are. */
async function foreignIn(source: string, folder: string): Promise<string | null> {
  for (const part of ["tests", "solution"]) {
    const found = await foreignPart(source, join(folder, part));
    if (found !== null) return found;
  }
  const isForeign = await leavesData(source, join(folder, "environment"));
  return isForeign ? "environment leads out of the data by a link: put a copy in its place" : null;
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
async function surroundingsOf(folder: string, settings: HarborSettings, foreign: string | null): Promise<Surroundings> {
  const context = join(folder, "environment");
  const none = (obstacle: string) =>
    ({ source: { kind: "folder", path: context }, place: "/app", env: {}, obstacle }) as const;
  const needs = foreign ?? needOf(folder, settings);
  if (needs !== null) return none(needs);
  const known = await knownEnvironment(folder, settings);
  if (known !== null) {
    const { tree, image, place } = known;
    if (!isOwnPlace(place)) return none(`works in ${place}`);
    return { source: { kind: "folder", path: tree }, image, place, env: {}, obstacle: null };
  }
  const plain =
    settings.environment.docker_image !== undefined
      ? `docker_image ${settings.environment.docker_image}`
      : plainEnvironment((await sealedText(context, "Dockerfile")) ?? "");
  if (typeof plain === "string") return none(`its image is not set up (${shorten(plain, 100)}): ${SET_UP}`);
  const { place, from, at, env } = plain;
  if (!isOwnPlace(place)) return none(`works in ${place}`);
  if (await leavesData(context, join(context, from)))
    return none(`environment/${from} leads out of environment/ by a link: put a copy in its place`);
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

/** Environment that no image has to be built for: one folder of the task's, put somewhere. */
interface PlainEnvironment {
  /** Working directory, absolute. */
  readonly place: string;
  /** Folder of `environment/` that is copied, and where in the working directory it stands; `""`: it is it. */
  readonly from: string;
  readonly at: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Instructions that say nothing about files. */
const SILENT = new Set(["FROM", "LABEL", "CMD", "ENTRYPOINT", "EXPOSE", "MAINTAINER", "STOPSIGNAL", "HEALTHCHECK"]);

/** Instructions that were read. */
interface Read {
  place?: string;
  copied?: { readonly from: string; readonly to: string };
  readonly env: Record<string, string>;
}

/**
 * Reads a Dockerfile that sets a working directory, copies one folder into it and does nothing else to files; what its image
 * has besides is then to be on this machine, as the task's own checks tell.
 * @returns a text: the instruction that asks for an image
 */
export function plainEnvironment(dockerfile: string): PlainEnvironment | string {
  const read: Read = { env: {} };
  const odd = instructions(dockerfile).find((line) => !take(line, read));
  if (odd !== undefined) return odd;
  const { place, copied, env } = read;
  if (place === undefined || copied === undefined) return `no ${place === undefined ? "WORKDIR" : "COPY"}`;
  const at = posix.relative(place, posix.resolve(place, copied.to));
  const from = posix.normalize(copied.from).replace(/\/$/, "");
  if (at.startsWith("..") || from.startsWith("..") || from.startsWith("/")) return `COPY ${copied.from}`;
  return { place, from, at, env };
}

/** Takes an instruction. @returns `false`: it asks for an image */
function take(line: string, read: Read): boolean {
  const [word, rest] = split(line);
  const [first = "", second = "", ...more] = rest.split(/\s+/);
  switch (word.toUpperCase()) {
    case "WORKDIR":
      if (read.place !== undefined || !first.startsWith("/") || !isPlain(first)) return false;
      read.place = posix.normalize(first);
      return true;
    case "COPY":
      if (read.copied !== undefined || more.length > 0 || !isPlain(first) || !isPlain(second)) return false;
      read.copied = { from: first, to: second };
      return true;
    case "ENV": {
      const [, key = "", value = ""] = /^([A-Za-z_]\w*)=(\S*)$/.exec(rest) ?? [];
      if (key !== "") read.env[key] = unquoted(value);
      return key !== "";
    }
    default:
      return SILENT.has(word.toUpperCase());
  }
}

/** Lines without comments, those that go on put together. */
function instructions(text: string): string[] {
  const lines = text
    .replace(/\r\n/g, "\n")
    .split("\n")
    .filter((line) => !/^\s*#/.test(line));
  return lines
    .join("\n")
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function split(line: string): [string, string] {
  const at = line.search(/\s/);
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at).trim()];
}

/** A path that is no flag, list, pattern or variable. */
function isPlain(path: string): boolean {
  return /^[\w./@+-]+$/.test(path) && !path.startsWith("-");
}

function unquoted(value: string): string {
  return value.replace(/^"([^"]*)"$/, "$1").replace(/^'([^']*)'$/, "$1");
}
