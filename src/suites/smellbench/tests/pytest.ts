import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../../../workspace/command.js";

/** A pytest that can be run, also where a home folder is hidden. */
export interface Pytest {
  readonly argv: readonly [string, ...string[]];
  /** Folders that it needs. */
  readonly reads: readonly string[];
  readonly version: string;
}

const LOOK =
  "import sys, pytest; print(sys.executable); print(sys.prefix); print(sys.base_prefix); print(pytest.__version__)";
const LIMIT_MS = 30_000;

/** The pytest of the search path's Python; else why there is none. */
export async function findPytest(): Promise<Pytest | string> {
  const { code, output } = await runCommand(
    {
      // Without packages of the user's home, which tests do not see.
      argv: ["python3", "-s", "-c", LOOK],
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: process.env["HOME"] ?? "/" },
      limitMs: LIMIT_MS,
      strays: "none",
    },
    new AbortController().signal,
  );
  const [executable, prefix, base, version] = output.trim().split("\n");
  if (code !== 0 || executable === undefined || version === undefined)
    return "no pytest for the python3 of the search path";
  const script = join(dirname(executable), "pytest");
  return {
    argv: existsSync(script) ? [script] : [executable, "-m", "pytest"],
    // What belongs to the system is seen anyway.
    reads: [...new Set([prefix, base])].filter((path) => path !== undefined && path !== "/usr").map(String),
    version,
  };
}
