import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { UnderWay } from "../../../src/run/folder/under-way.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const file = () => folder.path("money.jsonl");

describe("UnderWay", () => {
  it("counts the most that was under way at once as lost where a session did not end, once", async () => {
    const killed = await UnderWay.open(folder.path());
    expect(killed.lost).toBe(0);
    for (const reserved of [2, 3, 1, 2]) killed.reach(reserved);
    killed.lose(0.5);
    // 3 at once, and 0.5 that was given up.
    const next = await UnderWay.open(folder.path());
    expect(next.lost).toBe(3.5);
    expect((await UnderWay.open(folder.path())).lost).toBe(3.5);
    next.reach(1);
    expect((await UnderWay.open(folder.path())).lost).toBe(4.5);
  });

  it("counts what was given up alone where a session ended, and leaves no file where nothing was sent", async () => {
    const ended = await UnderWay.open(folder.path());
    ended.close();
    expect(() => readFileSync(file())).toThrow("ENOENT");
    ended.reach(3);
    ended.lose(1);
    ended.close();
    expect((await UnderWay.open(folder.path())).lost).toBe(1);
  });

  it("takes a last line that a kill cut off away, and refuses what is none of its lines", async () => {
    const cut = await UnderWay.open(folder.path());
    cut.reach(2);
    appendFileSync(file(), '{"lost":0,"under');
    const next = await UnderWay.open(folder.path());
    expect(next.lost).toBe(2);
    next.reach(1);
    expect((await UnderWay.open(folder.path())).lost).toBe(3);
    for (const line of ['{"lost":-1,"under_way":0}', '{"lost":0}', "{}x", '{"lost":1e999,"under_way":0}']) {
      writeFileSync(file(), `${line}\n`);
      await expect(UnderWay.open(folder.path())).rejects.toThrow(
        /^Expected amounts as the last line of .*money\.jsonl/,
      );
    }
  });
});
