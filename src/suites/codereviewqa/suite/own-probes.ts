import { delimiter, resolve } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { CONFIG_FILE, readConfig } from "../../../model/config.js";
import type { ProbeFile } from "../question/own/load.js";
import type { RunFile } from "../record/run-file.js";

/** The environment variable that lists the files (absolute) that a `probe.config.json` or a `run.json` may name. */
const TRUST_VARIABLE = "PROBE_TRUST";

/** The modules of a run, and which of them are asked when no task is named. */
export interface ProbeFiles {
  readonly files: readonly ProbeFile[];
  /** Of the files, those that were named for this run: the first ones. */
  readonly named: number;
}

interface Naming {
  /** `--probe`. */
  readonly named: readonly string[];
  /** The run that is resumed. */
  readonly resumed: RunFile | null;
  readonly workingDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * The modules with probes of one's own: those of `--probe`, those of the run that is resumed, and those that
 * `probe.config.json` names. What a file names is run only if it was named on the command line too, or is trusted.
 * @throws ProbeError `bad_input` for a file that is not
 */
export async function probeFiles({ named, resumed, workingDirectory, environment }: Naming): Promise<ProbeFiles> {
  const fileOf = (source: string, sha256: string | null): ProbeFile => ({
    source,
    path: resolve(workingDirectory, source),
    sha256,
  });
  const trusted = (environment[TRUST_VARIABLE] ?? "").split(delimiter);
  const own = [...new Set(named)].map((source) => fileOf(source, null));
  const isNamed = ({ path }: ProbeFile) => own.some((each) => each.path === path);
  if (resumed !== null) {
    const recorded = (resumed.probes ?? []).map(({ source, sha256 }) => fileOf(source, sha256));
    requireTrust(
      recorded.filter((file) => !isNamed(file)),
      trusted,
      "the run's run.json",
    );
    return { files: recorded.length > 0 ? recorded : own, named: own.length };
  }
  const config = await readConfig(workingDirectory);
  const configured = config.probes.map((source) => fileOf(source, null)).filter((file) => !isNamed(file));
  requireTrust(configured, trusted, CONFIG_FILE);
  return { files: [...own, ...configured], named: own.length };
}

function requireTrust(files: readonly ProbeFile[], trusted: readonly string[], holder: string): void {
  const stranger = files.find(({ path }) => !trusted.includes(path));
  if (stranger === undefined) return;
  const { source, path } = stranger;
  throw new ProbeError(
    "bad_input",
    `Expected probes that were named on the command line, found ${source} in ${holder}: a file that was found does not ` +
      `run code by itself. Name it with --probe ${source}, or trust it: ${TRUST_VARIABLE}=${path}.`,
  );
}
