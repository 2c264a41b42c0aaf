import { badInput } from "../base/errors.js";
import { shellWord } from "../base/text.js";
import { flagOf } from "../console/option.js";
import { RUN_HOLDER } from "../run/run-record.js";
import type { Cage } from "../workspace/cage.js";
import type { TrialValues } from "./trial-options.js";
import type { TrialRequest } from "./trial-run.js";

/** Options that name files with code: tests, clones, patches, calls of tools; `repo` is of the suites that have it. */
type CodeOption = "data" | "repo" | "patches" | "agent" | "replies";
type CodeHolders = Partial<Readonly<Record<CodeOption, string>>>;

/**
 * To be called before anything of a run is done. In a cage, code may be anybody's. Without one it has the user's rights: a
 * run that was found neither takes the cage away nor says whose code that is, and what the command line names is run where
 * it also says `--sandbox none`.
 * @throws ProbeError `bad_input` that says what to name again
 */
export function requireNamedCode({ values, resumed, named }: TrialRequest, cage: Cage): void {
  if (cage.kind !== "none") {
    if (resumed?.sandbox.kind !== "none") return;
    throw badInput(
      `Expected --sandbox none again, found it in ${RUN_HOLDER} alone: a file that was found takes no sandbox away.`,
    );
  }
  const holders = codeHolders(values);
  const found = Object.entries(holders).filter(([name]) => resumed !== null && !named.has(name));
  if (found.length > 0) {
    const why = cage.reason === null ? "" : ` (${cage.reason})`;
    throw badInput(
      `Expected a sandbox for code that ${RUN_HOLDER} names, found none${why}: it would have your rights. Look at it, then ` +
        `name it again, ${wordsOf(Object.fromEntries(found)).join(" ")}, or install bubblewrap or podman.`,
    );
  }
  const isModel = values.agentCmd === null && values.patches === null && values.agent === null;
  requireSandbox(
    [...wordsOf(holders), ...(values.agentCmd === null ? [] : ["--agent-cmd"]), ...(isModel ? ["--model"] : [])],
    cage,
  );
}

/**
 * Refuses to run code of others where there is no cage and nobody said that there is to be none.
 * @param whose options that name the code
 * @throws ProbeError `bad_input`
 */
export function requireSandbox(whose: readonly string[], { kind, reason }: Cage): void {
  if (kind !== "none" || reason === null || whose.length === 0) return;
  throw badInput(
    `Expected a sandbox for the code of ${whose.join(" ")}, found none (${reason}): it would have your rights. Install ` +
      "bubblewrap or podman, or say --sandbox none.",
  );
}

/** Those of them that were named. */
export function codeOf(values: Readonly<Record<"data" | "repo", unknown>>): CodeHolders {
  const { data, repo } = values;
  return { ...(typeof data === "string" && { data }), ...(typeof repo === "string" && { repo }) };
}

function codeHolders(values: TrialValues & { readonly repo?: unknown }): CodeHolders {
  const { data, repo = null, patches, agent, replies, replay } = values;
  return {
    ...codeOf({ data, repo }),
    ...(patches !== null && { patches }),
    ...(agent?.endsWith(".jsonl") === true && { agent }),
    ...(replies !== null && replay !== "off" && { replies }),
  };
}

export function wordsOf(holders: CodeHolders): string[] {
  return Object.entries(holders).map(([name, file]) => `--${flagOf(name)} ${shellWord(file)}`);
}
