import { join } from "node:path";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { badInput, isSystemError, messageOf, ProbeError } from "../base/errors.js";
import { shorten, shortenLines } from "../base/text.js";
import { writeAtomically } from "./atomic-write.js";
import { readText, requirePlainFile } from "./text-lines.js";

/** The JSON file that makes a folder a run, or an audit. Its last key is a checksum; those of earlier versions have none. */
export interface RecordFile<T> {
  /** Name of the file in its folder. */
  readonly name: string;
  /** Writes it, whole or not at all. */
  write(folder: string, record: T): Promise<void>;
  /** @throws ProbeError `bad_input` when the folder holds none that this version can read */
  read(folder: string): Promise<T>;
  /** Reads it; `null` when there is none. */
  find(folder: string): Promise<T | null>;
}

interface RecordFileOptions<T> {
  readonly file: string;
  readonly schema: z.ZodType<T>;
  readonly schemaVersion: number;
  /** Such as `a run`: for messages. */
  readonly what: string;
  /** The command that makes such folders. */
  readonly command: string;
}

export function recordFile<T extends object>({
  file,
  schema,
  schemaVersion,
  what,
  command,
}: RecordFileOptions<T>): RecordFile<T> {
  const find = async (folder: string): Promise<T | null> => {
    const path = join(folder, file);
    const text = await readIfThere(path);
    if (text === null) return null;
    try {
      return schema.parse(withoutChecksum(path, JSON.parse(text)));
    } catch (cause) {
      if (cause instanceof ProbeError) throw cause;
      const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
      throw badInput(
        `Expected ${path} to be ${what} of schema version ${schemaVersion}, found:\n${shortenLines(found, 300)}`,
        cause,
      );
    }
  };
  return {
    name: file,
    find,
    write: (folder, record) =>
      writeAtomically(join(folder, file), (append) =>
        append(`${JSON.stringify({ ...record, crc: checksumOf(record) }, null, 2)}\n`),
      ),
    read: async (folder) => {
      const record = await find(folder);
      if (record !== null) return record;
      throw badInput(`Expected ${what} in ${folder}, found no ${file}. Name the folder that ${command} printed.`);
    },
  };
}

/** CRC-32 of what a record says, whatever blanks it is written with. */
function checksumOf(record: unknown): string {
  return crc32(JSON.stringify(record)).toString(16).padStart(8, "0");
}

/** @throws ProbeError `bad_input` when the checksum is another */
function withoutChecksum(path: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("crc" in value)) return value;
  const { crc, ...record } = value;
  const expected = checksumOf(record);
  if (crc === expected) return record;
  throw badInput(
    `Expected ${path} as it was written, with the checksum ${expected}, found ${shorten(JSON.stringify(crc), 40)}: it was ` +
      'damaged, or changed. Restore it; if you changed it yourself, remove its last key, "crc".',
  );
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    await requirePlainFile(path);
    return await readText(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR")) return null;
    if (error instanceof ProbeError) throw error;
    throw badInput(`Expected to read ${path}, found: ${messageOf(error)}`, error);
  }
}
