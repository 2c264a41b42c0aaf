import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256, sha256OfFile } from "../../src/base/sha256.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();

// Vectors of FIPS 180-2.
const OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const OF_A_MILLION_A = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

describe("sha256", () => {
  it("is the published hash", () => {
    expect(sha256("")).toBe(OF_NOTHING);
    expect(sha256("abc")).toBe(OF_ABC);
  });

  it("hashes text as its UTF-8 bytes", () => {
    // Computed apart with Python's hashlib.
    const expected = "1184d1f608158eea09d297565575892231550c403aaa913008d867a97cfd5c76";
    expect(sha256("é\u{1f600}")).toBe(expected);
    expect(sha256(Uint8Array.from([0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]))).toBe(expected);
  });
});

describe("sha256OfFile", () => {
  it("is the published hash of the content", async () => {
    const path = join(folder, "million");
    writeFileSync(path, "a".repeat(1_000_000));
    expect(await sha256OfFile(path)).toBe(OF_A_MILLION_A);
  });

  it("is the hash of nothing for an empty file", async () => {
    const path = join(folder, "empty");
    writeFileSync(path, "");
    expect(await sha256OfFile(path)).toBe(OF_NOTHING);
  });

  it("hashes a file of many chunks as a whole", async () => {
    const path = join(folder, "many");
    const content = Buffer.alloc(3_000_001, "0123456789");
    writeFileSync(path, content);
    expect(await sha256OfFile(path)).toBe(sha256(content));
  });
});
