import { ANY_RUN, readRun } from "./run-folder.js";
import type { RunRecord } from "./run-record.js";
import type { AnySuite } from "./suite.js";
import { findSuite, type SuiteEntry } from "./suite-entry.js";

/**
 * The run in a folder, and the suite that it is of.
 * @throws ProbeError `bad_input` when there is none, or no such suite
 */
export async function suiteOfRun(
  suites: readonly SuiteEntry[],
  folder: string,
): Promise<{ readonly entry: SuiteEntry; readonly suite: AnySuite; readonly run: RunRecord }> {
  const { suite: name } = await ANY_RUN.read(folder);
  const entry = findSuite(suites, name);
  const suite = await entry.load();
  return { entry, suite, run: await readRun(suite, folder) };
}
