/** Bytes as text that a page can hold. */
export function base64Of(values: Uint8Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}

/** A text of the characters with these codes. */
export function textOf(codes: Uint16Array): string {
  return new TextDecoder("utf-16le").decode(codes);
}
