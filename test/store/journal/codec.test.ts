import { describe, expect, it } from "vitest";
import { glanceBy, isSealed, sealLine, unsealLine } from "../../../src/store/journal/codec.js";

/** The CRC-32 of `{"a":1}` is 561bacaf (as by `crc32` of other programs). */
const LINE = '{"a":1,"crc":"CRC"}';

describe("a line with its checksum", () => {
  it("is the line with a last key, and gives the line back", () => {
    const sealed = sealLine('{"a":"ä"}');
    expect(sealed).toMatch(/^\{"a":"ä","crc":"[0-9a-f]{8}"\}$/);
    expect(unsealLine(Buffer.from(sealed))).toBe('{"a":"ä"}');
    expect(isSealed(Buffer.from(sealed))).toBe(true);
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

describe("a glance at a line", () => {
  const glance = (line: string) => glanceBy("item", "place")(Buffer.from(line));

  it("tells the place, and whether it failed, by what stands before the status", () => {
    expect(glance('{"item":0,"place":12,"status":"chosen"}')).toEqual({ item: 0, place: 12, isFailed: false });
    expect(glance('{"place":3,"x":"é","item":4,"status":"failed","place":5}')).toEqual({
      item: 4,
      place: 3,
      isFailed: true,
    });
  });

  it.each([
    ["no status", '{"item":1,"place":2}'],
    ["no item", '{"place":2,"status":"chosen"}'],
    ["no place before the status", '{"item":1,"status":"chosen","place":2}'],
    ["a place that is none", '{"item":1,"place":-2,"status":"chosen"}'],
    ["a place that is no number", '{"item":1,"place":"2","status":"chosen"}'],
    ["a status too far behind", `{"item":1,"place":2,"text":"${"x".repeat(400)}","status":"chosen"}`],
  ])("tells nothing where there is %s", (_, line) => {
    expect(glance(line)).toBeNull();
  });
});
