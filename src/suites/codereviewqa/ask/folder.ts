import { chooseFolder, type FolderWork, type WorkFolder } from "../../../store/folder/work-folder.js";
import { runFacts, runFingerprint } from "../record/identity.js";
import { RUN_FILE, type RunFile } from "../record/run-file.js";

/** Runs, as folders hold them. */
export const RUN_WORK: FolderWork<RunFile> = {
  name: "run",
  one: "a run",
  file: RUN_FILE,
  identityOf: runFacts,
  isComplete: ({ status }) => status === "complete",
};

/** A run's folder, and the run that was found in it. */
export type RunFolder = WorkFolder<RunFile>;

/**
 * The folder of this run: `named` (`--out`, `--resume`), else that of an unfinished run of the same command under
 * `results/`, else a new one.
 * @throws ProbeError `bad_input` when the folder holds another run, naming the differences, or other files
 */
export function chooseRunFolder(asked: RunFile, named: string | null): Promise<RunFolder> {
  return chooseFolder(RUN_WORK, { record: asked, id: asked.run_id, fingerprint: runFingerprint(asked) }, named);
}
