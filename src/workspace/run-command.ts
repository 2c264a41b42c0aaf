import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Transform, Writable } from "node:stream";
import { isSystemError, messageOf } from "../base/errors.js";
import { MARK_VARIABLE, Watchdog } from "./watchdog.js";

/** A command, as it is started: never a line for a shell. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Killed after so long; `null`: no limit. */
  readonly limitMs: number | null;
  /** Its standard input; nothing without it. */
  readonly input?: string;
  /** Read by it from descriptors 3 and on, which it has only then. */
  readonly furtherInputs?: readonly (string | Uint8Array)[];
  /** Told its process id. */
  readonly onStart?: (pid: number) => void;
  /** A file that its standard output goes to, whole, such as an archive; then only errors are captured. */
  readonly outputFile?: string;
  /**
   * Treatment of processes outside its group:
   * - `sweep`: they are looked for at its end, and if this process is killed; the default
   * - `watch`: only if this process is killed, as of a cage, which ends all that is in it
   * - `none`: it starts none, and ends soon by itself
   */
  readonly strays?: "sweep" | "watch" | "none";
}

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

/** Result of a command. `output`: standard output and errors as they came, 1 MB at most: head and tail. */
export interface CommandResult {
  readonly end: "exited" | "killed" | "timed_out" | "aborted" | "not_started";
  /** `null` unless it exited. */
  readonly code: number | null;
  readonly output: string;
  readonly durationMs: number;
}

/** What shells exit with for a command that cannot be run. */
const CANNOT_RUN = 126;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables that can be set: other names, or a NUL, are of no use to a program. */
export function settable(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => NAME.test(name) && !value.includes("\0")));
}

/**
 * Runs a command in a process group of its own and waits for its end; the whole group is killed at the limit, at an abort,
 * and behind the command: nothing of it outlives this call.
 */
export async function runCommand(command: Command, signal: AbortSignal): Promise<CommandResult> {
  const started = performance.now();
  const output = new CapturedOutput();
  const result = (end: CommandResult["end"], code: number | null): CommandResult => ({
    end,
    code,
    output: output.text(),
    durationMs: performance.now() - started,
  });
  if (signal.aborted) return result("aborted", null);
  // More arguments than the system takes are no fault of the system's, such as all files that an agent left.
  const notStarted = (error: unknown) =>
    isSystemError(error, "E2BIG") ? result("exited", CANNOT_RUN) : result("not_started", null);
  const mark = randomUUID();
  const watchdog = command.strays === "none" ? null : new Watchdog(mark);
  let child: ChildProcess;
  try {
    child = start(command, mark);
  } catch (error) {
    // At once, such as for a NUL in it.
    output.add(Buffer.from(messageOf(error)));
    await watchdog?.release();
    return notStarted(error);
  }
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<Error>((resolve) => child.once("error", resolve));
    output.add(Buffer.from(messageOf(error)));
    await watchdog?.release();
    return notStarted(error);
  }
  watchdog?.watch(pid);
  command.onStart?.(pid);
  child.on("error", () => undefined);
  const written = capture(child, command, output);
  const stop = await untilEnd(child, pid, command, signal);
  killGroup(pid);
  await (command.strays === "watch" ? watchdog?.release() : watchdog?.sweep());
  await written;
  if (stop !== null) return result(stop, null);
  return child.exitCode === null ? result("killed", null) : result("exited", child.exitCode);
}

function start({ argv: [file, ...args], cwd, env, input, furtherInputs = [] }: Command, mark: string): ChildProcess {
  const child = spawn(file, args, {
    cwd,
    env: { ...env, [MARK_VARIABLE]: mark },
    stdio: [
      ...([input === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const),
      ...furtherInputs.map(() => "pipe" as const),
    ],
    detached: true,
  });
  child.stdin?.on("error", () => undefined);
  if (input !== undefined) child.stdin?.end(input);
  for (const [i, text] of furtherInputs.entries()) {
    const further = child.stdio[3 + i];
    if (!(further instanceof Writable)) continue;
    further.on("error", () => undefined);
    further.end(text);
  }
  return child;
}

/** Reads both outputs. Resolves when they are closed, or a moment after the command is gone: a stray may hold them open. */
function capture(child: ChildProcess, { outputFile }: Command, output: CapturedOutput): Promise<void> {
  const add = (chunk: Buffer) => output.add(chunk);
  child.stderr?.on("data", add);
  if (outputFile === undefined) child.stdout?.on("data", add);
  const file = outputFile === undefined ? null : createWriteStream(outputFile);
  const fileClosed = file === null ? Promise.resolve() : new Promise<void>((resolve) => file.once("close", resolve));
  if (file !== null) child.stdout?.pipe(upTo(MOST_FILE_BYTES)).pipe(file);
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("exit", () => {
      setTimeout(resolve, STRAY_MS).unref();
    });
  });
  return Promise.all([closed, fileClosed]).then(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
}

/** Most bytes of a standard output that goes to a file; the rest is dropped. */
const MOST_FILE_BYTES = 1024 * 1024 * 1024;

function upTo(mostBytes: number): Transform {
  let left = mostBytes;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const kept = chunk.subarray(0, left);
      left -= kept.length;
      done(null, kept);
    },
  });
}

/** Wait for streams that strays may keep open; output is read long before. */
const STRAY_MS = 2000;

/** Waits until the command exits or is to be stopped; then why, and the group is dead. */
function untilEnd(
  child: ChildProcess,
  pid: number,
  { limitMs }: Command,
  signal: AbortSignal,
): Promise<"timed_out" | "aborted" | null> {
  return new Promise((resolve) => {
    let why: "timed_out" | "aborted" | null = null;
    const stop = (reason: "timed_out" | "aborted") => {
      why ??= reason;
      killGroup(pid);
    };
    const onAbort = () => stop("aborted");
    const timer = limitMs === null ? null : setTimeout(() => stop("timed_out"), limitMs);
    signal.addEventListener("abort", onAbort, { once: true });
    child.once("exit", () => {
      if (timer !== null) clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(why);
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group lives.
  }
}

/** Bytes kept of the start and of the end of an output: 1 MB together. */
const KEPT = 512 * 1024;

/** Keeps the head and the tail of an output of any length. Memory: 1 MB and one chunk. */
export class CapturedOutput {
  readonly #most: number;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #total = 0;

  /** @param most bytes kept of each end */
  constructor(most: number = KEPT) {
    this.#most = most;
  }

  add(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const room = this.#most - this.#headBytes;
    const first = chunk.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(Buffer.from(first));
      this.#headBytes += first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest));
    this.#tailBytes += rest.length;
    if (this.#tailBytes > 2 * this.#most) this.#cut();
  }

  /** Bytes that came. */
  get total(): number {
    return this.#total;
  }

  /** Text that was kept, with a line about the part left out. */
  text(): string {
    this.#cut();
    const left = this.#total - this.#headBytes - this.#tailBytes;
    const between = left > 0 ? Buffer.from(`\n… ${left} bytes left out …\n`) : Buffer.alloc(0);
    return Buffer.concat([...this.#head, between, ...this.#tail]).toString("utf8");
  }

  #cut(): void {
    const all = Buffer.concat(this.#tail);
    const kept = all.subarray(Math.max(0, all.length - this.#most));
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }
}
