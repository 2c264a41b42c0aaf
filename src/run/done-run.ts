import { ProbeError } from "../base/errors.js";
import { differences } from "../store/identity.js";
import { identityOf, runFileOf } from "./run-folder.js";
import { newRecord } from "./run-suite.js";
import { readScore, type ScoredRun } from "./score-folder.js";
import type { AnySuite, SuiteRequest } from "./suite.js";

/**
 * The run that is asked for, where a folder holds it finished and with no record that failed; `null`: something is left to
 * ask. Opens no model: that of the run is taken by its name.
 * @throws ProbeError `bad_input` when it holds another run, naming the differences
 */
export async function doneRun(
  suite: AnySuite,
  request: SuiteRequest<unknown>,
  folder: string,
): Promise<ScoredRun | null> {
  const run = await runFileOf(suite).find(folder);
  if (run === null) return null;
  const plan = await suite.plan(request);
  const asked = newRecord(suite, request, plan, { identity: run.model.identity }, new Date(run.times.created_at));
  const found = differences(identityOf(suite, run), identityOf(suite, asked), "the run");
  if (found.length > 0) {
    throw new ProbeError(
      "bad_input",
      `Expected the run in ${folder} to be the one that is asked for, found a different one:\n` +
        `${found.map((line) => `  ${line}`).join("\n")}\nMove that folder away, or name another with --out.`,
    );
  }
  if (run.status !== "complete") return null;
  const scored = await readScore(suite, folder);
  return scored.score.unfinished === null && scored.score.failed === 0 ? scored : null;
}
