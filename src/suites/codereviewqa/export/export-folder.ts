import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { badInput, isSystemError, messageOf } from "../../../base/errors.js";
import { onDisk, writeAtomically } from "../../../store/atomic-write.js";
import { temporaryBeside } from "../../../store/folder/own-files.js";
import { makeFolder } from "../../../store/folder/work-folder.js";

type Append = (text: string | Uint8Array) => Promise<void>;

/** A file of an export: its path inside the folder, made of names of this program alone, and what writes it. */
export interface ExportFile {
  readonly name: string;
  write(append: Append): Promise<void>;
}

/** A file whose text is there already. */
export function textFile(name: string, text: string): ExportFile {
  return { name, write: (append) => append(text) };
}

/** JSON that readers in other languages take: half a surrogate pair, which UTF-8 has no bytes for, becomes U+FFFD. */
export function portableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? each.toWellFormed() : each));
}

/**
 * Makes sure that an export replaces nothing.
 * @throws ProbeError `bad_input` unless there is nothing, or an empty folder
 */
export async function requireNewFolder(path: string): Promise<void> {
  const found = await readdir(path).then(
    (names) => (names.length === 0 ? null : `${names.length} files in it`),
    (error: unknown) => (isSystemError(error, "ENOENT") ? null : messageOf(error)),
  );
  if (found === null) return;
  throw badInput(`Expected a new folder for --out, found ${path}: ${found}. Name another.`);
}

/**
 * Writes a folder whole or not at all: beside its place, then renamed.
 * @returns the names of its files
 */
export async function writeFolder(path: string, files: readonly ExportFile[]): Promise<string[]> {
  await requireNewFolder(path);
  await makeFolder(dirname(path));
  const temporary = await temporaryBeside(path);
  try {
    await onDisk(path, () => mkdir(temporary));
    for (const { name, write } of files) {
      const file = join(temporary, name);
      await makeFolder(dirname(file));
      await writeAtomically(file, write);
    }
    await onDisk(path, async () => {
      await rmdir(path).catch((error: unknown) => {
        if (!isSystemError(error, "ENOENT")) throw error;
      });
      await rename(temporary, path);
    });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  return files.map(({ name }) => name);
}
