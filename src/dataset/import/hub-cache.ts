import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { ProbeError } from "../../base/errors.js";
import { datasetsFolder } from "../../base/folders.js";
import { sha256OfFile } from "../../base/sha256.js";
import { shorten } from "../../base/text.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import { readText } from "../../store/text-lines.js";
import type { HubAccess } from "./hub-access.js";
import { type Downloaded, downloadTo } from "./hub-download.js";
import { chooseFile, type HubSnapshot, readSnapshot } from "./hub-snapshot.js";
import {
  describeHubSource,
  type HubSource,
  requireInnerPath,
  sourceFilePath,
  writeSourceFile,
} from "./import-source.js";

/** A dataset's file on this machine. */
interface CachedDataset {
  readonly path: string;
  /** The name that stands for these bytes for ever: `hf:owner/name@<commit>/<file>`. */
  readonly source: string;
}

/**
 * The file that a hub dataset's name stands for, fetched once a commit. A commit's copy needs no network; a branch or
 * tag is looked up each time, and means the commit it last meant when there is no network.
 *
 * Files of the folder: `OWNER/NAME/revisions/R.json` (which commit R last meant), `commits/C.json` (its files),
 * `files/C/…` (copies, each with its `.source.json`).
 * @throws ProbeError `bad_input` for a name that stands for nothing, `model_unavailable` with no copy and no network
 */
export async function cachedDataset(
  source: HubSource,
  access: HubAccess,
  now: () => Date,
  folder = datasetsFolder(),
): Promise<CachedDataset> {
  const home = join(folder, source.owner, source.name);
  const snapshot = (await knownCommit(home, source)) ?? (await currentSnapshot(home, source, access));
  const file = chooseFile(source, snapshot);
  requireInnerPath(file.path);
  const path = join(home, "files", snapshot.commit, file.path);
  const pinned = describeHubSource({ ...source, revision: snapshot.commit, file: file.path });
  if (!(await isIntact(path))) {
    access.onMessage(`Fetching ${shorten(pinned, 300)} (${file.bytes} bytes).`);
    const downloaded = await downloadTo(path, file, source, snapshot.commit, access);
    await writeSourceFile(path, sourceFileOf(source, snapshot, file.path, downloaded, now()));
  }
  return { path, source: pinned };
}

/** Snapshot of a full commit, which never changes: no need to ask. */
async function knownCommit(home: string, { revision, file }: HubSource): Promise<HubSnapshot | null> {
  const snapshot = COMMIT.test(revision) ? await readJson(commitPath(home, revision), snapshotSchema) : null;
  return file === null || snapshot?.files.some(({ path }) => path === file) === true ? snapshot : null;
}

async function currentSnapshot(home: string, source: HubSource, access: HubAccess): Promise<HubSnapshot> {
  const revisionPath = join(home, "revisions", `${encodeURIComponent(source.revision)}.json`);
  try {
    const snapshot = await readSnapshot(source, access);
    await writeJson(commitPath(home, snapshot.commit), snapshot);
    await writeJson(revisionPath, { commit: snapshot.commit });
    return snapshot;
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code !== "model_unavailable") throw error;
    const last = await readJson(revisionPath, revisionSchema);
    const snapshot = last === null ? null : await readJson(commitPath(home, last.commit), snapshotSchema);
    if (snapshot === null) throw error;
    access.onMessage(
      `The hub cannot be asked what ${shorten(describeHubSource(source), 300)} is now; using the copy of commit ` +
        `${snapshot.commit.slice(0, 12)}, which it last was.`,
    );
    return snapshot;
  }
}

const COMMIT = /^[0-9a-f]{40}$/;

const revisionSchema = z.object({ commit: z.string().regex(COMMIT) });

const snapshotSchema = z.object({
  commit: z.string().regex(COMMIT),
  license: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      bytes: z.number(),
      sha256: z.string().nullable(),
      gitBlob: z.string().nullable(),
    }),
  ),
});

function commitPath(home: string, commit: string): string {
  return join(home, "commits", `${commit}.json`);
}

/** Tells whether the copy is there, as it was when it was fetched. */
async function isIntact(path: string): Promise<boolean> {
  const description = await readSourceFile(path);
  const info = await stat(path).catch(() => null);
  if (description === null || info === null || info.size !== description.bytes) return false;
  return (await sha256OfFile(path)) === description.sha256;
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readText(path)));
  } catch {
    // Missing or damaged: the hub is asked anew.
    return null;
  }
}

async function writeJson(path: string, value: object): Promise<void> {
  await makeFolder(dirname(path));
  await writeAtomically(path, (append) => append(`${JSON.stringify(value, null, 2)}\n`));
}

const sourceFileSchema = z.object({
  /** Such as `hf:owner/name`. */
  source: z.string(),
  /** The full commit. */
  revision: z.string(),
  /** Its path in the repository. */
  file: z.string(),
  sha256: z.string(),
  bytes: z.int().nonnegative(),
  retrieved_at: z.iso.datetime(),
  license: z.string().optional(),
});

/** `FILE.source.json`: where a fetched file came from. */
export type SourceFile = z.infer<typeof sourceFileSchema>;

export function sourceFileOf(
  { owner, name }: HubSource,
  { commit, license }: HubSnapshot,
  file: string,
  { sha256, bytes }: Downloaded,
  now: Date,
): SourceFile {
  return {
    source: `hf:${owner}/${name}`,
    revision: commit,
    file,
    sha256,
    bytes,
    retrieved_at: now.toISOString(),
    ...(license !== null && { license }),
  };
}

/** The description beside a data file; `null` when there is none that can be read. */
async function readSourceFile(path: string): Promise<SourceFile | null> {
  try {
    return sourceFileSchema.parse(JSON.parse(await readText(sourceFilePath(path))));
  } catch {
    return null;
  }
}
