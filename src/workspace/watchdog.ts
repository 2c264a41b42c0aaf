import { type ChildProcess, spawn } from "node:child_process";
import { platform } from "node:os";

/**
 * Waits until its input ends, which it does when this process is gone, however that ended, or says `done`; then kills the
 * group `$1` and, where there is /proc, every process whose environment holds the mark `$2`: also those that left the group.
 */
const SCRIPT = `
read -r word
[ "$word" = done ] || kill -KILL -- "-$1" 2>/dev/null
[ -d /proc/self ] || exit 0
for round in 1 2 3; do
  found=
  for environ in $(grep -lsF -- "$2" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${environ#/proc/}
    pid=\${pid%/environ}
    [ "$pid" = $$ ] || { kill -KILL "$pid" 2>/dev/null && found=1; }
  done
  [ -n "$found" ] || exit 0
done
`;

/** Of the variable that every process of a command inherits. */
export const MARK_VARIABLE = "PROBE_COMMAND";

/** Sees to it that a command leaves no process behind, also when this one is killed. */
export class Watchdog {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  /**
   * @param group process id of the command's group
   * @param mark what its environment says of it; of no other process
   */
  constructor(group: number, mark: string) {
    this.#child = spawn("/bin/sh", ["-c", SCRIPT, "watchdog", String(group), `${MARK_VARIABLE}=${mark}`], {
      stdio: ["pipe", "ignore", "ignore"],
      // A group of its own: what stops this program in a terminal does not stop it.
      detached: true,
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
    });
    this.#child.stdin?.on("error", () => undefined);
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("close", () => resolve());
    });
  }

  /** Kills what the command left outside its group, and ends. Resolves when that is done. */
  async sweep(): Promise<void> {
    this.#child.stdin?.end("done\n");
    await this.#ended;
  }
}

/** Whether processes that leave their group can be found again on this system. */
export const findsStrays: boolean = platform() === "linux";
