import { cp, stat } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError, ProbeError } from "../../base/errors.js";
import { sha256OfFile } from "../../base/sha256.js";
import { shardText } from "../../base/shard.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { onDisk } from "../../store/disk-fault.js";
import type { FolderCodec } from "../../store/journal/codec.js";
import { headerLine } from "../../store/journal/header.js";
import { foreignRecord, readJournal } from "../../store/journal/read-journal.js";
import { sealLine } from "../../store/journal/sealed-line.js";
import { PlaceNumbers, type PlacePlan } from "../../store/journal/slots.js";
import { LineWriter } from "../../store/line-writer.js";
import type { RunPart } from "../suite.js";
import type { Part } from "./parts.js";

/** What the journals of a run's shares are joined to. */
export interface JoinedRun {
  readonly parts: readonly Part[];
  /** Of the whole run. */
  readonly fingerprint: string;
  /** Where it is put together. */
  readonly folder: string;
}

/**
 * Writes one journal of the whole run: the lines of its shares, as they are, share by share. Memory: a number an item.
 * @param plan of the whole run; `null`: records have no places
 * @throws ProbeError `bad_input` when a record is not of the run, or an item is in two shares
 */
export async function joinJournals(
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
export async function joinBesides(joined: JoinedRun, part: RunPart): Promise<void> {
  if (part.kind === "lines") return joinJournals(joined, part.codec, null);
  const { parts, folder } = joined;
  const to = join(folder, part.name);
  if (part.kind === "same") await requireSame(parts, part.name);
  for (const each of part.kind === "same" ? parts.slice(0, 1) : parts) {
    const from = join(each.folder, part.name);
    if (!(await isInAny([each], part.name))) continue;
    // What no share but one can have is never there twice; links are copied as such, and lead nowhere new.
    await onDisk(to, () => cp(from, to, { recursive: true, force: false, errorOnExist: true, verbatimSymlinks: true }));
  }
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
