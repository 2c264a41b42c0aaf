import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { shorten } from "../base/text.js";
import { PROCESS_LIMITS, TEMPORARY } from "./limits.js";
import { type Command, type Permissions, runCommand, settable } from "./run-command.js";
import { realPath, SYSTEM_FILES, SYSTEM_FOLDERS, shownFolders } from "./shown-folders.js";

/** A bubblewrap that works. */
interface Bubblewrap {
  /** Its path. */
  readonly program: string;
  readonly version: string;
  /** The shell that limits single processes, and closes what they inherit; `null`: there is none. */
  readonly bash: string | null;
}

/** The same command, in bubblewrap. */
export function inBubblewrap(
  command: Command,
  permissions: Permissions,
  { program, bash }: Bubblewrap,
  hidden: readonly string[],
): Command {
  const { env, argv, ...rest } = command;
  const limited = bash === null ? [] : [bash, "-c", LIMITED, "bash"];
  return {
    ...rest,
    // Arguments by a descriptor: every user of the machine can read a command line, and no variable is to reach
    // bubblewrap itself.
    argv: [program, "--args", "3", "--", ...limited, ...argv],
    furtherInputs: [
      [...cageArguments(command, permissions, hidden), ...filtered(4), ...environmentArguments(env)].join("\0"),
      ...(FILTER === null ? [] : [FILTER]),
    ],
    env: {},
    cwd: "/",
    strays: "watch",
  };
}

/** Descriptors that whoever started this program left open would be open in the cage too. */
const LIMITED = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"; done
${Object.entries(PROCESS_LIMITS)
  .map(([flag, most]) => `ulimit -${flag} ${most} 2>/dev/null`)
  .join("\n")}
unset fd SHLVL OLDPWD; exec "$@"`;

/** An empty system but for what is listed: that of the machine read-only, no keys, no sockets, nothing that is somebody's own. */
function cageArguments(command: Command, permissions: Permissions, hidden: readonly string[]): string[] {
  const { workspace, writesWorkspace, writes, reads, network } = permissions;
  const { shown, emptied, blanked } = shownFolders(hidden, reads);
  return [
    SYSTEM_FOLDERS.flatMap(systemFolder),
    SYSTEM_FILES.flatMap((path) => ["--ro-bind-try", realPath(path), path]),
    ["--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"],
    [
      "--proc",
      "/proc",
      ...KERNEL_SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
      ...(existsSync("/proc/keys") ? ["--ro-bind", "/dev/null", "/proc/keys"] : []),
      "--dev",
      "/dev",
      ...emptyFolder("/dev/shm", TEMPORARY.shm),
      "--remount-ro",
      "/dev",
    ],
    ["/run", "/srv", "/mnt", "/media", "/home"].flatMap((path) => ["--dir", path]),
    emptyFolder("/var/tmp", TEMPORARY.other),
    emptyFolder(realPath(homedir()), TEMPORARY.home),
    [...new Set(["/tmp", realPath(tmpdir())])].flatMap((path) => emptyFolder(path, TEMPORARY.tmp)),
    // Outer folders first, or they would cover the inner ones: what is hidden in a folder of programs stays so.
    [...new Set([...emptied, ...shown])]
      .toSorted()
      .flatMap((path) => (emptied.includes(path) ? emptyFolder(path, TEMPORARY.other) : ["--ro-bind-try", path, path])),
    blanked.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    [writesWorkspace ? "--bind" : "--ro-bind", realPath(workspace), realPath(workspace)],
    writes.map(realPath).flatMap((path) => ["--bind", path, path]),
    Object.entries(permissions.at ?? {}).flatMap(([inside, outside]) => ["--bind", realPath(outside), inside]),
    ["--remount-ro", "/", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ["--die-with-parent", "--new-session", "--cap-drop", "ALL", ...(network ? [] : ["--unshare-net"])],
    ["--chdir", realPath(command.cwd)],
  ].flat();
}

/** Root could change them without any rights, and bubblewrap leaves that to the rights of their folder. */
const KERNEL_SETTINGS = ["acpi", "bus", "fs", "irq", "mtrr", "scsi", "sys", "sysrq-trigger"].map(
  (name) => `/proc/${name}`,
);

function systemFolder(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

function emptyFolder(path: string, bytes: number): string[] {
  return ["--size", String(bytes), "--tmpfs", path];
}

function environmentArguments(env: Command["env"]): string[] {
  return ["--clearenv", ...Object.entries(settable(env)).flatMap(([name, value]) => ["--setenv", name, value])];
}

const TRY_MS = 10_000;
const TRIED =
  "--ro-bind / / --dev /dev --proc /proc --size 4096 --tmpfs /tmp --unshare-pid --unshare-ipc --unshare-net " +
  "--die-with-parent --new-session --clearenv --cap-drop ALL -- /bin/true";

/** Those that worked, by their paths. */
const working = new Map<string, Bubblewrap>();

/** Finds bubblewrap, and tests if this system lets it work, until it does. */
export async function findBubblewrap(): Promise<Bubblewrap | { readonly reason: string }> {
  const program = onSearchPath("bwrap");
  if (program === null) return { reason: "no bwrap on the search path" };
  const known = working.get(program);
  if (known !== undefined) return known;
  const ask = (...args: readonly string[]) => {
    const furtherInputs = FILTER === null ? [] : [FILTER];
    const rest = { cwd: "/", env: {}, limitMs: TRY_MS, strays: "none" as const, furtherInputs };
    return runCommand({ argv: [program, ...args], ...rest }, new AbortController().signal);
  };
  const told = await ask("--version");
  const tried = await ask(...filtered(3), ...TRIED.split(" "));
  if (tried.code === 0) {
    const found = { program, version: told.output.trim(), bash: bashThere() };
    working.set(program, found);
    return found;
  }
  return { reason: `a bwrap that this system does not let work (${shorten(tried.output.trim() || tried.end, 200)})` };
}

/** The path of a program, by folders that are named whole. */
export function onSearchPath(name: string): string | null {
  const folders = (process.env["PATH"] ?? "/usr/bin:/bin").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Where a cage shows it too. */
function bashThere(): string | null {
  return ["/usr/bin/bash", "/bin/bash"].find((path) => existsSync(path)) ?? null;
}

/** Machine words of an architecture and of its 32-bit programs, and the system calls that no caged command may make. */
interface Architecture {
  /** As the kernel's audit names it. */
  readonly audit: number;
  /**
   * Keys of the kernel's keyrings, its log, programs and counters in it, faults of memory, rings of requests; mounts, which
   * who makes a user of a namespace of its own may make, of any size.
   */
  readonly refused: readonly number[];
  /**
   * What the kernel keeps of files in memory, which two cages share: `fadvise64`, `readahead`, `mincore`, `io_setup`. By
   * these one would store, and the other read, what no folder of theirs may hold.
   */
  readonly kept: readonly number[];
  /** Refused with an argument of that kind alone: honest programs call them. */
  readonly preadv2: number;
  readonly madvise: number;
}

/** Rings, `fsopen`, `process_madvise` and `cachestat` have the same numbers everywhere. */
const COMMON = [425, 426, 427, 430, 440, 451];
const X86_64: Architecture = {
  audit: 0xc000003e,
  refused: [103, 165, 248, 249, 250, 298, 321, 323],
  kept: [221, 187, 27, 206],
  preadv2: 327,
  madvise: 28,
};
const I386: Architecture = {
  audit: 0x40000003,
  refused: [21, 103, 286, 287, 288, 336, 357, 374],
  kept: [250, 272, 225, 218, 245],
  preadv2: 378,
  madvise: 219,
};
const ARM_64: Architecture = {
  audit: 0xc00000b7,
  refused: [40, 116, 217, 218, 219, 241, 280, 282],
  kept: [223, 213, 232, 0],
  preadv2: 286,
  madvise: 233,
};
const ARM: Architecture = {
  audit: 0x40000028,
  refused: [21, 103, 309, 310, 311, 364, 386, 388],
  kept: [270, 225, 219, 243],
  preadv2: 392,
  madvise: 220,
};

const ARCHITECTURES: Readonly<Record<string, readonly Architecture[]>> = { x64: [X86_64, I386], arm64: [ARM_64, ARM] };

const [LOAD, EQUALS, AT_LEAST, HAS_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
/** Places in what the kernel tells of a call; its arguments have 8 bytes each. */
const [NUMBER, AUDIT, ARGUMENTS] = [0, 4, 16];
/** `RWF_NOWAIT` reads only what is in memory; `MADV_PAGEOUT` removes it from there. */
export const [NO_WAIT, PAGE_OUT] = [0x8, 21] as const;
/** Numbers from here on are those of a third kind of programs, with tables of its own. */
const OTHER_TABLE = 0x40000000;
const [ALLOW, REFUSE] = [0x7fff0000, 0x00050001];

/** A step of the kernel's filter: steps to skip where a comparison holds, and where it does not. */
type Step = readonly [code: number, value: number, then?: number, otherwise?: number];

/**
 * A filter of system calls, as bubblewrap reads it: of keys, of what has often been a way into the kernel, and of what
 * it keeps of files. Refused calls fail with EPERM, and all of another architecture.
 * @returns `null` on a machine whose numbers are not known here
 */
function callFilter(architecture: string): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return null;
  const steps: Step[] = [...known.flatMap(stepsOf), [RETURN, REFUSE]];
  const program = Buffer.alloc(steps.length * 8);
  for (const [i, [code, value, then = 0, otherwise = 0]] of steps.entries()) {
    program.writeUInt16LE(code, i * 8);
    program.writeUInt8(then, i * 8 + 2);
    program.writeUInt8(otherwise, i * 8 + 3);
    program.writeUInt32LE(value, i * 8 + 4);
  }
  return program;
}

function stepsOf({ audit, refused, kept, preadv2, madvise }: Architecture): Step[] {
  // Behind the tests come two ends: allowed, and refused.
  const guards = [...guarded(preadv2, 5, HAS_BIT, NO_WAIT, 3), ...guarded(madvise, 2, EQUALS, PAGE_OUT, 0)];
  const numbers = [...refused, ...kept, ...COMMON].map((number) => [EQUALS, number] as const);
  const tests = [[AT_LEAST, OTHER_TABLE] as const, ...numbers];
  const steps = tests.map(([code, value], i): Step => [code, value, tests.length - i + guards.length]);
  const block: Step[] = [[LOAD, NUMBER], ...steps, ...guards, [RETURN, ALLOW], [RETURN, REFUSE]];
  return [[LOAD, AUDIT], [EQUALS, audit, 0, block.length], ...block];
}

/** Refuses a call by one of its arguments; `behind`: the steps from here to the two ends. */
function guarded(number: number, argument: number, code: number, value: number, behind: number): Step[] {
  return [
    [EQUALS, number, 0, 2],
    [LOAD, ARGUMENTS + 8 * argument],
    [code, value, behind + 1, behind],
  ];
}

/** Filter of this machine. */
const FILTER = callFilter(process.arch);

function filtered(descriptor: number): string[] {
  return FILTER === null ? [] : ["--seccomp", String(descriptor)];
}
