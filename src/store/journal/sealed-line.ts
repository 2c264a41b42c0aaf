import { crc32 } from "node:zlib";

/** `,"crc":"` and `"}` around 8 hex digits. */
const SEAL_LENGTH = 18;
const SEAL = /^,"crc":"([0-9a-f]{8})"\}$/;

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
export function unsealLine(bytes: Buffer): string {
  const end = bytes.length - SEAL_LENGTH;
  const found = SEAL.exec(bytes.toString("latin1", Math.max(0, end)))?.[1];
  if (end < 1 || found === undefined) throw new Error("it does not end with its checksum");
  const expected = hex(crc32("}", crc32(bytes.subarray(0, end))));
  if (found !== expected) throw new Error(`its checksum is ${found}, that of its text ${expected}`);
  return `${bytes.toString("utf8", 0, end)}}`;
}

/** Whether a line ends with a checksum that fits. */
export function isSealed(bytes: Buffer): boolean {
  try {
    unsealLine(bytes);
    return true;
  } catch {
    return false;
  }
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
