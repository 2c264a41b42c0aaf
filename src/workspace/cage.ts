import { randomUUID } from "node:crypto";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { badInput } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { findBubblewrap, inBubblewrap } from "./bubblewrap.js";
import {
  askEngine,
  type ContainerEngine,
  clientEnvironment,
  findContainers,
  held,
  IMAGE_NAME,
  imageOf,
  mount,
  mountsOf,
} from "./containers.js";
import { watchLimits } from "./limits.js";
import { type Command, type CommandResult, type Permissions, runCommand, settable } from "./run-command.js";
import { realPath } from "./shown-folders.js";
import { removeTree, temporaryFolder } from "./tree-files.js";
import { MARK_VARIABLE } from "./watchdog.js";

/** Engines that hold code of others. */
export const ENGINES = ["bwrap", "podman", "docker"] as const;
type Engine = (typeof ENGINES)[number];

/** Choice of the sandbox: the strongest that works, a certain one, or none. */
export type Sandbox = "auto" | Engine | "none";

/** Runs commands, caged where that is possible. */
export interface Cage {
  readonly kind: Engine | "none";
  /** Reason why there is none, in words; `null`: there is one, or none was asked for. */
  readonly reason: string | null;
  /** Such as `bubblewrap 0.8.0`; `null` without. */
  readonly version: string | null;
  /** Image of a container, as it was named, and its id, which tells what is in it; `null`: none was named. */
  readonly image: { readonly name: string; readonly id: string } | null;
  /** Key of results that may differ elsewhere: the kind, and the image's id. */
  readonly setting: string;
  /** Runs a command to its end, its limit or the signal; whatever it has started ends with it. */
  run(command: Command, permissions: Permissions, signal: AbortSignal): Promise<CommandResult>;
}

export interface CageOptions {
  readonly sandbox: Sandbox;
  /** Folders that no command may see: data with hidden tests, the run. */
  readonly hidden: readonly string[];
  /** Image for a container; absent: the machine's own system, read-only. */
  readonly image?: string | null;
}

/**
 * Opens the cage that is asked for. `auto` is bubblewrap, else podman, else docker; with an image, podman or docker.
 * @throws ProbeError `bad_input` when one is asked for by name, or by an image, and does not work
 */
export async function openCage({ sandbox, hidden, image = null }: CageOptions): Promise<Cage> {
  if (image !== null) requireImage(image, sandbox);
  if (sandbox === "none") return uncaged(null);
  const engines = sandbox === "auto" ? ENGINES.filter((each) => image === null || each !== "bwrap") : [sandbox];
  const reasons: string[] = [];
  for (const engine of engines) {
    const found = engine === "bwrap" ? await bubblewrapCage(hidden) : await containerCage(engine, hidden, image);
    if (typeof found !== "string") return found;
    reasons.push(found);
  }
  if (sandbox === "auto" && image === null) return uncaged(reasons.join("; "));
  throw badInput(
    `Expected ${image === null ? "" : `the image ${image} and `}a ${engines.join(" or ")} that works for --sandbox ` +
      `${sandbox}, found ${reasons.join("; ")}. Install the package ${engines[0] === "bwrap" ? "bubblewrap" : engines[0]}` +
      `${image === null ? ", or use --sandbox none" : ", or pull or build the image first"}.`,
  );
}

/** @throws ProbeError `bad_input` for what is no image, and beside a sandbox that has none */
function requireImage(image: string, sandbox: Sandbox): void {
  if (!IMAGE_NAME.test(image))
    throw badInput(`Expected an image such as localhost/mine:1, found "${shorten(image, 100)}".`);
  if (sandbox === "none" || sandbox === "bwrap")
    throw badInput(`Expected --sandbox podman or docker for the image ${image}, found ${sandbox}.`);
}

/** A text: reason why there is none. */
async function bubblewrapCage(hidden: readonly string[]): Promise<Cage | string> {
  const found = await findBubblewrap();
  if ("reason" in found) return found.reason;
  const run = limited((command, permissions, signal) =>
    runCommand(inBubblewrap(command, permissions, found, hidden), signal),
  );
  return { kind: "bwrap", setting: "bwrap", reason: null, version: found.version, image: null, run };
}

async function containerCage(
  kind: "podman" | "docker",
  hidden: readonly string[],
  image: string | null,
): Promise<Cage | string> {
  const found = await findContainers(kind, image);
  if ("reason" in found) return found.reason;
  const run = limited((command, permissions, signal) => runInContainer(command, permissions, found, hidden, signal));
  const setting = found.image === null ? kind : `${kind} ${found.image.id}`;
  return { kind, setting, reason: null, version: found.version, image: found.image, run };
}

function uncaged(reason: string | null): Cage {
  const run = limited((command, _, signal) => runCommand(command, signal));
  return { kind: "none", setting: "none", reason, version: null, image: null, run };
}

/** Runs commands as long as they take no more than they may. */
function limited(run: Cage["run"]): Cage["run"] {
  return async (command, permissions, signal) => {
    const fault = placeFault(permissions);
    if (fault !== null) return { end: "not_started", code: null, output: fault, durationMs: 0 };
    const over = new AbortController();
    let pid: number | null = null;
    let why: string | null = null;
    const watch = watchLimits({
      pid: () => pid,
      folders: [...(permissions.writesWorkspace ? [permissions.workspace] : []), ...permissions.writes],
      stop(found) {
        why = found;
        over.abort();
      },
    });
    const onStart = (started: number) => {
      pid = started;
    };
    const either = AbortSignal.any([signal, over.signal]);
    const result = await run({ ...command, onStart }, permissions, either).finally(() => watch.end());
    if (why === null || signal.aborted) return result;
    return { ...result, end: "killed", code: null, output: `${result.output}\nStopped: it took ${why}.\n` };
  };
}

/** Who worked in a tree may have put a link in the place of a folder in it, which the cage would follow. `null`: nobody has. */
function placeFault({ at = {} }: Permissions): string | null {
  const [linked] = Object.entries(at).find(([, outside]) => realPath(outside) !== resolve(outside)) ?? [];
  return linked === undefined
    ? null
    : `Expected a folder without links on its path for ${linked}, found a link. Put a folder in its place.\n`;
}

/** Runs a command in a container of its own, which is gone behind it. */
export async function runInContainer(
  command: Command,
  permissions: Permissions,
  engine: ContainerEngine,
  hidden: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  const folder = await temporaryFolder("probe-container-");
  const name = `probe-${randomUUID()}`;
  const { env, argv, input, onStart, ...rest } = command;
  const first = firstProcess(join(folder, "pid"), onStart);
  try {
    const variables = join(folder, "variables");
    await writeFile(variables, scriptOf(env, engine), { mode: 0o600 });
    await chmod(variables, 0o400);
    const started = join(folder, "started");
    await writeFile(started, "");
    await chmod(started, 0o666);
    const untouched = (await stat(started, { bigint: true })).ctimeNs;
    const inside = ["-c", `echo >${STARTED}; . ${VARIABLES}; exec "$@"`, "sh", ...argv];
    const own = [...mount(variables, VARIABLES, "ro"), ...mount(started, STARTED, "rw")];
    const flags = [...held(engine), ...mountsOf(permissions, engine, hidden), ...own];
    const place = ["--workdir", realPath(command.cwd), ...(permissions.network ? [] : ["--network", "none"])];
    const named = ["--rm", "--name", name, "--env", MARK_VARIABLE, ...(input === undefined ? [] : ["--interactive"])];
    const profile = join(folder, "calls.json");
    if (engine.calls !== null) {
      await writeFile(profile, engine.calls);
      named.push("--security-opt", `seccomp=${profile}`);
    }
    if (engine.kind === "podman") named.push("--pidfile", join(folder, "pid"));
    const line = [...engine.argv, "run", ...named, ...flags, ...place, imageOf(engine), ...inside] as const;
    const client = { ...rest, ...(input !== undefined && { input }), argv: asArgv(line), env: clientEnvironment() };
    let isClientRun = false;
    const noteStart = () => {
      isClientRun = true;
    };
    const result = await runCommand({ ...client, cwd: "/", strays: "sweep", onStart: noteStart }, signal);
    // With more arguments than the system takes, which are the code's doing, the engine is not even asked.
    if (!isClientRun) return result;
    // Whoever kills the client leaves the container.
    if (result.end !== "exited") await askEngine(asArgv([...engine.argv, "rm", "--force", name]));
    // What runs inside can write to the file, and end with the engine's code; when its status changed it cannot set back.
    const isEngines = ENGINE_CODES.has(result.code) && (await stat(started, { bigint: true })).ctimeNs === untouched;
    return isEngines ? { ...result, end: "not_started", code: null } : result;
  } finally {
    first.end();
    await removeTree(folder);
  }
}

/** Tells the first process of a container, which is no child of the engine's client, when the engine has written it. */
function firstProcess(file: string, tell: Command["onStart"]): { end(): void } {
  const timer = setInterval(() => {
    void readFile(file, "utf8").then(
      (text) => {
        const pid = Number(text);
        if (!(pid > 1)) return;
        clearInterval(timer);
        tell?.(pid);
      },
      () => undefined,
    );
  }, PID_MS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}

const PID_MS = 200;

function asArgv([first = "", ...rest]: readonly string[]): readonly [string, ...string[]] {
  return [first, ...rest];
}

/** Exit codes of an engine for what it could not run. */
const ENGINE_CODES: ReadonlySet<number | null> = new Set([125, 126, 127]);

/** Where a container writes before all else: whether it ever began is read from the file's time of change. */
const STARTED = "/.probe-started";

/** Where a container finds its variables: a command line can be read by every user. */
const VARIABLES = "/.probe-variables";

function scriptOf(env: Command["env"], { image }: ContainerEngine): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  // Programs of an image come before those that are shown in it.
  const first = (name: string) => (image !== null && name === "PATH" ? '"$' + '{PATH:+$PATH:}"' : "");
  const lines = Object.entries(settable(env)).map(([name, value]) => `export ${name}=${first(name)}${quoted(value)}\n`);
  return `unset HOSTNAME container TERM\n${lines.join("")}`;
}
