import { describe, expect, it } from "vitest";
import { isSealed, sealLine, unsealLine } from "../../../src/store/journal/codec.js";

/** The CRC-32 of `{"a":1}` is 561bacaf (as by `crc32` of other programs). */
const LINE = '{"a":1,"crc":"CRC"}';

describe("a line with its checksum", () => {
  it("is the line with a last key, and gives the line back", () => {
    const sealed = sealLine('{"a":"ä"}');
    expect(sealed).toMatch(/^\{"a":"ä","crc":"[0-9a-f]{8}"\}$/);
    expect(unsealLine(Buffer.from(sealed))).toBe('{"a":"ä"}');
  });

  it("has 8 digits, whatever the number is", () => {
    // Some of these checksums begin with a zero: one in 16.
    for (let i = 0; i < 200; i++) {
      const text = `{"i":${i}}`;
      expect(unsealLine(Buffer.from(sealLine(text)))).toBe(text);
    }
  });

  it("is left as it was, read or refused", () => {
    for (const line of [sealLine('{"a":1}'), LINE.replace("CRC", "00000000")]) {
      const bytes = Buffer.from(line);
      isSealed(bytes);
      expect(bytes.toString()).toBe(line);
    }
  });

  it.each([
    ["without one", '{"a":1}', "it does not end with its checksum"],
    ["that is shorter than one", '"}', "it does not end with its checksum"],
    ["with capitals in it", LINE.replace("CRC", "561BACAF"), "it does not end with its checksum"],
    ["under another name", LINE.replace('"crc":"CRC', '"crd":"561bacaf'), "it does not end with its checksum"],
    ["with something behind it", `${LINE.replace("CRC", "561bacaf")} `, "it does not end with its checksum"],
    ["of another line", LINE.replace("CRC", "00000000"), "its checksum is 00000000, that of its text 561bacaf"],
  ])("is refused %s", (_, line, message) => {
    expect(() => unsealLine(Buffer.from(line))).toThrow(message);
    expect(isSealed(Buffer.from(line))).toBe(false);
  });
});
