import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { badInput, isSystemError, messageOf } from "../../base/errors.js";
import { onDisk, writeAtomically } from "../atomic-write.js";
import { commonName, differences, shortFingerprint, type WorkIdentity } from "../identity.js";
import type { RecordFile } from "../record-file.js";
import { takeLock } from "./lock.js";
import { FOLDER_LOCK, removeStaleFiles, requireEmptyFolder } from "./own-files.js";

/** Folder of work unless `--out` says otherwise. */
export const RESULTS_FOLDER = "results";

/** A kind of work that has a folder of its own, such as runs. */
export interface FolderWork<T> {
  /** Such as `run`. */
  readonly name: string;
  /** Such as `a run`. */
  readonly one: string;
  readonly file: RecordFile<T>;
  identityOf(record: T): WorkIdentity;
  isComplete(record: T): boolean;
}

/** The work that is asked for. */
interface AskedWork<T> {
  readonly record: T;
  /** Name of its folder, if it is a new one. */
  readonly id: string;
  /** Name that it had before it got this one; absent: the same. */
  readonly formerId?: string;
  /** 64 hex digits. */
  readonly fingerprint: string;
}

/** A work's folder, and the record that was found in it; `null` for new work. */
export interface WorkFolder<T> {
  readonly path: string;
  readonly recorded: T | null;
}

/**
 * The folder of this work: `named` (`--out`, `--resume`), else that of unfinished work of the same command under
 * `results/`, else a new one.
 * @throws ProbeError `bad_input` when the folder holds other work, naming the differences, or other files
 */
export async function chooseFolder<T>(
  work: FolderWork<T>,
  asked: AskedWork<T>,
  named: string | null,
): Promise<WorkFolder<T>> {
  if (named !== null) return checkNamed(work, asked, named);
  return (await findUnfinished(work, asked)) ?? { path: join(RESULTS_FOLDER, asked.id), recorded: null };
}

async function checkNamed<T>(work: FolderWork<T>, asked: AskedWork<T>, path: string): Promise<WorkFolder<T>> {
  const recorded = await findRecorded(work, asked.record, path);
  if (recorded === null) await requireEmptyFolder(path, work.one);
  return { path, recorded };
}

/**
 * The record of this work in a folder; `null` when nothing is recorded there. To be read again under the folder's lock:
 * another process may have begun, resumed or finished the work in between.
 * @throws ProbeError `bad_input` when it records other work, naming the differences
 */
export async function findRecorded<T>(work: FolderWork<T>, asked: T, path: string): Promise<T | null> {
  const recorded = await work.file.find(path);
  const found = recorded === null ? [] : workDifferences(work, recorded, asked);
  if (found.length === 0) return recorded;
  throw badInput(
    `Expected the ${work.name} in ${path} to be the one this command asks for, found a different one:\n` +
      `${found.map((line) => `  ${line}`).join("\n")}\nNothing was changed. Leave out what differs, or name another folder with --out.`,
  );
}

/** A line a difference; none: the recorded work may go on. */
function workDifferences<T>(work: FolderWork<T>, recorded: T, asked: T): string[] {
  return differences(work.identityOf(recorded), work.identityOf(asked), `the ${work.name}`);
}

async function findUnfinished<T>(work: FolderWork<T>, asked: AskedWork<T>): Promise<WorkFolder<T> | null> {
  const names = await readdir(RESULTS_FOLDER).catch(() => []);
  // The same work may have had another fingerprint before there were parameters that it has its defaults of.
  const isAlike = (name: string) =>
    name.endsWith(`-${shortFingerprint(asked.fingerprint)}`) ||
    [asked.id, asked.formerId ?? asked.id].some((id) => commonName(name) === commonName(id));
  for (const name of names.filter(isAlike).sort().reverse()) {
    const path = join(RESULTS_FOLDER, name);
    const recorded = await work.file.find(path).catch(() => null);
    if (recorded === null || work.isComplete(recorded)) continue;
    if (workDifferences(work, recorded, asked.record).length === 0) return { path, recorded };
  }
  return null;
}

/**
 * Makes the folder, tries to write in it, and takes it for this process, so that no two write the same journal.
 * @returns gives the folder back
 * @throws ProbeError `bad_input` when a living process has it, or when it cannot be written to
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  await makeFolder(path);
  const unlock = await takeLock(join(path, FOLDER_LOCK), { name: path, advice: "name another folder with --out" });
  await removeStaleFiles(path);
  return unlock;
}

/**
 * Tries to write where work is to go, so that nothing is asked and paid for that cannot be recorded: in the folder, or, if
 * it is not there yet, in the nearest one above it.
 * @throws ProbeError `bad_input` when it cannot be written to
 */
export async function tryFolder(path: string): Promise<void> {
  let place = resolve(path);
  while (await isAbsent(place)) place = dirname(place);
  const trial = join(place, `probe.${process.pid}.tmp`);
  await onDisk(path, async () => {
    try {
      await writeFile(trial, "tried\n");
    } finally {
      await rm(trial, { force: true });
    }
  });
}

async function isAbsent(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) => isSystemError(error, "ENOENT"),
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

/**
 * Makes a folder and those above it. Not by `recursive`, which goes round and round in a file system that answers a new
 * folder with ENOENT, as /proc does.
 * @param mode rights of those that are made, such as 0o700; those of any new folder unless told otherwise
 * @throws ProbeError `bad_input` where the disk, or rights on it, are at fault
 */
export function makeFolder(path: string, mode?: number): Promise<void> {
  return onDisk(path, () => makeWithin(path, mode));
}

/**
 * Writes a file that can be made again, with the folder for it.
 * @returns why it is not kept, such as for a home that may not be written to; `null`: it is
 */
export async function keepInCache(path: string, content: string | Uint8Array): Promise<string | null> {
  try {
    await makeFolder(dirname(path));
    await writeAtomically(path, (append) => append(content));
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

async function makeWithin(path: string, mode: number | undefined): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
    const parent = dirname(resolve(path));
    if (!(await isFolder(parent))) await makeWithin(parent, mode);
    // Once more also where that one is there: another process may just have made it.
    await makeOne(path, mode);
  }
}

/** Makes a folder in one that is there, or finds it made. */
async function makeOne(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (!isSystemError(error, "EEXIST") || !(await isFolder(path))) throw error;
  }
}
