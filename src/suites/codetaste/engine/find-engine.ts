import { ProbeError } from "../../../base/errors.js";
import { programEngine } from "./program-engine.js";
import { scanTree } from "./regex/scan-tree.js";
import type { EngineName, RuleEngine } from "./rule-engine.js";

/** That a regular expression may take in a file. */
export const REGEX_LIMIT_MS = 10_000;

const PROGRAMS = ["opengrep", "semgrep"] as const;

/**
 * The engine that is asked for; `auto`: the first of Opengrep, Semgrep and the built-in one.
 * @throws ProbeError `bad_input` when a program is asked for and there is none
 */
export async function findEngine(name: EngineName, ignoreFile: string | null): Promise<RuleEngine> {
  const wanted = name === "auto" ? PROGRAMS : PROGRAMS.filter((program) => program === name);
  for (const program of wanted) {
    const engine = await programEngine(program, ignoreFile);
    if (engine !== null) return engine;
  }
  if (name === "auto" || name === "regex") return regexEngine(REGEX_LIMIT_MS);
  throw new ProbeError(
    "bad_input",
    `Expected ${name} on the search path for --rule-engine ${name}, found none that works. Install it, or use --rule-engine regex.`,
  );
}

/** The built-in engine: regular expressions alone. */
export function regexEngine(limitMs: number): RuleEngine {
  return {
    name: "regex",
    version: "1",
    scan: (set, tree, { signal }) => scanTree(set, { tree, limitMs, signal }),
  };
}
