import { writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlockReader } from "../../src/store/block-reader.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const path = `${temporaryFolder()}/bytes`;
/** Three blocks and a bit; each byte is its place modulo 251, a prime, so that no two neighbouring blocks look alike. */
const bytes = Buffer.from(Array.from({ length: 3_500_000 }, (_, place) => place % 251));

describe("BlockReader", () => {
  let file: FileHandle;

  beforeAll(async () => {
    writeFileSync(path, bytes);
    file = await open(path, "r");
  });

  afterAll(() => file.close());

  it("gives the bytes of every place, in whatever order they are asked for", async () => {
    const reader = new BlockReader(file);
    const place = fc.tuple(fc.nat(bytes.length - 1), fc.nat(5000));
    await fc.assert(
      fc.asyncProperty(place, async ([offset, wanted]) => {
        const length = Math.min(wanted, bytes.length - offset);
        expect((await reader.read(offset, length)).equals(bytes.subarray(offset, offset + length))).toBe(true);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("gives a piece larger than a block whole", async () => {
    const piece = await new BlockReader(file).read(10, 2_500_000);
    expect(piece.equals(bytes.subarray(10, 2_500_010))).toBe(true);
  });

  it("refuses a piece that the file does not hold", async () => {
    await expect(new BlockReader(file).read(bytes.length - 5, 10)).rejects.toThrow(/found the file's end/);
  });
});
