import { runFingerprint } from "../../../run/run-folder.js";
import type { RunFile } from "./run-file.js";

/** What a run asks about, and by which probes of one's own: with model, parameters and prompts it makes it what it is. */
export function dataOf({ dataset: { source: _, ...dataset }, probes = [] }: RunFile) {
  // Nothing is added where there are none: a run has the fingerprint it had before there were any.
  return { ...dataset, ...Object.fromEntries(probes.map(({ task, sha256 }) => [`probe ${task}`, sha256])) };
}

/** SHA-256 of what makes a run what it is. */
export function runFingerprintOf(run: RunFile): string {
  return runFingerprint({ data: dataOf }, run);
}
