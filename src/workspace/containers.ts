import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { shorten } from "../base/text.js";
import { onSearchPath } from "./bubblewrap.js";
import { LIMITS, PROCESS_LIMITS, TEMPORARY } from "./limits.js";
import { removeTree } from "./remove-tree.js";
import { type Command, type CommandResult, type Permissions, runCommand, settable } from "./run-command.js";
import { realPath, SYSTEM_FILES, SYSTEM_FOLDERS, shownFolders } from "./shown-folders.js";
import { MARK_VARIABLE } from "./watchdog.js";

/** A container engine that works. */
export interface ContainerEngine {
  /** Its command line up to its own command, such as `run`. */
  readonly argv: readonly [string, ...string[]];
  readonly kind: "podman" | "docker";
  readonly version: string;
  /** An image that was named, and its id; `null`: an empty one, on which the machine's system is shown. */
  readonly image: { readonly name: string; readonly id: string } | null;
}

/** The image without files: the system that it shows is mounted, read-only. */
const EMPTY_IMAGE = "localhost/code-review-probe-empty:1";

/** Flags that make podman work where its defaults do not, such as without systemd. */
const PLAIN = ["--runtime", "runc", "--cgroup-manager", "cgroupfs"];

const TRY_MS = 60_000;

/** Finds a container engine, and tests if this system lets it work with the image. */
export async function findContainers(
  kind: "podman" | "docker",
  image: string | null,
): Promise<ContainerEngine | { readonly reason: string }> {
  const program = onSearchPath(kind);
  if (program === null) return { reason: `no ${kind} on the search path` };
  const told = await ask([program, "--version"]);
  const version = `${kind} ${/\d+(?:\.\d+)+/.exec(told.output)?.[0] ?? ""}`.trim();
  let reason = "";
  for (const flags of kind === "podman" ? [[], PLAIN] : [[]]) {
    const argv = [program, ...flags] as const;
    const found = image === null ? null : await imageNamed(argv, image);
    if (found !== null && "reason" in found) return { reason: `${kind}: ${found.reason}` };
    const engine: ContainerEngine = { argv, kind, version, image: found };
    const why = found === null ? await makeEmptyImage(engine) : null;
    const tried = why ?? (await faultOf(engine));
    if (tried === null) return engine;
    reason = tried;
  }
  return { reason: `a ${kind} that this system does not let work (${shorten(reason, 300)})` };
}

/** A name of an image as engines write it, or an id: nothing that could be a flag, or a place to load one from. */
export const IMAGE_NAME =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]*)?(?:@sha256:[0-9a-f]{64})?$/;

/** The image that a name has on this machine now. */
async function imageNamed(
  [program, ...flags]: ContainerEngine["argv"],
  name: string,
): Promise<{ readonly name: string; readonly id: string } | { readonly reason: string }> {
  const { code, output } = await ask([program, ...flags, "image", "inspect", "--format", "{{.Id}}", name]);
  const id = /^(?:sha256:)?([0-9a-f]{64})$/m.exec(output)?.[1];
  if (code === 0 && id !== undefined) return { name, id };
  return { reason: shorten(output.trim(), 200) };
}

function ask(argv: readonly [string, ...string[]]): Promise<CommandResult> {
  const command = { argv, cwd: "/", env: clientEnvironment(), limitMs: TRY_MS, strays: "none" as const };
  return runCommand(command, new AbortController().signal);
}

async function faultOf(engine: ContainerEngine): Promise<string | null> {
  const system = engine.image === null ? systemMounts() : [];
  const [program, ...rest] = engine.argv;
  const line = [...held(engine), "--network", "none", ...system, imageOf(engine), "-c", "exit 0"];
  const { code, end, output } = await ask([program, ...rest, "run", "--rm", ...line]);
  return code === 0 ? null : output.trim() || end;
}

function imageOf({ image }: ContainerEngine): string {
  return image?.id ?? EMPTY_IMAGE;
}

/** Makes the image once a machine: links of the root, such as of /bin, and folders for what is mounted. */
async function makeEmptyImage({ argv: [program, ...flags] }: ContainerEngine): Promise<string | null> {
  const known = await ask([program, ...flags, "image", "inspect", EMPTY_IMAGE]);
  if (known.code === 0) return null;
  const folder = await mkdtemp(join(await realpath(tmpdir()), "probe-image-"));
  try {
    const root = join(folder, "root");
    await mkdir(join(root, "etc"), { recursive: true });
    for (const path of SYSTEM_FOLDERS.filter((each) => existsSync(each)))
      if (isLink(path)) await symlink(readlinkSync(path), join(root, path));
      else await mkdir(join(root, path), { recursive: true });
    const packed = await ask(["tar", "-C", root, "-cf", join(folder, "root.tar"), "."]);
    if (packed.code !== 0) return packed.output;
    const made = await ask([program, ...flags, "import", join(folder, "root.tar"), EMPTY_IMAGE]);
    return made.code === 0 ? null : made.output;
  } finally {
    await removeTree(folder);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

/**
 * Flags of every container: no rights, nothing written but where it may, limits that the kernel holds; its user and its
 * first program are ours, whatever an image says.
 */
function held({ kind }: ContainerEngine): string[] {
  const { n, u, f, c } = PROCESS_LIMITS;
  return [
    "--read-only --cap-drop ALL --security-opt no-new-privileges --log-driver none --ipc private".split(" "),
    "--pull never --no-healthcheck --entrypoint /bin/sh".split(" "),
    ["--pids-limit", String(LIMITS.processes), "--memory", String(LIMITS.memory)],
    [
      "--ulimit",
      `nofile=${n}:${n}`,
      "--ulimit",
      `nproc=${u}:${u}`,
      "--ulimit",
      `fsize=${f * 1024}:${f * 1024}`,
      "--ulimit",
      `core=${c}:${c}`,
    ],
    // Podman's root is the user; docker's would be the machine's. Volumes of an image would be writable, without a limit.
    kind === "docker"
      ? ["--user", `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`]
      : ["--user", "0:0", "--image-volume", "ignore"],
  ].flat();
}

function systemMounts(): string[] {
  const folders = SYSTEM_FOLDERS.filter((path) => existsSync(path) && !isLink(path));
  const files = SYSTEM_FILES.filter((path) => existsSync(path) && !OWN_FILES.has(path));
  return [...folders, ...files].flatMap((path) => mount(realPath(path), path, "ro"));
}

/** Files that an engine makes itself, for the network that it gives. */
const OWN_FILES: ReadonlySet<string> = new Set(["/etc/hosts", "/etc/resolv.conf"]);

function mount(from: string, to: string, mode: "ro" | "rw"): string[] {
  return ["--volume", `${from}:${to}:${mode}`];
}

/** Podman would fill it with what it covers. */
function empty(kind: ContainerEngine["kind"], path: string, bytes: number): string[] {
  return ["--tmpfs", `${path}:rw,size=${bytes},mode=1777${kind === "podman" ? ",notmpcopyup" : ""}`];
}

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
  const { env, argv, input, ...rest } = command;
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
    const line = [...engine.argv, "run", ...named, ...flags, ...place, imageOf(engine), ...inside] as const;
    const client = { ...rest, ...(input !== undefined && { input }), argv: asArgv(line), env: clientEnvironment() };
    const result = await runCommand({ ...client, cwd: "/", strays: "sweep" }, signal);
    // Whoever kills the client leaves the container.
    if (result.end !== "exited") await ask(asArgv([...engine.argv, "rm", "--force", name]));
    // What runs inside can write to the file, and end with the engine's code; when its status changed it cannot set back.
    const isEngines = ENGINE_CODES.has(result.code) && (await stat(started, { bigint: true })).ctimeNs === untouched;
    return isEngines ? { ...result, end: "not_started", code: null } : result;
  } finally {
    await removeTree(folder);
  }
}

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

/** Variables of this program by which an engine finds its daemon and its images; nothing received. */
function clientEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "USER", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
  const further = ["DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF"];
  return Object.fromEntries(
    [...names, ...further].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function mountsOf(permissions: Permissions, { image, kind }: ContainerEngine, hidden: readonly string[]): string[] {
  const { workspace, writesWorkspace, writes, reads } = permissions;
  const { shown, emptied, blanked } = shownFolders(hidden, reads);
  const there = (paths: readonly string[]) => paths.filter((path) => existsSync(path));
  const system =
    image !== null
      ? reads.map(realPath).flatMap((path) => mount(path, path, "ro"))
      : [
          systemMounts(),
          emptied.flatMap((path) => empty(kind, path, TEMPORARY.other)),
          there(shown).flatMap((path) => mount(path, path, "ro")),
          blanked.flatMap((path) => mount("/dev/null", path, "ro")),
        ].flat();
  return [
    system,
    [...new Set(["/tmp", realPath(tmpdir())])].flatMap((path) => empty(kind, path, TEMPORARY.tmp)),
    [...empty(kind, "/var/tmp", TEMPORARY.other), ...empty(kind, "/run", TEMPORARY.other)],
    empty(kind, realPath(homedir()), TEMPORARY.home),
    mount(realPath(workspace), realPath(workspace), writesWorkspace ? "rw" : "ro"),
    writes.map(realPath).flatMap((path) => mount(path, path, "rw")),
    Object.entries(permissions.at ?? {}).flatMap(([inside, outside]) => mount(realPath(outside), inside, "rw")),
  ].flat();
}
