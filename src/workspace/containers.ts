import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { shorten } from "../base/text.js";
import { NO_WAIT, onSearchPath, PAGE_OUT } from "./bubblewrap.js";
import { LIMITS, PROCESS_LIMITS, TEMPORARY } from "./limits.js";
import { type CommandResult, type Permissions, runCommand } from "./run-command.js";
import { realPath, SYSTEM_FILES, SYSTEM_FOLDERS, shownFolders } from "./shown-folders.js";
import { removeTree, temporaryFolder } from "./tree-files.js";

/** The image without files: the system that it shows is mounted, read-only. */
const EMPTY_IMAGE = "localhost/code-review-probe-empty:1";

/** Flags that make podman work where its defaults do not, such as without systemd. */
const PLAIN = ["--runtime", "runc", "--cgroup-manager", "cgroupfs"];

/** Ways to run an engine, the best first: where a user may not set limits of sums, all else holds. */
const WAYS = [true, false].flatMap((holdsSums) => [[], PLAIN].map((flags) => ({ flags, holdsSums })));

const TRY_MS = 60_000;

/** Finds a container engine, and tests if this system lets it work with the image. */
export async function findContainers(
  kind: "podman" | "docker",
  image: string | null,
): Promise<ContainerEngine | { readonly reason: string }> {
  const program = onSearchPath(kind);
  if (program === null) return { reason: `no ${kind} on the search path` };
  const told = await askEngine([program, "--version"]);
  const version = `${kind} ${/\d+(?:\.\d+)+/.exec(told.output)?.[0] ?? ""}`.trim();
  const calls = kind === "podman" ? await allowedCalls(program) : null;
  let reason = "";
  for (const { flags, holdsSums } of WAYS.filter((way) => kind === "podman" || way.flags.length === 0)) {
    const argv = [program, ...flags] as const;
    const found = image === null ? null : await imageNamed(argv, image);
    if (found !== null && "reason" in found) return { reason: `${kind}: ${found.reason}` };
    const engine: ContainerEngine = { argv, kind, version, holdsSums, calls, image: found };
    const why = found === null ? await makeEmptyImage(engine) : null;
    const tried = why ?? (await faultOf(engine));
    if (tried === null) return engine;
    reason = tried;
  }
  return { reason: `a ${kind} that this system does not let work (${shorten(reason, 300)})` };
}

/** System calls that podman allows: keys of the kernel's keyrings, which no container has of its own, its log, mounts; what it keeps of files. */
const REFUSED: ReadonlySet<string> = new Set([
  ..."add_key keyctl request_key syslog mount fsopen".split(" "),
  ..."fadvise64 fadvise64_64 arm_fadvise64_64 readahead mincore cachestat io_setup process_madvise".split(" "),
  ..."io_uring_setup io_uring_enter io_uring_register preadv2 madvise".split(" "),
]);
/** Allowed by their arguments, as in bubblewrap. */
const GUARDED = [
  { names: ["preadv2"], args: [{ index: 5, value: NO_WAIT, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }] },
  { names: ["madvise"], args: [{ index: 2, value: PAGE_OUT, op: "SCMP_CMP_NE" }] },
].map((rule) => ({ ...rule, action: "SCMP_ACT_ALLOW" }));
const profileSchema = z.looseObject({ syscalls: z.array(z.looseObject({ names: z.array(z.string()) })) });

/** Podman's own profile without those; `null`: it cannot be read. */
async function allowedCalls(program: string): Promise<string | null> {
  const told = await askEngine([program, "info", "--format", "{{.Host.Security.SECCOMPProfilePath}}"]);
  try {
    const path = told.output.trim().split("\n").at(-1) ?? "";
    const profile = profileSchema.parse(JSON.parse(await readFile(path, "utf8")));
    const syscalls = profile.syscalls.map((rule) => ({
      ...rule,
      names: rule.names.filter((name) => !REFUSED.has(name)),
    }));
    return JSON.stringify({ ...profile, syscalls: [...syscalls.filter(({ names }) => names.length > 0), ...GUARDED] });
  } catch {
    return null;
  }
}

/** A name of an image as engines write it, or an id: nothing that could be a flag, or a place to load one from. */
export const IMAGE_NAME =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]*)?(?:@sha256:[0-9a-f]{64})?$/;

/** The image that a name has on this machine now. */
async function imageNamed(
  [program, ...flags]: ContainerEngine["argv"],
  name: string,
): Promise<{ readonly name: string; readonly id: string } | { readonly reason: string }> {
  const { code, output } = await askEngine([program, ...flags, "image", "inspect", "--format", "{{.Id}}", name]);
  const id = /^(?:sha256:)?([0-9a-f]{64})$/m.exec(output)?.[1];
  if (code === 0 && id !== undefined) return { name, id };
  return { reason: shorten(output.trim(), 200) };
}

export function askEngine(argv: readonly [string, ...string[]]): Promise<CommandResult> {
  const command = { argv, cwd: "/", env: clientEnvironment(), limitMs: TRY_MS, strays: "none" as const };
  return runCommand(command, new AbortController().signal);
}

async function faultOf(engine: ContainerEngine): Promise<string | null> {
  const system = engine.image === null ? systemMounts() : [];
  const [program, ...rest] = engine.argv;
  const line = [...held(engine), "--network", "none", ...system, imageOf(engine), "-c", "exit 0"];
  const { code, end, output } = await askEngine([program, ...rest, "run", "--rm", ...line]);
  const isHeld = !engine.holdsSums || !/limits? (?:are|is) not supported|limitation discarded/i.test(output);
  return code === 0 && isHeld ? null : output.trim() || end;
}

export function imageOf({ image }: ContainerEngine): string {
  return image?.id ?? EMPTY_IMAGE;
}

/** Makes the image once a machine: links of the root, such as of /bin, and folders for what is mounted. */
async function makeEmptyImage({ argv: [program, ...flags] }: ContainerEngine): Promise<string | null> {
  const known = await askEngine([program, ...flags, "image", "inspect", EMPTY_IMAGE]);
  if (known.code === 0) return null;
  const folder = await temporaryFolder("probe-image-");
  try {
    const root = join(folder, "root");
    await mkdir(join(root, "etc"), { recursive: true });
    for (const path of SYSTEM_FOLDERS.filter((each) => existsSync(each)))
      if (isLink(path)) await symlink(readlinkSync(path), join(root, path));
      else await mkdir(join(root, path), { recursive: true });
    const packed = await askEngine(["tar", "--owner=0", "--group=0", "-C", root, "-cf", join(folder, "root.tar"), "."]);
    if (packed.code !== 0) return packed.output;
    const made = await askEngine([program, ...flags, "import", join(folder, "root.tar"), EMPTY_IMAGE]);
    return made.code === 0 ? null : made.output;
  } finally {
    await removeTree(folder);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

/** Variables of this program by which an engine finds its daemon and its images; nothing received. */
export function clientEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "USER", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
  const further = ["DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF"];
  return Object.fromEntries(
    [...names, ...further].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A container engine that works. */
export interface ContainerEngine {
  /** Its command line up to its own command, such as `run`. */
  readonly argv: readonly [string, ...string[]];
  readonly kind: "podman" | "docker";
  readonly version: string;
  /** True if the kernel holds sums of processes and memory; else they are looked at. */
  readonly holdsSums: boolean;
  /** Profile of system calls, as JSON; `null`: the engine's own. */
  readonly calls: string | null;
  /** An image that was named, and its id; `null`: an empty one, on which the machine's system is shown. */
  readonly image: { readonly name: string; readonly id: string } | null;
}

/**
 * Flags of every container: no rights, nothing written but where it may, limits that the kernel holds; its user and its
 * first program are ours, whatever an image says.
 */
export function held({ kind, holdsSums }: ContainerEngine): string[] {
  const { n, u, f, c } = PROCESS_LIMITS;
  return [
    "--read-only --cap-drop ALL --security-opt no-new-privileges --log-driver none --ipc private".split(" "),
    "--pull never --no-healthcheck --entrypoint /bin/sh".split(" "),
    holdsSums ? ["--pids-limit", String(LIMITS.processes), "--memory", String(LIMITS.memory)] : [],
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
  const folders = SYSTEM_FOLDERS.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink());
  const files = SYSTEM_FILES.filter((path) => existsSync(path) && !OWN_FILES.has(path));
  return [...folders, ...files].flatMap((path) => mount(realPath(path), path, "ro"));
}

/** Files that an engine makes itself, for the network that it gives. */
const OWN_FILES: ReadonlySet<string> = new Set(["/etc/hosts", "/etc/resolv.conf"]);

export function mount(from: string, to: string, mode: "ro" | "rw"): string[] {
  return ["--volume", `${from}:${to}:${mode}`];
}

/** Podman would fill it with what it covers. */
function empty(kind: ContainerEngine["kind"], path: string, bytes: number): string[] {
  return ["--tmpfs", `${path}:rw,size=${bytes},mode=1777${kind === "podman" ? ",notmpcopyup" : ""}`];
}

export function mountsOf(
  permissions: Permissions,
  { image, kind }: ContainerEngine,
  hidden: readonly string[],
): string[] {
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
    // The home of an image is its own.
    image === null ? empty(kind, realPath(homedir()), TEMPORARY.home) : [],
    mount(realPath(workspace), realPath(workspace), writesWorkspace ? "rw" : "ro"),
    writes.map(realPath).flatMap((path) => mount(path, path, "rw")),
    Object.entries(permissions.at ?? {}).flatMap(([inside, outside]) => mount(realPath(outside), inside, "rw")),
  ].flat();
}
