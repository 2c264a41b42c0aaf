import { existsSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ProbeError } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { settable } from "./received-environment.js";
import { type Command, type CommandResult, runCommand } from "./run-command.js";

/** Choice of the sandbox: bubblewrap where there is one that works, always, or never. */
export type Sandbox = "auto" | "bwrap" | "none";

/** Permissions of a command, besides reading its system. */
export interface Permissions {
  /** Its tree. */
  readonly workspace: string;
  readonly writesWorkspace: boolean;
  /** Further folders that it may write to. */
  readonly writes: readonly string[];
  /** Folders in hidden places that it may read, such as of a test runner. */
  readonly reads: readonly string[];
  /**
   * Folders of the host by the paths at which a command sees them, such as the workspace at `/app`; without a cage, none
   * can.
   */
  readonly at?: Readonly<Record<string, string>>;
  readonly network: boolean;
}

/** Runs commands, caged where that is possible. */
export interface Cage {
  readonly kind: "bwrap" | "none";
  /** Reason why there is none, in words; `null`: there is one, or none was asked for. */
  readonly reason: string | null;
  /** Such as `bubblewrap 0.8.0`; `null` without. */
  readonly version: string | null;
  /** Runs a command to its end, its limit or the signal; whatever it has started ends with it. */
  run(command: Command, permissions: Permissions, signal: AbortSignal): Promise<CommandResult>;
}

interface CageOptions {
  readonly sandbox: Sandbox;
  /** Folders that no command may see: data with hidden tests, the run. */
  readonly hidden: readonly string[];
}

/**
 * The cage that is asked for.
 * @throws ProbeError `bad_input` when `bwrap` is asked for and there is none that works
 */
export async function openCage({ sandbox, hidden }: CageOptions): Promise<Cage> {
  if (sandbox === "none") return uncaged(null);
  const found = await findBubblewrap();
  if ("version" in found) return caged(found, hidden);
  if (sandbox === "auto") return uncaged(found.reason);
  throw new ProbeError(
    "bad_input",
    `Expected bubblewrap for --sandbox bwrap, found ${found.reason}. Install the package bubblewrap, or use --sandbox none.`,
  );
}

function uncaged(reason: string | null): Cage {
  return { kind: "none", reason, version: null, run: (command, _, signal) => runCommand(command, signal) };
}

function caged({ program, version }: Bubblewrap, hidden: readonly string[]): Cage {
  return {
    kind: "bwrap",
    reason: null,
    version,
    run: (command, permissions, signal) => {
      const { env, ...rest } = command;
      // Arguments by a descriptor: every user of the machine can read a command line, and no variable is to reach
      // bubblewrap itself.
      const argv = [program, "--args", "3", "--", ...command.argv] as const;
      const argumentsInput = [...cageArguments(command, permissions, hidden), ...environmentArguments(env)].join("\0");
      return runCommand({ ...rest, argv, argumentsInput, env: {}, cwd: "/", strays: "watch" }, signal);
    },
  };
}

/**
 * The whole system read-only, nothing of it that is somebody's own, no other processes. Folders that are to be seen come
 * last, since what is mounted later lies on top.
 */
function cageArguments(command: Command, permissions: Permissions, hidden: readonly string[]): string[] {
  const { workspace, writesWorkspace, writes, reads, network } = permissions;
  const emptied = [...new Set([tmpdir(), "/tmp", "/var/tmp", homedir(), ...hidden].map(realPath))].filter(
    (path) => path !== sep && isFolder(path),
  );
  const isHidden = (path: string) => emptied.some((each) => isWithin(each, path));
  const shown = [...programFolders(isHidden), ...reads.map(realPath)].filter(isHidden);
  const isSeen = (path: string) => !isHidden(path) || shown.some((each) => isWithin(each, path));
  const blanked = hidden.map(realPath).filter((path) => isFile(path) && isSeen(path));
  const at = Object.entries(permissions.at ?? {});
  return [
    ...(at.length === 0 ? ["--ro-bind", "/", "/"] : rootWithRoom()),
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    // Outer folders first, or they would cover the inner ones: what is hidden in a folder of programs stays so.
    ...[...new Set([...emptied, ...shown])]
      .toSorted()
      .flatMap((path) => (emptied.includes(path) ? ["--tmpfs", path] : ["--ro-bind-try", path, path])),
    ...blanked.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    writesWorkspace ? "--bind" : "--ro-bind",
    realPath(workspace),
    realPath(workspace),
    ...writes.map(realPath).flatMap((path) => ["--bind", path, path]),
    ...at.flatMap(([inside, outside]) => ["--bind", realPath(outside), inside]),
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    ...(network ? [] : ["--unshare-net"]),
    "--chdir",
    realPath(command.cwd),
  ];
}

function environmentArguments(env: Command["env"]): string[] {
  return ["--clearenv", ...Object.entries(settable(env)).flatMap(([name, value]) => ["--setenv", name, value])];
}

/** Shows the whole system, on a root in which further folders can be made. */
function rootWithRoom(): string[] {
  const entries = readdirSync("/", { withFileTypes: true }).filter(({ name }) => name !== "dev" && name !== "proc");
  return entries.flatMap((entry) => {
    const path = join("/", entry.name);
    return entry.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

const TRY_MS = 10_000;

interface Bubblewrap {
  /** Its path. */
  readonly program: string;
  readonly version: string;
}

/** Finds bubblewrap, and tests if this system lets it work. */
async function findBubblewrap(): Promise<Bubblewrap | { readonly reason: string }> {
  const folders = (process.env["PATH"] ?? "/usr/bin:/bin").split(delimiter);
  const program = folders
    .filter(isAbsolute)
    .map((folder) => join(folder, "bwrap"))
    .find((path) => existsSync(path));
  if (program === undefined) return { reason: "no bwrap on the search path" };
  const ask = (...args: readonly string[]) =>
    runCommand(
      {
        argv: [program, ...args],
        cwd: "/",
        env: {},
        limitMs: TRY_MS,
        strays: "none",
      },
      new AbortController().signal,
    );
  const told = await ask("--version");
  const tried = await ask(
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-net",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--cap-drop",
    "ALL",
    "--",
    "/bin/true",
  );
  if (tried.code === 0) return { program, version: told.output.trim() };
  return { reason: `a bwrap that this system does not let work (${shorten(tried.output.trim() || tried.end, 200)})` };
}

/**
 * Folders that programs of the search path need, and the one that runs this: theirs, the libraries beside them, and what
 * links in them lead to, such as the home of a tool that was installed for one user.
 * @param isHidden whether a command would not see a path; of others nothing is told
 */
function programFolders(isHidden: (path: string) => boolean): string[] {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), dirname(process.execPath)];
  const places = folders.filter((path) => path !== "").map(realPath);
  return places.filter(isHidden).flatMap(neededIn);
}

function neededIn(folder: string): string[] {
  // For `node_modules/.bin`, everything that is installed beside it.
  if (basename(folder) === ".bin") return [dirname(folder)];
  return [...withLibraries(folder), ...linksIn(folder).flatMap((target) => homeOf(target, dirname(folder)))];
}

function withLibraries(folder: string): string[] {
  return basename(folder) === "bin" ? [folder, join(dirname(folder), "lib")] : [folder];
}

/** Home of a tool: in `share` beside the folder of programs, all of it; of another, the folder that it is in. */
function homeOf(target: string, prefix: string): string[] {
  const [first, tool] = relative(prefix, target).split(sep);
  return first === "share" && tool !== undefined ? [join(prefix, first, tool)] : withLibraries(dirname(target));
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => realPath(join(folder, name)));
  } catch {
    return [];
  }
}

/** The path without links; as it is where there is no such file. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
