import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { sum } from "simple-statistics";
import { ProbeError } from "../../base/errors.js";
import { onDisk } from "../../store/disk-fault.js";
import { requireEmptyFolder, temporaryBeside } from "../../store/folder/own-files.js";
import { lockFolder } from "../../store/folder/work-folder.js";
import { runFileOf, runFingerprint, runId, wholeRun } from "../run-folder.js";
import type { RunRecord } from "../run-record.js";
import { type ScoredRun, scoreFolder } from "../score-folder.js";
import type { AnySuite } from "../suite.js";
import type { SuiteEntry } from "../suite-entry.js";
import { type JoinedRun, joinBesides, joinJournals } from "./join-journals.js";
import { type Part, readParts } from "./parts.js";

/** What is to be merged, and where to. */
export interface MergeRequest {
  /** Of the shares of one run, in any order. */
  readonly folders: readonly string[];
  /** The whole run's folder: new, or empty. */
  readonly out: string;
  /** The time of day. */
  readonly now: () => Date;
}

/**
 * Joins the shares of a split run into the run that they are together, and scores it: its tables are those of a run that
 * was never split, but for the columns that name the run or a time. Makes no model call; the shares are left as they are.
 * @throws ProbeError `bad_input` naming what does not belong together, is missing or is not finished
 */
export async function mergeRuns(
  suites: readonly SuiteEntry[],
  { folders, out, now }: MergeRequest,
): Promise<ScoredRun> {
  await requireEmptyFolder(out, "a run");
  const { suite, parts } = await readParts(suites, folders);
  const record = mergedRecord(suite, parts, now());
  await onDisk(out, () => mkdir(dirname(resolve(out)), { recursive: true }));
  const folder = await temporaryBeside(resolve(out));
  await onDisk(out, () => mkdir(folder));
  try {
    await join(suite, record, { parts, folder, fingerprint: runFingerprint(suite, record) });
    // A kill before this leaves no run; behind it, a whole one.
    await onDisk(out, () => rename(folder, out));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const unlock = await lockFolder(out);
  const scored = await scoreFolder(suite, out).finally(unlock);
  if (scored.score.unfinished === null) return scored;
  await rm(out, { recursive: true, force: true });
  throw new ProbeError(
    "bad_input",
    `Expected the shares to be all of a run, found ${scored.score.unfinished}. Ask the shares again that lack it.`,
  );
}

async function join(suite: AnySuite, record: RunRecord, joined: JoinedRun): Promise<void> {
  for (const { codec, plan } of suite.journals(record)) await joinJournals(joined, codec, plan);
  for (const part of suite.besides ?? []) await joinBesides(joined, part);
  await runFileOf(suite).write(joined.folder, record);
}

/** The record of the whole run: what the shares agree on, and what they add up to. */
function mergedRecord(suite: AnySuite, parts: readonly [Part, ...Part[]], now: Date): RunRecord {
  const runs = parts.map(({ run }) => run);
  const evaluated = runs.map(({ tokens }) => tokens.evaluated);
  const known = evaluated.flatMap((tokens) => tokens ?? []);
  const [first] = parts;
  const record: RunRecord = {
    ...wholeRun<RunRecord>(first.run),
    status: "complete",
    merged: runs.map(({ run_id }) => run_id),
    tokens: { ...first.run.tokens, evaluated: known.length === runs.length ? sum(known) : null },
    times: {
      created_at: runs.map(({ times }) => times.created_at).toSorted()[0] ?? first.run.times.created_at,
      updated_at: now.toISOString(),
      sessions: sum(runs.map(({ times }) => times.sessions)),
      asking_ms: sum(runs.map(({ times }) => times.asking_ms)),
    },
  };
  return suite.schema.parse({ ...record, run_id: runId(suite, record, now) });
}
