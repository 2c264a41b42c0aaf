import { type ChildProcess, spawn } from "node:child_process";

/**
 * Reads the group that it watches, then waits for a word, or until its input ends, which it does when this process is gone,
 * however that ended. `released`: it ends. Else it kills the group, unless it has `ended`, and, where there is /proc, every
 * process whose environment holds the mark `$1`: also those that left the group, and one that was only just being started.
 * A process that is just becoming another program shows no environment, on a busy machine for long: it looks until two
 * rounds in a row find neither a marked one nor one without environment that began after it, which it waits for, not for ever.
 */
const SCRIPT = `
began() {
  { read -r stat < "$proc/$1/stat"; } 2>/dev/null || return 1
  set -- \${stat##*) }
  started=\${20}
}
becoming() {
  for environ in $(grep -Ls . "$proc"/[0-9]*/environ 2>/dev/null); do
    pid=\${environ%/environ}
    pid=\${pid##*/}
    [ -e "$proc/$pid/exe" ] && began "$pid" && [ "$started" -ge "$own" ] && return
  done
  return 1
}
sweep() {
  quiet=0
  waited=0
  while [ "$waited" -lt 150 ]; do
    found=
    for environ in $(grep -lsF -- "$1" "$proc"/[0-9]*/environ 2>/dev/null); do
      pid=\${environ%/environ}
      pid=\${pid##*/}
      [ "$pid" = $$ ] || { kill -KILL "$pid" 2>/dev/null && found=1; }
    done
    waited=$((waited + 1))
    [ -z "$found" ] || { quiet=0; continue; }
    if becoming; then quiet=0; else quiet=$((quiet + 1)); fi
    [ "$quiet" -lt 2 ] || return
    sleep 0.02
  done
}
proc=$2
began self && own=$started
read -r group
read -r word
[ "$word" = released ] && exit 0
[ "$word" = ended ] || [ -z "$group" ] || kill -KILL -- "-$group" 2>/dev/null
[ -n "$own" ] || exit 0
sweep "$1"
[ "$word" = ended ] || { sleep 0.3; sweep "$1"; }
`;

/** Name of the variable that every process of a command inherits. */
export const MARK_VARIABLE = "PROBE_COMMAND";

/** Sees to it that a command leaves no process behind, also when this one is killed. Starts before the command does. */
export class Watchdog {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  /**
   * @param mark what the command's environment says of it; of no other process
   * @param proc where the kernel shows processes
   */
  constructor(mark: string, proc = "/proc") {
    this.#child = spawn("/bin/sh", ["-c", SCRIPT, "watchdog", `${MARK_VARIABLE}=${mark}`, proc], {
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

  /** @param group process id of the command's group */
  watch(group: number): void {
    this.#child.stdin?.write(`${group}\n`);
  }

  /** Kills what the command left outside its group, and ends. Resolves when that is done. */
  async sweep(): Promise<void> {
    this.#child.stdin?.end("ended\n");
    await this.#ended;
  }

  /** Ends; nothing is left that it has not seen to, such as of a command in a cage. */
  async release(): Promise<void> {
    // The first line is the group, where none was told yet.
    this.#child.stdin?.end("released\nreleased\n");
    await this.#ended;
  }
}
