import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { asCompleted } from "../../../src/model/server/server-symbols.js";
import { collect } from "../../fixtures/collect.js";

/** Promises that settle when told to. */
function deferred(count: number): {
  promises: Promise<number>[];
  resolve: (i: number) => Promise<void>;
  reject: (i: number, error: Error) => Promise<void>;
} {
  const settle: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const promises = Array.from(
    { length: count },
    () => new Promise<number>((resolve, reject) => settle.push({ resolve, reject })),
  );
  return {
    promises,
    resolve: async (i) => {
      settle[i]?.resolve(i);
      await setImmediate();
    },
    reject: async (i, error) => {
      settle[i]?.reject(error);
      await setImmediate();
    },
  };
}

describe("asCompleted", () => {
  it("yields in the order of settling", async () => {
    const { promises, resolve } = deferred(3);
    const all = collect(asCompleted(promises));
    for (const i of [2, 0, 1]) await resolve(i);
    expect(await all).toEqual([2, 0, 1]);
  });

  it("yields what is settled before the rest is", async () => {
    const { promises, resolve } = deferred(3);
    const replies = asCompleted(promises);
    const first = replies.next();
    await resolve(1);
    expect(await first).toEqual({ done: false, value: 1 });
  });

  it("throws a rejection at its turn, after what came before it", async () => {
    const { promises, resolve, reject } = deferred(3);
    const replies = asCompleted(promises);
    const first = replies.next();
    await resolve(2);
    await reject(0, new Error("no"));
    expect(await first).toEqual({ done: false, value: 2 });
    await expect(replies.next()).rejects.toThrow("no");
  });

  it("leaves no rejection unhandled when its reader stops", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const { promises, resolve, reject } = deferred(2);
    const replies = asCompleted(promises);
    const first = replies.next();
    await resolve(0);
    await first;
    await replies.return(undefined);
    await reject(1, new Error("late"));
    await setImmediate();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("yields nothing for nothing", async () => {
    expect(await collect(asCompleted([]))).toEqual([]);
  });
});
