import { lstat, mkdir, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { badInput } from "../base/errors.js";
import { MOST_REPORT_BYTES, readSealed, sealedText } from "../workspace/sealed-files.js";
import { removeTree } from "../workspace/tree-files.js";
import type { TreePatch } from "../workspace/workspace.js";
import type { Grade } from "./bench-task.js";
import type { TrialRecord } from "./trial-records.js";
import { isControl, type TrialRun } from "./trial-run.js";

/** Folder in a run's folder: the files of its trials. */
export const ARTIFACTS_FOLDER = "artifacts";

/** One trial of a run. */
type TrialKey = Pick<TrialRecord, "agent" | "condition" | "task_id" | "trial">;

/**
 * The folder with the files of a trial, `artifacts/<task>/<condition>/<trial>`; that of a control, which has one trial alone,
 * is called by its name.
 */
export function artifactsOf(folder: string, run: Pick<TrialRun, "agents">, key: TrialKey): string {
  const name = isControl(run, key.agent) ? key.agent.replace("scripted:", "") : String(key.trial);
  return join(folder, ARTIFACTS_FOLDER, key.task_id, key.condition, name);
}

/** The patch of a trial as text, empty where it left none, and its report as its suite wrote it. */
export async function readArtifacts(
  folder: string,
  run: Pick<TrialRun, "agents">,
  key: TrialKey,
): Promise<{ readonly patch: string; readonly report: unknown }> {
  const place = artifactsOf(folder, run, key);
  const patch = (await sealedText(place, PATCH_FILE)) ?? "";
  const report = (await readSealed({ root: place, path: REPORT_FILE })).toString("utf8");
  return { patch, report: JSON.parse(report) };
}

/** The patch of a trial, in its folder. */
export const PATCH_FILE = "patch.diff";
/** Report of its suite. */
export const REPORT_FILE = "report.json";
/** Output of the grading. */
export const OUTPUT_FILE = "output.txt";
/** Entries of what happened, one a line. */
export const TRANSCRIPT_FILE = "transcript.jsonl";

/**
 * Empties the folder of a trial that is about to be made.
 * @throws ProbeError `bad_input` where a link of a run that was received leads elsewhere
 */
export async function clearArtifacts(folder: string): Promise<void> {
  const parts = folder.split(sep);
  for (let depth = parts.lastIndexOf(ARTIFACTS_FOLDER) + 1; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join(sep);
    if ((await lstat(above).catch(() => null))?.isDirectory() === false)
      throw badInput(`Expected a folder of this run at ${above}, found a link or a file. Remove it.`);
  }
  await removeTree(folder);
  await mkdir(folder, { recursive: true });
}

/** Writes what happened in a trial, an entry a line: all of them may be more than one text can hold. */
export async function writeTranscript(folder: string, notes: readonly object[]): Promise<void> {
  await writeFile(join(folder, TRANSCRIPT_FILE), transcriptLines(notes));
}

function* transcriptLines(notes: readonly object[]): Generator<string> {
  for (const note of notes) yield `${JSON.stringify(note)}\n`;
}

/**
 * Writes the patch of a trial, and the report and output of its grading.
 * @throws where the report, in which names of files and tests are an agent's, has more than is read again
 */
export async function writeArtifacts(folder: string, patch: TreePatch, grade: Grade): Promise<void> {
  if (patch.status === "made") await writeFile(join(folder, PATCH_FILE), patch.bytes);
  if (grade.status !== "graded") return;
  const report = Buffer.from(`${JSON.stringify(grade.report, null, 2)}\n`);
  if (report.length > MOST_REPORT_BYTES)
    throw new Error(`Expected a report of at most ${MOST_REPORT_BYTES} bytes, found ${report.length}.`);
  await writeFile(join(folder, REPORT_FILE), report);
  await writeFile(join(folder, OUTPUT_FILE), grade.output);
}
