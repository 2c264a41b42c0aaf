import { existsSync } from "node:fs";
import { cp, lstat, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sum } from "simple-statistics";
import { isSystemError, ProbeError } from "../../base/errors.js";
import { sha256OfFile } from "../../base/sha256.js";
import { shardText } from "../../base/shard.js";
import { LineWriter, onDisk, writeAtomically } from "../../store/atomic-write.js";
import { requireEmptyFolder, temporaryBeside } from "../../store/folder/own-files.js";
import { lockFolder } from "../../store/folder/work-folder.js";
import { type FolderCodec, sealLine } from "../../store/journal/codec.js";
import { headerLine } from "../../store/journal/header.js";
import { foreignRecord, readJournal } from "../../store/journal/read-journal.js";
import { PlaceNumbers, type PlacePlan } from "../../store/journal/slots.js";
import type { RunRecord } from "../run-record.js";
import { type ScoredRun, scoreFolder } from "../score-folder.js";
import type { AnySuite, RunPart } from "../suite.js";
import type { SuiteEntry } from "../suite-entry.js";
import { runFileOf, runFingerprint, runId, wholeRun } from "./run-folder.js";
import { type Part, readParts } from "./run-parts.js";

/** Request to merge shares. */
export interface MergeRequest {
  /** Folders of all shares of one run, in any order. */
  readonly folders: readonly string[];
  /** The whole run's folder: new, or empty. */
  readonly out: string;
  /** The time of day. */
  readonly now: () => Date;
}

/**
 * Joins the shares of a split run into the run that they are together, and scores it: its tables are those of a run that
 * was never split, but for the columns that name the run or a time. Makes no model call; the shares are left as they are.
 * Given again after a kill, it goes on with what is there, or begins anew.
 * @throws ProbeError `bad_input` naming what does not belong together, is missing or is not finished
 */
export async function mergeRuns(
  suites: readonly SuiteEntry[],
  { folders, out, now }: MergeRequest,
): Promise<ScoredRun> {
  const { suite, parts } = await readParts(suites, folders);
  const record = mergedRecord(suite, parts, now());
  if (!(await isJoined(suite, record, out))) await joinShares(suite, record, parts, out);
  const unlock = await lockFolder(out);
  const scored = await scoreFolder(suite, out).finally(unlock);
  if (scored.score.unfinished === null) return scored;
  // One step, so that a kill leaves nothing that is in the way of the next.
  const gone = await temporaryBeside(resolve(out));
  await onDisk(out, () => rename(out, gone));
  await rm(gone, { recursive: true, force: true });
  throw new ProbeError(
    "bad_input",
    `Expected the shares to be all of a run, found ${scored.score.unfinished}. Ask the shares again that lack it.`,
  );
}

/**
 * Tests if a folder holds the run of these very shares, none of which went on since: a kill may have come before its
 * scores.
 */
async function isJoined(suite: AnySuite, record: RunRecord, out: string): Promise<boolean> {
  const found = await runFileOf(suite)
    .find(out)
    .catch(() => null);
  if (found === null) return false;
  const { merged, times } = record;
  return isDeepStrictEqual([found.merged, { ...found.times, updated_at: times.updated_at }], [merged, times]);
}

/** Puts the run together beside its folder: a kill leaves no run there, or a whole one. */
async function joinShares(suite: AnySuite, record: RunRecord, parts: readonly Part[], out: string): Promise<void> {
  await requireEmptyFolder(out, "a run");
  await onDisk(out, () => mkdir(dirname(resolve(out)), { recursive: true }));
  if (existsSync(out)) {
    // Remains of a killed process are nobody's, as is an empty folder; a living one that holds it is told.
    const unlock = await lockFolder(out);
    await unlock();
    await onDisk(out, () => rm(out, { recursive: true }));
  }
  const folder = await temporaryBeside(resolve(out));
  await onDisk(out, () => mkdir(folder));
  try {
    await joinFiles(suite, record, { parts, folder, fingerprint: runFingerprint(suite, record) });
    await onDisk(out, () => rename(folder, out));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function joinFiles(suite: AnySuite, record: RunRecord, joined: JoinedRun): Promise<void> {
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

/** The whole run that journals of shares are joined to. */
interface JoinedRun {
  readonly parts: readonly Part[];
  /** Fingerprint of the whole run. */
  readonly fingerprint: string;
  /** Folder in which it is put together. */
  readonly folder: string;
}

/**
 * Writes one journal of the whole run: the lines of its shares, as they are, share by share. Memory: a number an item.
 * @param plan of the whole run; `null`: records have no places
 * @throws ProbeError `bad_input` when a record is not of the run, or an item is in two shares
 */
async function joinJournals(
  { parts, fingerprint, folder }: JoinedRun,
  codec: FolderCodec<unknown>,
  plan: PlacePlan | null,
): Promise<void> {
  if (!(await isInAny(parts, codec.file))) return;
  const owners = new Map<number, Part>();
  const numbers = plan === null ? null : new PlaceNumbers(plan);
  await writeAtomically(join(folder, codec.file), async (append) => {
    const lines = new LineWriter(append);
    await lines.write(headerLine(codec.kind, { fingerprint }));
    for (const part of parts) {
      const path = join(part.folder, codec.file);
      for await (const entry of readJournal(path, codec, { identity: { fingerprint } })) {
        const place = codec.placeOf(entry.record);
        if (numbers !== null && place !== null) {
          if (!numbers.has(place.item, place.place))
            throw foreignRecord(path, codec, entry, `item ${place.item + 1}, place ${place.place + 1}`);
          requireOwner(owners, part, place.item, codec);
        }
        await lines.write(sealLine(entry.text));
      }
    }
    await lines.flush();
  });
}

function requireOwner(owners: Map<number, Part>, part: Part, item: number, codec: FolderCodec<unknown>): void {
  const owner = owners.get(item) ?? part;
  owners.set(item, owner);
  if (owner === part) return;
  const names = [owner, part].map(({ folder, run }) => `${folder} (share ${shardText(run.shard)})`);
  throw new ProbeError(
    "bad_input",
    `Expected each item of the run in one share, found item ${item + 1} of ${codec.file} in two: ${names.join(" and ")}. ` +
      "One of them is not the share that its run.json says: ask it again.",
  );
}

async function isInAny(parts: readonly Part[], name: string): Promise<boolean> {
  const found = await Promise.all(parts.map(({ folder }) => stat(join(folder, name)).then(Boolean, () => false)));
  return found.includes(true);
}

/** Joins what the shares have besides: a journal without places, a folder, or a file that is the same in all. */
async function joinBesides(joined: JoinedRun, part: RunPart): Promise<void> {
  if (part.kind === "lines") return joinJournals(joined, await part.codec(), null);
  const { parts, folder } = joined;
  const to = join(folder, part.name);
  if (part.kind === "same") await requireSame(parts, part.name);
  for (const each of part.kind === "same" ? parts.slice(0, 1) : parts) {
    const from = join(each.folder, part.name);
    if (!(await isInAny([each], part.name))) continue;
    // A name that only one share has is never there twice. No run has links or pipes of its own, which could lead elsewhere.
    await onDisk(to, () => cp(from, to, { recursive: true, force: false, errorOnExist: true, filter: isPlain }));
  }
}

async function isPlain(path: string): Promise<boolean> {
  const info = await lstat(path);
  return info.isFile() || info.isDirectory();
}

function hashIfThere(path: string): Promise<string | null> {
  return sha256OfFile(path).catch((error: unknown) => {
    if (isSystemError(error, "ENOENT")) return null;
    throw error;
  });
}

async function requireSame(parts: readonly Part[], name: string): Promise<void> {
  const hashes: (string | null)[] = [];
  for (const { folder } of parts) hashes.push(await hashIfThere(join(folder, name)));
  const other = hashes.findIndex((hash) => hash !== hashes[0]);
  if (other < 0) return;
  throw new ProbeError(
    "bad_input",
    `Expected ${name} to be the same in all shares, found others in ${parts[0]?.folder} and ${parts[other]?.folder}. ` +
      "Go on with both runs (--resume), or ask one of them again.",
  );
}
