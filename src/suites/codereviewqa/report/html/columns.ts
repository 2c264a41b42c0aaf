/** Numbers as text that a page can hold. */
export function base64Of(values: Uint8Array | Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}
