import { existsSync, lstatSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { LIMITS, PROCESS_LIMITS, TEMPORARY } from "../limits.js";
import type { Permissions } from "../run-command.js";
import { realPath, SYSTEM_FILES, SYSTEM_FOLDERS, shownFolders } from "../shown-folders.js";

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

export function systemMounts(): string[] {
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
