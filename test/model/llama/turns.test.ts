import { describe, expect, it } from "vitest";
import { Turns } from "../../../src/model/llama/cached-sequence.js";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("Turns", () => {
  it("does one piece of work after the other, in the order of asking", async () => {
    const turns = new Turns();
    const log: string[] = [];
    const work = (name: string, ms: number) => async () => {
      log.push(`${name} begins`);
      await pause(ms);
      log.push(`${name} ends`);
      return name;
    };
    // The first takes longest: without turns it would end last.
    const names = await Promise.all([turns.take(work("a", 30)), turns.take(work("b", 10)), turns.take(work("c", 0))]);
    expect(names).toEqual(["a", "b", "c"]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("goes on after work that failed, and tells its asker", async () => {
    const turns = new Turns();
    const failing = turns.take(() => Promise.reject(new Error("no")));
    const next = turns.take(() => Promise.resolve("yes"));
    await expect(failing).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });
});
