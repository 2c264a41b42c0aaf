import { crc32 } from "node:zlib";
import { z } from "zod";
import type { Bytes } from "../../base/text.js";

/**
 * Codec of a journal: turns a record into a line and back, and words the messages about files that are no such journal.
 */
export interface JournalCodec<T> {
  /** Name in the header of the file, such as `answers`. */
  readonly kind: string;
  /** The file, for messages: `the answers of a run`. */
  readonly journal: string;
  /** One record, for messages: `an answer of a run`. */
  readonly record: string;
  /** Remedy for a damaged line, as a sentence. */
  readonly onDamage: string;
  /** First line of files without a header (version 1): a record, or the flat facts and a `kind`. */
  readonly version1: "record" | "facts";
  /** The record as one line of JSON: an object with one key at least, without the line end. */
  encode(record: T): string;
  /** Throws an Error that says what is wrong with the line. */
  decode(line: string): T;
}

/** Codec of a journal whose records have places in the work, by which they are found again. */
export interface PlacedCodec<T> extends JournalCodec<T> {
  /** The item of the work, from 0, and the place in it, from 0; `null` for a record about the whole work. */
  placeOf(record: T): { readonly item: number; readonly place: number } | null;
  /** Tests if a record has to be asked for again. */
  isFailed(record: T): boolean;
  /**
   * Where the record of a line stands, told without reading all of the line; `null`: only `decode` can tell. What it tells
   * is held against the record when that is read.
   */
  glance?(line: Bytes): Glance | null;
}

/** Facts about a record that the beginning of its line tells. */
export interface Glance {
  readonly item: number;
  readonly place: number;
  readonly isFailed: boolean;
}

/** Bytes that nearly every line has its place and its status in. */
const GLANCE_BYTES = 400;
const STATUS = '"status":"';

/**
 * Reads the place of a record out of the beginning of its line. Quotes within texts are escaped in JSON, so that a key with
 * its quotes is that key.
 * @param item key of the item, before the `status`
 * @param place key of the place in it, before the `status`
 */
export function glanceBy(item: string, place: string): (line: Bytes) => Glance | null {
  const [itemKey, placeKey] = [`"${item}":`, `"${place}":`];
  return (line) => {
    const start = line.toString("latin1", 0, GLANCE_BYTES);
    const status = start.indexOf(STATUS);
    if (status === -1) return null;
    const before = start.slice(0, status);
    const [itemFound, placeFound] = [countAfter(before, itemKey), countAfter(before, placeKey)];
    if (itemFound === null || placeFound === null) return null;
    return { item: itemFound, place: placeFound, isFailed: start.startsWith('failed"', status + STATUS.length) };
  };
}

/** Number behind a key; `null`: there is none. */
function countAfter(text: string, key: string): number | null {
  const at = text.indexOf(key);
  if (at === -1) return null;
  const found = Number.parseInt(text.slice(at + key.length), 10);
  return Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/** Codec of a journal in a work's own folder. */
export interface FolderCodec<T> extends PlacedCodec<T> {
  /** Name of the file. */
  readonly file: string;
}

/** Codec of records that JSON holds as they are; the schema checks them when they are read, and words the error. */
export function jsonRecord<T>(schema: z.ZodType<T>): Pick<JournalCodec<T>, "encode" | "decode"> {
  return {
    encode: (record) => JSON.stringify(record),
    decode: (line) => {
      const parsed = schema.safeParse(JSON.parse(line));
      if (parsed.success) return parsed.data;
      throw new Error(z.prettifyError(parsed.error), { cause: parsed.error });
    },
  };
}

/** Bytes before the 8 hex digits of the checksum, and behind them. */
const [HEAD, TAIL] = [Buffer.from(',"crc":"'), Buffer.from('"}')];
const HEX_LENGTH = 8;
const SEAL_LENGTH = HEAD.length + HEX_LENGTH + TAIL.length;
const BRACE = 0x7d;

/**
 * A record's line with a last key `crc`: the CRC-32 of the line without that key.
 * @param text a JSON object with one key at least
 */
export function sealLine(text: string): string {
  return `${text.slice(0, -1)},"crc":"${hex(crc32(text))}"}`;
}

/**
 * The line without its last key `crc`.
 * @throws Error when it has none, or it does not fit
 */
export function unsealLine(bytes: Bytes): string {
  requireSeal(bytes);
  return textOfSealed(bytes);
}

/**
 * That a line ends with its checksum.
 * @throws Error as `unsealLine` does
 */
export function requireSeal(bytes: Bytes): void {
  const end = bytes.length - SEAL_LENGTH;
  const found = checksumAt(bytes, end);
  if (found === null) throw new Error("it does not end with its checksum");
  const expected = withoutSeal(bytes, (length) => crc32(bytes.subarray(0, length)));
  if (found !== expected) throw new Error(`its checksum is ${hex(found)}, that of its text ${hex(expected)}`);
}

/** The line without its last key `crc`: of a line whose checksum was found to fit. */
export function textOfSealed(bytes: Bytes): string {
  return withoutSeal(bytes, (length) => bytes.toString("utf8", 0, length));
}

/** @param read is told how many of the bytes are the line as it was before its checksum came behind it: nothing is copied */
function withoutSeal<T>(bytes: Bytes, read: (length: number) => T): T {
  const end = bytes.length - SEAL_LENGTH;
  const following = bytes[end] ?? 0;
  bytes[end] = BRACE;
  const value = read(end + 1);
  bytes[end] = following;
  return value;
}

/** The checksum that stands at the end of a line; `null`: none. */
function checksumAt(bytes: Bytes, end: number): number | null {
  for (let i = 0; i < HEAD.length; i++) if (bytes[end + i] !== HEAD[i]) return null;
  for (let i = 0; i < TAIL.length; i++) if (bytes[end + HEAD.length + HEX_LENGTH + i] !== TAIL[i]) return null;
  let crc = 0;
  for (let i = end + HEAD.length; i < end + HEAD.length + HEX_LENGTH; i++) {
    const digit = digitOf(bytes[i] ?? 0);
    if (digit === null) return null;
    crc = crc * 16 + digit;
  }
  return crc;
}

/** Value of a hex digit, `0` to `9` or `a` to `f`, by its code. */
function digitOf(code: number): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : null;
}

/** Tests if a line ends with a checksum that fits. */
export function isSealed(bytes: Bytes): boolean {
  try {
    requireSeal(bytes);
    return true;
  } catch {
    return false;
  }
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
