import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inOrder } from "../../../../src/suites/codereviewqa/audit/sequences.js";

async function* items(count: number) {
  for (let i = 0; i < count; i++) yield i;
}

async function collect<T>(generator: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of generator) found.push(each);
  return found;
}

const running = () => new AbortController().signal;

describe("work on several items at once", () => {
  it("gives results in the order of the items, whichever ends first", async () => {
    const work = async (i: number) => {
      await sleep((5 - i) * 4);
      return i * 10;
    };
    expect(await collect(inOrder(items(5), { concurrency: 3, signal: running() }, work))).toEqual([0, 10, 20, 30, 40]);
  });

  it.each([1, 2, 4])("never has more than %i under way", async (concurrency) => {
    let [now, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, ++now);
      await sleep(2);
      now--;
    };
    await collect(inOrder(items(12), { concurrency, signal: running() }, work));
    expect(most).toBe(concurrency);
  });

  it("gives what was done before a failure, then fails", async () => {
    const work = async (i: number) => {
      if (i === 2) throw new Error("no more");
      return i;
    };
    const found: number[] = [];
    const consume = async () => {
      for await (const i of inOrder(items(5), { concurrency: 4, signal: running() }, work)) found.push(i);
    };
    await expect(consume()).rejects.toThrow("no more");
    expect(found).toEqual([0, 1]);
  });

  it("ends without an error where it is aborted, and takes no more items", async () => {
    const controller = new AbortController();
    let taken = 0;
    const work = async (i: number) => {
      taken++;
      if (i === 3) controller.abort();
      controller.signal.throwIfAborted();
      return i;
    };
    expect(await collect(inOrder(items(10), { concurrency: 1, signal: controller.signal }, work))).toEqual([0, 1, 2]);
    expect(taken).toBe(4);
  });
});
