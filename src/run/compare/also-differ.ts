import { shorten } from "../../base/text.js";
import type { Block } from "../../report/block.js";
import { notice } from "../../report/make-block.js";
import type { RunDifference } from "./compare-runs.js";

/** Longest value that is shown of a setting. */
const LONGEST = 60;

/** Settings in which two runs differ besides what is compared; nothing without any. */
export function alsoDifferBlocks(differences: readonly RunDifference[]): Block[] {
  if (differences.length === 0) return [];
  const shown = differences.map(({ name, baseline, candidate }) => `${name} ${show(baseline)} / ${show(candidate)}`);
  return [notice("warning", `The runs also differ in: ${shown.join("; ")}`)];
}

function show(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "none", LONGEST);
}
