import { join } from "node:path";
import { writeDataPackage, writeTable } from "../store/csv.js";
import { JournalIndex } from "../store/journal/journal-index.js";
import { markUnfinished } from "../verdict/verdict.js";
import { ANY_RUN, readRun, runFileOf, runFingerprint } from "./folder/run-folder.js";
import type { RunRecord } from "./run-record.js";
import type { AnySuite, StoredRun, Suite, SuiteScore, WriteTable } from "./suite.js";
import { findSuite, type SuiteEntry } from "./suite-entry.js";

/** A run as its journals tell it. */
export interface ScoredRun {
  readonly suite: AnySuite;
  readonly folder: string;
  readonly run: RunRecord;
  readonly score: SuiteScore;
}

/**
 * Scores a run from its journals, and writes its tables, `run.json` and `datapackage.json`. Makes no model
 * call.
 * @throws ProbeError `bad_input` when the folder holds no run of the suite, or a journal is damaged
 */
export async function scoreFolder(suite: AnySuite, folder: string): Promise<ScoredRun> {
  const stored = await storedRun(suite, folder);
  const score = await scoreStored(suite, stored, (table, rows) => writeTable(join(folder, table.file), table, rows));
  await runFileOf(suite).write(folder, score.run);
  await writeDataPackage(folder, score.run.run_id, score.tables);
  return { suite, folder, run: score.run, score };
}

/** Scores a run from its journals; writes nothing. */
export async function readScore(suite: AnySuite, folder: string): Promise<ScoredRun> {
  const stored = await storedRun(suite, folder);
  const score = await scoreStored(suite, stored, passBy);
  return { suite, folder, run: score.run, score };
}

async function scoreStored(suite: AnySuite, stored: StoredRun, write: WriteTable): Promise<SuiteScore> {
  const score = await suite.score(stored, write);
  return { ...score, verdicts: markUnfinished(score.verdicts, score.unfinished) };
}

/** Lets the rows of a table pass by. */
export const passBy: WriteTable = async (_, rows) => {
  for await (const _row of rows);
};

/**
 * A run in a folder, to be scored.
 * @throws ProbeError `bad_input` when there is none of the suite
 */
export async function storedRun<Values, Run extends RunRecord>(
  suite: Suite<Values, Run>,
  folder: string,
): Promise<StoredRun<Run>> {
  const run = await readRun(suite, folder);
  const journals = suite.journals(run);
  const identity = { fingerprint: runFingerprint(suite, run) };
  return {
    folder,
    run,
    async *records(codec) {
      const planned = journals.find((journal) => journal.codec.file === codec.file);
      if (planned === undefined) return;
      const index = await JournalIndex.build(join(folder, codec.file), codec, {
        plan: planned.plan,
        identity,
        isReadLater: true,
      });
      yield* index.byItem();
    },
  };
}

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
