import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { requireEmptyFolder } from "../../../store/empty-folder.js";
import { takeLock } from "../../../store/lock.js";
import { fingerprint, runDifferences } from "../record/identity.js";
import { findRunFile, type RunFile } from "../record/run-file.js";

/** Where runs go unless `--out` says otherwise. */
export const RESULTS_FOLDER = "results";

/** A run's folder, and the run that was found in it. */
export interface RunFolder {
  readonly path: string;
  /** What is recorded there already; `null` for a new run. */
  readonly recorded: RunFile | null;
}

/**
 * The folder of this run: `named` (`--out`, `--resume`), else that of an unfinished run of the same command under
 * `results/`, else a new one.
 * @throws ProbeError `bad_input` when the folder holds another run, naming the differences, or other files
 */
export async function chooseRunFolder(asked: RunFile, named: string | null): Promise<RunFolder> {
  if (named !== null) return checkNamedFolder(asked, named);
  const unfinished = await findUnfinished(asked);
  return unfinished ?? { path: join(RESULTS_FOLDER, asked.run_id), recorded: null };
}

async function checkNamedFolder(asked: RunFile, path: string): Promise<RunFolder> {
  const recorded = await findRunFile(path);
  if (recorded === null) {
    await requireEmptyFolder(path, "a run");
    return { path, recorded: null };
  }
  const differences = runDifferences(recorded, asked);
  if (differences.length === 0) return { path, recorded };
  throw new ProbeError(
    "bad_input",
    `Expected the run in ${path} to be the one this command asks for, found a different one:\n` +
      `${differences.map((line) => `  ${line}`).join("\n")}\nNothing was changed. Name another folder with --out.`,
  );
}

async function findUnfinished(asked: RunFile): Promise<RunFolder | null> {
  const names = await readdir(RESULTS_FOLDER).catch(() => []);
  const suffix = `-${fingerprint(asked)}`;
  for (const name of names
    .filter((candidate) => candidate.endsWith(suffix))
    .sort()
    .reverse()) {
    const path = join(RESULTS_FOLDER, name);
    const recorded = await findRunFile(path).catch(() => null);
    if (recorded !== null && recorded.status !== "complete" && runDifferences(recorded, asked).length === 0) {
      return { path, recorded };
    }
  }
  return null;
}

/**
 * Takes the folder for this process, so that two runs never write the same journal.
 * @returns gives the folder back
 * @throws ProbeError `bad_input` when a living process has it
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  await mkdir(path, { recursive: true });
  return takeLock(join(path, "run.lock"), { name: path, advice: "name another folder with --out" });
}
