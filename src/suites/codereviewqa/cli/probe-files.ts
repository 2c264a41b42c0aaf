import { delimiter, resolve } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { printable } from "../../../base/text.js";
import { CONFIG_FILE, readConfig } from "../../../model/config.js";
import type { ProbeFile } from "../question/own/load.js";
import type { RunArguments } from "./run-arguments.js";

/** The environment variable that lists the files (absolute) that a `probe.config.json` may name. */
export const TRUST_VARIABLE = "PROBE_TRUST";

/** The modules of a run, and which of them are asked when no task is named. */
export interface ProbeFiles {
  readonly files: readonly ProbeFile[];
  /** Of the files, those that were named for this run: the first ones. */
  readonly named: number;
}

/**
 * The modules with probes of one's own: those of `--probe` or of the run that is resumed, then those that
 * `probe.config.json` names. What a file in the working directory names is run only if it was named on the command line
 * too, or is trusted.
 * @throws ProbeError `bad_input` for a file that is not trusted
 */
export async function probeFiles(
  { probe, recordedProbes }: Pick<RunArguments, "probe" | "recordedProbes">,
  workingDirectory: string,
  environment: NodeJS.ProcessEnv,
): Promise<ProbeFiles> {
  const fileOf = (source: string, sha256: string | null = null): ProbeFile => ({
    source,
    path: resolve(workingDirectory, source),
    sha256,
  });
  const named =
    probe === undefined
      ? (recordedProbes ?? []).map(({ source, sha256 }) => fileOf(source, sha256))
      : [...new Set([probe].flat())].map((source) => fileOf(source));
  if (recordedProbes !== undefined) return { files: named, named: named.length };
  const configured = (await readConfig(workingDirectory)).probes
    .map((source) => fileOf(source))
    .filter(({ path }) => !named.some((each) => each.path === path));
  const trusted = (environment[TRUST_VARIABLE] ?? "").split(delimiter);
  const stranger = configured.find(({ path }) => !trusted.includes(path));
  if (stranger !== undefined) throw notTrusted(stranger);
  return { files: [...named, ...configured], named: named.length };
}

function notTrusted({ source, path }: ProbeFile): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected probes that were named on the command line, found ${printable(source, 1000)} in ${CONFIG_FILE}: a file in ` +
      `the working directory does not run code by itself. Name it with --probe ${printable(source, 1000)}, or trust it: ` +
      `${TRUST_VARIABLE}=${printable(path, 1000)}.`,
  );
}
