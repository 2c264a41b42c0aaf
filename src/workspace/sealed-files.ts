import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "../base/errors.js";

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** The most bytes of a report, log or plan that code in a cage leaves, unless told otherwise. */
export const MOST_REPORT_BYTES = 32 * 1024 * 1024;

/** Why a path that a cage could write is neither read nor written: said to whoever asked, never waited for. */
export class SealedFault extends Error {
  override readonly name = "SealedFault";
}

/** A path in a folder that a cage could write, from that folder, with `/`. */
interface SealedPath {
  readonly root: string;
  readonly path: string;
}

/**
 * The bytes of a plain file that code in a cage may have made: no link is followed on the way, nothing waits for a pipe.
 * @throws SealedFault
 */
export function readSealed({ root, path }: SealedPath, mostBytes: number = MOST_REPORT_BYTES): Promise<Buffer> {
  return inFolderOf({ root, path }, false, async (at) => {
    const file = await open(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const info = await file.stat();
      if (!info.isFile()) throw new SealedFault("no plain file");
      if (info.size > mostBytes) throw new SealedFault(`a file of ${info.size} bytes (at most ${mostBytes})`);
      return await readUpTo(file, mostBytes);
    } finally {
      await file.close();
    }
  });
}

/** Its text; `null`: there is no such file. */
export async function sealedText(root: string, path: string, mostBytes?: number): Promise<string | null> {
  try {
    return (await readSealed({ root, path }, mostBytes)).toString("utf8");
  } catch (error) {
    if (error instanceof SealedFault) return null;
    throw error;
  }
}

/** However long it has become since it was looked at. */
async function readUpTo(file: FileHandle, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.createReadStream({ autoClose: false, end: mostBytes }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
  }
  if (bytes > mostBytes) throw new SealedFault(`a file of more than ${mostBytes} bytes`);
  return Buffer.concat(chunks);
}

/**
 * Puts a plain file there, new or in place of a plain one, whose rights it keeps; folders are made as needed. What else has
 * the old file by another name keeps what it held.
 * @throws SealedFault
 */
export function writeSealed({ root, path }: SealedPath, content: string | Buffer): Promise<void> {
  return inFolderOf({ root, path }, true, async (at) => {
    const before = await lstat(at).catch(() => null);
    if (before !== null && !before.isFile()) throw new SealedFault("no plain file stands there");
    const fresh = join(at, "..", `.probe-${randomBytes(8).toString("hex")}`);
    const file = await open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
    try {
      await file.writeFile(content);
      if (before !== null) await file.chmod(before.mode & 0o777);
      await rename(fresh, at);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  });
}

/**
 * Removes a plain file.
 * @throws SealedFault
 */
export function removeSealed({ root, path }: SealedPath): Promise<void> {
  return inFolderOf({ root, path }, false, async (at) => {
    const info = await lstat(at);
    if (!info.isFile()) throw new SealedFault("no plain file");
    await rm(at);
  });
}

/** Copies plain files, folders, and links as links; pipes, sockets and what `isWanted` leaves out are not copied. */
export async function copyTree(
  from: string,
  to: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => {
      if (path !== from && !isWanted(path)) return false;
      const info = await lstat(path);
      return info.isFile() || info.isDirectory() || info.isSymbolicLink();
    },
  });
}

/** Where an open folder can be named by its descriptor, whoever moves it or puts a link in its place. */
const DESCRIPTORS = existsSync("/proc/self/fd") ? "/proc/self/fd" : null;

async function inFolderOf<T>({ root, path }: SealedPath, make: boolean, use: (at: string) => Promise<T>): Promise<T> {
  const name = basename(path);
  const folders = path
    .split("/")
    .slice(0, -1)
    .filter((part) => part !== "" && part !== ".");
  if (folders.includes("..") || name === ".." || path.includes("\0")) throw new SealedFault("a path that leads out");
  let place = root;
  let folder: FileHandle | null = null;
  try {
    folder = await openFolder(root);
    for (const part of folders) {
      const at = join(placeOf(folder, place), part);
      if (make) await mkdir(at).catch(ignoreThere);
      const inner = await openFolder(at);
      await folder.close();
      folder = inner;
      place = join(place, part);
    }
    return await use(join(placeOf(folder, place), name));
  } catch (error) {
    throw faultOf(error);
  } finally {
    await folder?.close();
  }
}

function openFolder(path: string): Promise<FileHandle> {
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

function placeOf(folder: FileHandle, place: string): string {
  return DESCRIPTORS === null ? place : join(DESCRIPTORS, String(folder.fd));
}

function ignoreThere(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ELOOP: "a symbolic link on the way",
  ENOTDIR: "a link or a file where a folder has to be",
  EISDIR: "a folder",
  ENXIO: "no plain file",
  EACCES: "no right to it",
  EPERM: "no right to it",
  ENAMETOOLONG: "a path that is too long for this system",
};

function faultOf(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof SealedFault || code === null) return error;
  return new SealedFault(WORDS[code] ?? messageOf(error), { cause: error });
}
