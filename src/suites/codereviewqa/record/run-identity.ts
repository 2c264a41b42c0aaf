import { runFingerprint } from "../../../run/run-folder.js";
import { taskOfProbe } from "../../../verdict/task-link.js";
import type { RunFile } from "./run-file.js";

/** What a run asks about, and by which probes of one's own: with model, parameters and prompts it makes it what it is. */
export function dataOf({ dataset: { source: _, hunks_of_tasks: __, ...dataset }, probes = [] }: RunFile) {
  // Nothing is added where there are none: a run has the fingerprint it had before there were any.
  return { ...dataset, ...Object.fromEntries(probes.map(({ task, sha256 }) => [`probe ${task}`, sha256])) };
}

/** Gives what an example is one case of: the task that it is a hunk of, where the examples of a run are such; else itself. */
export type CaseOf = (exampleId: string) => string;

/** See `CaseOf`; `null`: each example of the run is a case of its own. */
export function casesOf({ dataset }: Pick<RunFile, "dataset">): CaseOf | null {
  return dataset.hunks_of_tasks === true ? (exampleId) => taskOfProbe(exampleId) ?? exampleId : null;
}

/** SHA-256 of what makes a run what it is. */
export function runFingerprintOf(run: RunFile): string {
  return runFingerprint({ data: dataOf }, run);
}
