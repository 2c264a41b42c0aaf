import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ProbeError } from "../../src/base/errors.js";
import { PartialFile } from "../../src/store/partial-file.js";
import { collect } from "../fixtures/collect.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const WORK = { kind: "test", seed: 1 };
let files = 0;

function newPath(): string {
  return join(folder, `${files++}.partial.jsonl`);
}

async function valuesOf(file: PartialFile): Promise<unknown[]> {
  return await collect(file.read(z.unknown()));
}

describe("PartialFile", () => {
  it("keeps what was appended for the same work", async () => {
    const path = newPath();
    const first = await PartialFile.open(path, WORK);
    await first.append({ n: 1 });
    await first.append({ n: 2 });
    await first.close();
    const second = await PartialFile.open(path, WORK);
    expect(second.lines).toBe(2);
    await second.append({ n: 3 });
    expect(second.lines).toBe(3);
    expect(await valuesOf(second)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await second.close();
  });

  it("drops a torn last line, the header's too", async () => {
    const path = newPath();
    const file = await PartialFile.open(path, WORK);
    await file.append({ n: 1 });
    await file.close();
    appendFileSync(path, '{"n":');
    const again = await PartialFile.open(path, WORK);
    await again.append({ n: 2 });
    expect(await valuesOf(again)).toEqual([{ n: 1 }, { n: 2 }]);
    await again.close();

    const torn = newPath();
    writeFileSync(torn, '{"kind":"te');
    const fresh = await PartialFile.open(torn, WORK);
    expect(fresh.lines).toBe(0);
    await fresh.close();
    expect(readFileSync(torn, "utf8")).toBe(`${JSON.stringify(WORK)}\n`);
  });

  it("refuses other work, names what differs, and changes nothing", async () => {
    const path = newPath();
    const file = await PartialFile.open(path, WORK);
    await file.append({ n: 1 });
    await file.close();
    const before = readFileSync(path, "utf8");
    await expect(PartialFile.open(path, { ...WORK, seed: 2 })).rejects.toThrow("seed: 1 there, 2 now");
    expect(readFileSync(path, "utf8")).toBe(before);
    // The refusal gives the lock back.
    await (await PartialFile.open(path, WORK)).close();
  });

  it.each(["not JSON", "null", "[1]"])("refuses a file that something else wrote: %s", async (line) => {
    const path = newPath();
    writeFileSync(path, `${line}\n`);
    await expect(PartialFile.open(path, WORK)).rejects.toThrow(ProbeError);
    expect(readFileSync(path, "utf8")).toBe(`${line}\n`);
  });

  it("gives what was appended by a key, without what has none", async () => {
    const file = await PartialFile.open(newPath(), WORK);
    for (const n of [3, 1, null, 2]) await file.append({ n });
    const schema = z.object({ n: z.number().nullable() });
    expect(await collect(file.readByKey(schema, ({ n }) => n))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await file.close();
  });

  it("names a line that is not of this work", async () => {
    const path = newPath();
    const file = await PartialFile.open(path, WORK);
    await file.append({ n: 1 });
    await file.append({ m: 2 });
    // The header is line 1.
    await expect(collect(file.read(z.object({ n: z.number() })))).rejects.toThrow(`${path}:3: expected what`);
    await file.close();
  });

  it("is gone when the work is done, with its lock", async () => {
    const path = newPath();
    const file = await PartialFile.open(path, WORK);
    await file.remove();
    await file.close();
    expect([existsSync(path), existsSync(`${path}.lock`)]).toEqual([false, false]);
  });
});
