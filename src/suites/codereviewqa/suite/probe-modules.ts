import { resolve } from "node:path";
import { shellWord } from "../../../base/text.js";
import { CONFIG_FILE, readConfig } from "../../../model/config.js";
import type { ProbeFile } from "../../../question/own-probe.js";
import { RUN_HOLDER } from "../../../run/run-record.js";
import type { Ask } from "../../../trust/claim.js";
import type { RunFile } from "../record/run-file.js";

/** The modules of a run, and which of them are asked when no task is named. */
interface ProbeFiles {
  readonly files: readonly ProbeFile[];
  /** Count of files that were named for this run: the first ones. */
  readonly named: number;
}

interface Naming {
  /** `--probe`. */
  readonly named: readonly string[];
  /** The run that is resumed. */
  readonly resumed: Pick<RunFile, "probes"> | null;
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
  const own = [...new Set(named)].map((source) => fileOf(source, null));
  const isNamed = ({ path }: ProbeFile) => own.some((each) => each.path === path);
  if (resumed !== null) {
    const recorded = (resumed.probes ?? []).map(({ source, sha256 }) => fileOf(source, sha256));
    const strangers = recorded.filter((file) => !isNamed(file));
    await requireNamed(strangers, RUN_HOLDER, environment);
    return { files: recorded.length > 0 ? recorded : own, named: own.length };
  }
  const configured = (await configuredProbes(workingDirectory)).filter((file) => !isNamed(file));
  await requireNamed(configured, CONFIG_FILE, environment);
  return { files: [...own, ...configured], named: own.length };
}

/** @throws ProbeError `bad_input` for a module that a file names, and that is not trusted */
async function requireNamed(
  files: readonly ProbeFile[],
  holder: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  if (files.length === 0) return;
  const { requireTrust } = await import("../../../trust/require-trust.js");
  await requireTrust(
    files.flatMap((file) => askOf(file, holder)),
    environment,
  );
}

/** The modules that `probe.config.json` names, with the hash of what they are now: what is trusted is what is run. */
async function configuredProbes(workingDirectory: string): Promise<ProbeFile[]> {
  const { probes } = await readConfig(workingDirectory);
  if (probes.length === 0) return [];
  const { bundleModule } = await import("../../../trust/module-bundle.js");
  return Promise.all(
    probes.map(async (source) => {
      const path = resolve(workingDirectory, source);
      return { source, path, sha256: (await bundleModule(source, path)).sha256 };
    }),
  );
}

/** Asks for trust in the modules that `probe.config.json` and a run's record name. */
export async function probeAsks(workingDirectory: string, recorded: Pick<RunFile, "probes"> | null): Promise<Ask[]> {
  const configured = await configuredProbes(workingDirectory);
  const resumed = (recorded?.probes ?? []).map(({ source, sha256 }) => ({
    source,
    path: resolve(workingDirectory, source),
    sha256,
  }));
  return [
    ...configured.flatMap((file) => askOf(file, CONFIG_FILE)),
    ...resumed.flatMap((file) => askOf(file, RUN_HOLDER)),
  ];
}

function askOf({ source, path, sha256 }: ProbeFile, holder: string): Ask[] {
  const words = `--probe ${shellWord(source)}`;
  return sha256 === null ? [] : [{ claim: { kind: "module", path, sha256 }, name: source, holder, words }];
}
