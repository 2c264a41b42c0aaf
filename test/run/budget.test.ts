import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { Budget, UnderWay } from "../../src/run/budget.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

describe("Budget", () => {
  it("sends as many as there is money for in the worst case, and the rest when others were cheaper", async () => {
    const budget = new Budget(10, 0);
    expect(await budget.reserve([4, 4, 4])).toBe(2);
    const third = budget.reserve([4]);
    budget.settle(4, 1);
    // 1 spent, 4 reserved: 5 + 4 fit 10.
    expect(await third).toBe(1);
    expect(budget.isOut).toBe(false);
  });

  it("is out only when nothing is under way that could come cheaper, and wakes all who wait", async () => {
    const budget = new Budget(10, 3);
    expect(await budget.reserve([6])).toBe(1);
    const waiting = [budget.reserve([2]), budget.reserve([5])];
    budget.settle(6, null);
    // 9 of 10 spent: neither fits.
    expect(await Promise.all(waiting)).toEqual([0, 0]);
    expect([budget.isOut, budget.spent]).toEqual([true, 9]);
    expect(await budget.reserve([0.5])).toBe(0);
  });

  it("is never passed by 64 at once, whatever each costs up to its worst", async () => {
    const draw = seededIntegers(3);
    const budget = new Budget(1, 0);
    let [asked, most] = [0, 0];
    const worker = async () => {
      for (;;) {
        const worst = draw(1, 40) / 1000;
        if ((await budget.reserve([worst])) === 0) return;
        asked++;
        await new Promise((resolve) => setImmediate(resolve));
        const cost = draw(0, 3) === 0 ? null : (worst * draw(0, 100)) / 100;
        budget.settle(worst, cost);
        most = Math.max(most, budget.spent);
      }
    };
    await Promise.all(Array.from({ length: 64 }, worker));
    expect(most).toBeLessThanOrEqual(1);
    // And it is used: what is left is less than the dearest request.
    expect(budget.spent).toBeGreaterThan(1 - 0.04);
    expect(asked).toBeGreaterThan(25);
  });
});

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
