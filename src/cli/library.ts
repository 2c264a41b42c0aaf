import {
  type ComparisonReport,
  type ComparisonRequest,
  compareRuns as compareAny,
} from "../run/compare/compare-runs.js";
import { mergeRuns as mergeAny } from "../run/folder/merge-runs.js";
import { type ScoredRun, scoreFolder, suiteOfRun } from "../run/score-folder.js";
import { SUITES } from "../suites/registry.js";

export type { ComparisonReport, ComparisonRequest, RunComparison } from "../run/compare/compare-runs.js";

/**
 * Compares finished runs of one suite over the same items, item by item. Reads journals, writes nothing.
 * @throws ProbeError `bad_input` when a run is unfinished or named twice, or the runs asked different questions
 */
export function compareRuns(request: ComparisonRequest): Promise<ComparisonReport> {
  return compareAny(SUITES, request);
}

/**
 * Computes what a run came to from its journals, and writes its tables, `run.json` and `datapackage.json`. Makes no model
 * call.
 * @throws ProbeError `bad_input` when the folder holds no run, or a journal is damaged
 */
export async function scoreRun(folder: string): Promise<ScoredRun> {
  const { suite } = await suiteOfRun(SUITES, folder);
  return scoreFolder(suite, folder);
}

/**
 * Joins the shares of a split run (`--shard`) into the run that they are together, in a new folder, and scores it.
 * @param folders one of each share, in any order
 * @throws ProbeError `bad_input` naming what does not belong together, is missing or is not finished
 */
export function mergeRuns(folders: readonly string[], out: string): Promise<ScoredRun> {
  return mergeAny(SUITES, { folders, out, now: () => new Date() });
}
