import { ProbeError } from "../base/errors.js";
import { findBubblewrap, inBubblewrap } from "./bubblewrap.js";
import { watchLimits } from "./limits.js";
import type { Permissions } from "./permissions.js";
import { type Command, type CommandResult, runCommand } from "./run-command.js";

/** Choice of the sandbox: bubblewrap where there is one that works, always, or never. */
export type Sandbox = "auto" | "bwrap" | "none";

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
  if ("version" in found) {
    const { version } = found;
    return { kind: "bwrap", reason: null, version, run: limited((...asked) => inBubblewrap(...asked, found, hidden)) };
  }
  if (sandbox === "auto") return uncaged(found.reason);
  throw new ProbeError(
    "bad_input",
    `Expected bubblewrap for --sandbox bwrap, found ${found.reason}. Install the package bubblewrap, or use --sandbox none.`,
  );
}

function uncaged(reason: string | null): Cage {
  return { kind: "none", reason, version: null, run: limited((command) => command) };
}

/** Runs what a command becomes, as long as it takes no more than it may. */
function limited(become: (command: Command, permissions: Permissions) => Command): Cage["run"] {
  return async (command, permissions, signal) => {
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
    const caged = { ...become(command, permissions), onStart };
    const result = await runCommand(caged, AbortSignal.any([signal, over.signal])).finally(() => watch.end());
    if (why === null || signal.aborted) return result;
    return { ...result, end: "killed", code: null, output: `${result.output}\nStopped: it took ${why}.\n` };
  };
}
