import { existsSync } from "node:fs";
import { mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { badInput } from "../../base/errors.js";
import { cacheFolder } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { jsonValue, shorten } from "../../base/text.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { type ContainerEngine, clientEnvironment, findContainers } from "../../workspace/containers.js";
import { runCommand } from "../../workspace/run-command.js";
import { fileHashes, removeTree } from "../../workspace/tree-files.js";
import type { HarborSettings } from "./harbor-task.js";

const knownSchema = z.object({ image: z.string(), place: z.string().startsWith("/") });

/** Environment that was set up. */
export interface KnownEnvironment extends z.infer<typeof knownSchema> {
  /** Copy of the image's working directory. */
  readonly tree: string;
}

/** Folder of a task's environment in the cache, by all that it is made of. */
async function environmentFolder(folder: string, { environment }: HarborSettings): Promise<string> {
  const { docker_image: named = null } = environment;
  const hash = sha256(JSON.stringify([named, named === null ? await fileHashes(join(folder, "environment")) : null]));
  return join(cacheFolder(process.env), "harbor", hash.slice(0, 24));
}

/** Environment of a task that was set up on this machine; `null`: it was not. */
export async function knownEnvironment(folder: string, settings: HarborSettings): Promise<KnownEnvironment | null> {
  const place = await environmentFolder(folder, settings);
  const text = await readFile(join(place, "environment.json"), "utf8").catch(() => "");
  const known = knownSchema.safeParse(jsonValue(text)).data;
  return known === undefined ? null : { ...known, tree: join(place, "tree") };
}

/** Way to make images. */
export interface SetUpChoice {
  readonly engine: "podman" | "docker";
  /** Isolation of `podman build`; `null`: its default. */
  readonly isolation: string | null;
  readonly signal: AbortSignal;
}

/**
 * Makes the environment of a task: builds its image, or takes the one that it names and is there, and copies its working
 * directory, of which each trial gets a fresh one.
 * @returns the image's name
 * @throws ProbeError `bad_input` that says why it cannot be made
 */
export async function setUpEnvironment(folder: string, settings: HarborSettings, choice: SetUpChoice): Promise<string> {
  const place = await environmentFolder(folder, settings);
  const found = await findContainers(choice.engine, null);
  if ("reason" in found) throw badInput(`Expected ${choice.engine} that works, found ${found.reason}.`);
  const named = settings.environment.docker_image;
  const image = named ?? `localhost/probe-harbor:${place.slice(-24)}`;
  if (named === undefined) await build(found, join(folder, "environment"), image, settings, choice);
  const shown = await engineDoes(found, ["image", "inspect", "--format", "{{.Config.WorkingDir}}", image], 60, choice);
  const directory = shown.trim().split("\n").at(-1) ?? "";
  if (!/^\/[\w./+-]+$/.test(directory))
    throw badInput(`Expected the image ${image} with a working directory, found "${directory}".`);
  const fresh = `${place}.new-${process.pid}`;
  await removeTree(fresh);
  await mkdir(join(fresh, "tree"), { recursive: true });
  await copyOut(found, image, directory, join(fresh, "tree"), choice);
  const known = { image, place: directory };
  await writeAtomically(join(fresh, "environment.json"), (append) => append(`${JSON.stringify(known)}\n`));
  await removeTree(place);
  await rename(fresh, place);
  return image;
}

async function build(
  engine: ContainerEngine,
  context: string,
  image: string,
  settings: HarborSettings,
  choice: SetUpChoice,
): Promise<void> {
  if (!existsSync(join(context, "Dockerfile")))
    throw badInput(`Expected environment/Dockerfile or docker_image in task.toml, found neither.`);
  const seconds = z.number().positive().catch(600).parse(settings.environment["build_timeout_sec"]);
  const isolation = choice.isolation === null ? [] : ["--isolation", choice.isolation];
  const line = ["build", ...isolation, "--pull=never", "--tag", image, "--file", join(context, "Dockerfile"), context];
  await engineDoes(
    engine,
    choice.engine === "docker" ? line.filter((word) => word !== "--pull=never") : line,
    seconds,
    choice,
  );
}

/** Copies a folder out of an image by a container that is never started. */
async function copyOut(
  engine: ContainerEngine,
  image: string,
  from: string,
  to: string,
  choice: SetUpChoice,
): Promise<void> {
  const name = `probe-harbor-${process.pid}-${sha256(to).slice(0, 12)}`;
  await engineDoes(engine, ["create", "--network", "none", "--name", name, image, "/none"], 120, choice);
  try {
    await engineDoes(engine, ["cp", `${name}:${from}/.`, to], 600, choice);
  } finally {
    await engineDoes(engine, ["rm", "--force", name], 60, choice);
  }
}

/** Output of a command of the engine. @throws ProbeError `bad_input` with its last words */
async function engineDoes(
  { argv: [program, ...flags], kind }: ContainerEngine,
  words: readonly string[],
  seconds: number,
  { signal }: SetUpChoice,
): Promise<string> {
  const command = {
    argv: [program, ...flags, ...words] as const,
    cwd: "/",
    env: clientEnvironment(),
    limitMs: seconds * 1000,
  };
  const { code, end, output } = await runCommand(command, signal);
  if (code === 0) return output;
  const last = output.trim().split("\n").slice(-6).join("\n");
  throw badInput(
    `Expected \`${kind} ${words[0]}\` to work, found ${end === "exited" ? `exit code ${code}` : end}: ${shorten(last, 500)}`,
  );
}
