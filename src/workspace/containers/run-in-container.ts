import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../remove-tree.js";
import { type Command, type CommandResult, type Permissions, runCommand, settable } from "../run-command.js";
import { realPath } from "../shown-folders.js";
import { MARK_VARIABLE } from "../watchdog.js";
import { type ContainerEngine, held, mount, mountsOf } from "./container-flags.js";
import { askEngine, clientEnvironment, imageOf } from "./find-containers.js";

/** Runs a command in a container of its own, which is gone behind it. */
export async function runInContainer(
  command: Command,
  permissions: Permissions,
  engine: ContainerEngine,
  hidden: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "probe-container-"));
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
    const result = await runCommand({ ...client, cwd: "/", strays: "sweep" }, signal);
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
