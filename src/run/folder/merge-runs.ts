import { existsSync } from "node:fs";
import { cp, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sum } from "simple-statistics";
import { badInput, type ProbeError, whereMissing } from "../../base/errors.js";
import { sha256OfFile } from "../../base/sha256.js";
import { shardText } from "../../base/shard.js";
import { shellWord } from "../../base/text.js";
import { LineWriter, onDisk, writeAtomically } from "../../store/atomic-write.js";
import { isHeld, requireEmptyFolder, temporaryBeside } from "../../store/folder/own-files.js";
import { lockFolder, makeFolder } from "../../store/folder/work-folder.js";
import { differences } from "../../store/identity.js";
import { type FolderCodec, sealLine } from "../../store/journal/codec.js";
import { headerLine } from "../../store/journal/header.js";
import { foreignRecord, readJournal } from "../../store/journal/read-journal.js";
import { PlaceNumbers, type PlacePlan } from "../../store/journal/slots.js";
import type { RecordedShard, RunRecord } from "../run-record.js";
import { readScore, type ScoredRun, scoreFolder, suiteOfRun } from "../score-folder.js";
import type { AnySuite, RunPart } from "../suite.js";
import { runCommandOf, type SuiteEntry } from "../suite-entry.js";
import { ANY_RUN, runFileOf, runFingerprint, runId, wholeIdentityOf, wholeRun } from "./run-folder.js";

/** Request to merge shares. */
interface MergeRequest {
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
 * Given again, it goes on with the merged run that is there; a folder that it did not make itself is never removed.
 * @throws ProbeError `bad_input` naming what does not belong together, is missing or is not finished
 */
export async function mergeRuns(
  suites: readonly SuiteEntry[],
  { folders, out, now }: MergeRequest,
): Promise<ScoredRun> {
  const { entry, suite, parts } = await readParts(suites, folders);
  const record = mergedRecord(suite, parts, now());
  const isNew = !(await isJoined(record, out));
  if (isNew) await joinShares(suite, record, parts, out);
  const unlock = await lockFolder(out);
  const scored = await scoreFolder(suite, out).finally(unlock);
  const { unfinished } = scored.score;
  if (unfinished === null) return scored;
  if (!isNew)
    throw badInput(
      `Expected the merged run in ${out} to be whole, found ${unfinished}. ` +
        `Go on with it: ${runCommandOf(entry)} --resume ${shellWord(out)}`,
    );
  // One step, so that a kill leaves nothing that is in the way of the next.
  const gone = await temporaryBeside(resolve(out));
  await onDisk(out, () => rename(out, gone));
  await rm(gone, { recursive: true, force: true });
  throw badInput(`Expected the shares to be all of a run, found ${unfinished}. Ask the shares again that lack it.`);
}

/**
 * Tests if a folder holds the run of these very shares, resumed or not, none of which went on since.
 * @throws ProbeError `bad_input` where it holds another run
 */
async function isJoined({ merged, times }: RunRecord, out: string): Promise<boolean> {
  const found = await ANY_RUN.find(out).catch(() => null);
  if (found === null) return false;
  const { created_at, sessions, asking_ms } = found.times;
  const isSame = isDeepStrictEqual([found.merged, created_at], [merged, times.created_at]);
  if (isSame && sessions >= times.sessions && asking_ms >= times.asking_ms) return true;
  throw badInput(`Expected ${out} to be new or empty, found another run (${found.run_id}). Name another folder.`);
}

/** Puts the run together beside its folder: a kill leaves no run there, or a whole one. */
async function joinShares(suite: AnySuite, record: RunRecord, parts: readonly Part[], out: string): Promise<void> {
  await requireEmptyFolder(out, "the run of these shares");
  await makeFolder(dirname(resolve(out)));
  if (existsSync(out)) {
    // Remains of a killed process are nobody's, as is an empty folder; a living one that holds it is told.
    const unlock = await lockFolder(out);
    await unlock();
    await onDisk(out, () => rm(out, { recursive: true }));
  }
  const folder = await temporaryBeside(resolve(out));
  await onDisk(out, () => mkdir(folder));
  try {
    const joined = { parts, folder, fingerprint: runFingerprint(suite, record) };
    for (const { codec, plan } of suite.journals(record)) await joinJournals(joined, codec, plan);
    for (const part of suite.besides ?? []) await joinBesides(joined, part);
    await runFileOf(suite).write(folder, record);
    await onDisk(out, () => rename(folder, out));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The record of the whole run: what the shares agree on, and what they add up to. */
function mergedRecord(suite: AnySuite, parts: Parts, now: Date): RunRecord {
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
  if (!parts.some((part) => existsSync(join(part.folder, codec.file)))) return;
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
  throw badInput(
    `Expected each item of the run in one share, found item ${item + 1} of ${codec.file} in two: ${names.join(" and ")}. ` +
      "One of them is not the share that its run.json says: ask it again.",
  );
}

/** Joins what the shares have besides: a journal without places, a folder, or a file that is the same in all. */
async function joinBesides(joined: JoinedRun, part: RunPart): Promise<void> {
  if (part.kind === "lines") return joinJournals(joined, await part.codec(), null);
  const { parts, folder } = joined;
  const to = join(folder, part.name);
  if (part.kind === "same") await requireSame(parts, part.name);
  for (const each of part.kind === "same" ? parts.slice(0, 1) : parts) {
    const from = join(each.folder, part.name);
    if (!existsSync(from)) continue;
    // A name that only one share has is never there twice. No run has links or pipes of its own, which could lead elsewhere.
    await onDisk(to, () => cp(from, to, { recursive: true, force: false, errorOnExist: true, filter: isPlain }));
  }
}

async function isPlain(path: string): Promise<boolean> {
  const info = await lstat(path);
  return info.isFile() || info.isDirectory();
}

async function requireSame(parts: readonly Part[], name: string): Promise<void> {
  const hashes: (string | null)[] = [];
  for (const { folder } of parts) {
    const path = join(folder, name);
    hashes.push(await sha256OfFile(path).catch(whereMissing(null)));
  }
  const other = hashes.findIndex((hash) => hash !== hashes[0]);
  if (other < 0) return;
  throw badInput(
    `Expected ${name} to be the same in all shares, found others in ${parts[0]?.folder} and ${parts[other]?.folder}. ` +
      "Go on with both runs (--resume), or ask one of them again.",
  );
}

/** A share of a split run, in its folder. */
interface Part {
  readonly folder: string;
  readonly run: RunRecord & { readonly shard: RecordedShard };
}

/** The shares of one run, each once, in their order. */
type Parts = readonly [Part, ...Part[]];

/**
 * Reads the shares of a run, and makes sure that they are all of it: of one run, made by one program, none missing, none
 * there twice, all finished.
 * @throws ProbeError `bad_input` naming what is wrong
 */
async function readParts(
  suites: readonly SuiteEntry[],
  folders: readonly string[],
): Promise<{ readonly entry: SuiteEntry; readonly suite: AnySuite; readonly parts: Parts }> {
  const found: (Part & { readonly entry: SuiteEntry; readonly suite: AnySuite; readonly path: string })[] = [];
  for (const folder of folders) {
    const { entry, suite, run } = await suiteOfRun(suites, folder);
    const { shard } = run;
    if (shard === undefined) throw noShare(folder, run);
    const next = { folder, path: await realpath(folder), entry, suite, run: { ...run, shard } };
    const twice = found.find(({ path }) => path === next.path);
    if (twice !== undefined) throw refuse(`${twice.folder} and ${folder}, which are one folder`, "Name each once.");
    found.push(next);
  }
  const [first, ...others] = found;
  if (first === undefined) throw refuse("none", "Name the folders of all shares of a run.");
  for (const other of others) requireSameRun(first, other);
  requireAll([first, ...others]);
  for (const part of found) await requireFinished(part);
  const [head, ...tail] = found.toSorted((a, b) => a.run.shard.index - b.run.shard.index);
  return { entry: first.entry, suite: first.suite, parts: [head ?? first, ...tail] };
}

function refuse(found: string, advice: string): ProbeError {
  const end = found.includes("\n") ? "\n" : ". ";
  return badInput(`Expected all shares of one run, found ${found}${end}${advice}`);
}

function noShare(folder: string, { merged }: RunRecord): ProbeError {
  const found = merged === undefined ? "a whole run" : "a run that was merged already";
  return badInput(
    `Expected a share of a run (--shard) in ${folder}, found ${found}. Leave it out; only shares can be merged.`,
  );
}

function requireSameRun(first: Part & { suite: AnySuite }, other: Part & { suite: AnySuite }): void {
  const [then, now] = [first, other].map(({ run, suite }) => ({
    suite: run.suite,
    program: `${run.program.name} ${run.program.version}`,
    "program commit": run.program.commit,
    ...wholeIdentityOf(suite, run),
    shards: run.shard.count,
    price: run.price === null ? null : JSON.stringify(run.price),
  }));
  const found = differences(then ?? {}, now ?? {}, first.folder, other.folder);
  if (found.length === 0) return;
  throw refuse(
    `that ${first.folder} and ${other.folder} are of different runs:\n${found.map((line) => `  ${line}`).join("\n")}`,
    "Leave out what does not belong to the run, or ask that share again like the others.",
  );
}

function requireAll(parts: Parts): void {
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const twice = byIndex.get(part.run.shard.index);
    if (twice !== undefined)
      throw refuse(`share ${shardText(part.run.shard)} twice: ${twice.folder} and ${part.folder}`, "Leave one out.");
    byIndex.set(part.run.shard.index, part);
  }
  const { count } = parts[0].run.shard;
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !byIndex.has(index));
  if (missing.length === 0) return;
  const names = missing.slice(0, 10).map((index) => shardText({ index, count }));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : "";
  throw refuse(`no share ${names.join(", ")}${more}`, "Name its folder too, or run it: --shard i/n.");
}

async function requireFinished({ folder, run, suite, entry }: Part & { suite: AnySuite; entry: SuiteEntry }) {
  if (await isHeld(folder))
    throw refuse(`${folder} (share ${shardText(run.shard)}) in use by a process at work on it`, "Wait for it.");
  const { score } = await readScore(suite, folder);
  const open = score.unfinished ?? (run.status === "complete" ? null : `a run that is ${run.status}`);
  if (open === null) return;
  throw refuse(
    `share ${shardText(run.shard)} in ${folder} not finished: ${open}`,
    `Finish it first: ${runCommandOf(entry)} --resume ${shellWord(folder)}`,
  );
}
