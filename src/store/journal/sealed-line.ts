import { crc32 } from "node:zlib";
import type { Bytes } from "../../base/text.js";

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
  const found = end < 1 ? null : checksumAt(bytes, end);
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
