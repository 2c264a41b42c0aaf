import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FailureGuard, workAtOnce } from "../../src/run/asking.js";
import { makeAnswer, UNAVAILABLE } from "../fixtures/answer.js";
import { makeGeneration } from "../fixtures/generation.js";

async function* count(to: number): AsyncGenerator<number> {
  for (let i = 0; i < to; i++) yield i;
}
const never = () => false;

describe("workAtOnce", () => {
  it("works on every item once, so many at a time", async () => {
    const done: number[] = [];
    let [now, most] = [0, 0];
    await workAtOnce(count(20), 4, never, async (item) => {
      most = Math.max(most, ++now);
      await wait(item % 3);
      now--;
      done.push(item);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
    expect(most).toBe(4);
  });

  it("takes no further item once it is over, and finishes what is under way", async () => {
    const done: number[] = [];
    let isOver = false;
    await workAtOnce(
      count(20),
      2,
      () => isOver,
      async (item) => {
        if (item === 3) isOver = true;
        await wait(5);
        done.push(item);
      },
    );
    // Two at a time: 2 and 3 are under way when it ends.
    expect(done.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  });

  it("throws what an item threw, after the others that are under way", async () => {
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 0) throw new Error("broken");
      await wait(5);
      done.push(item);
    };
    await expect(workAtOnce(count(20), 3, never, work)).rejects.toThrow("broken");
    expect(done).toEqual([1, 2]);
  });
});

/** A failure that differs from the next in the request's hash alone. */
const refused = (request: number) =>
  makeGeneration({
    outcome: {
      status: "failed",
      failure: "unavailable",
      detail: `HTTP 500; request sha256 ${String(request).padStart(64, "0")}`,
    },
  });

describe("FailureGuard", () => {
  it("gives a model up after 20 generations in a row that failed alike", () => {
    const guard = new FailureGuard();
    for (let i = 1; i < 20; i++) expect(guard.isHopeless(refused(i))).toBe(false);
    expect(guard.isHopeless(refused(20))).toBe(true);
    expect(guard.gaveUp).toEqual({ detail: "HTTP 500", failures: 20 });
  });

  it("begins to count anew after a success, and after another failure", () => {
    for (const between of [makeGeneration(), makeAnswer(), makeAnswer({ outcome: UNAVAILABLE })]) {
      const guard = new FailureGuard();
      for (let i = 0; i < 19; i++) guard.isHopeless(refused(i));
      guard.isHopeless(between);
      for (let i = 0; i < 19; i++) expect(guard.isHopeless(refused(i))).toBe(false);
    }
  });

  it("does not give up on failures that lie in the prompts", () => {
    const guard = new FailureGuard();
    const tooLong = makeGeneration({ outcome: { status: "failed", failure: "context_overflow", detail: "too long" } });
    for (let i = 0; i < 100; i++) expect(guard.isHopeless(tooLong)).toBe(false);
  });
});
