/**
 * Bytes that tell their text: as much of Node's `Buffer` as is used of them. Published declarations have it in place of
 * `Buffer`, which is not known to a project without the types of Node.
 */
export interface Bytes extends Uint8Array {
  toString(encoding?: "utf8" | "latin1", start?: number, end?: number): string;
  subarray(start?: number, end?: number): Bytes;
  includes(value: string | number, from?: number): boolean;
  /** Tells if the bytes are the same. */
  equals(other: Uint8Array): boolean;
}
