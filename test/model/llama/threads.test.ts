import { afterEach, describe, expect, it, vi } from "vitest";
import { coresOfQuota, EngineThreads, mostThreads, type ProcessorTimes } from "../../../src/model/llama/threads.js";

const LARGE = 500_000_000;
const SMALL = 10_000_000;

describe("mostThreads", () => {
  it("gives a small file one thread, a large one a core each, and anyone what was asked for", () => {
    expect(mostThreads({ threads: 0 }, SMALL, 8)).toBe(1);
    expect(mostThreads({ threads: 0 }, LARGE, 8)).toBe(8);
    expect(mostThreads({ threads: 3 }, SMALL, 8)).toBe(3);
    expect(mostThreads({ threads: 3 }, LARGE, 2)).toBe(3);
  });

  it("gives one thread where less than two cores may be used", () => {
    // A quota of 1.9 cores would stop two threads in every period; one of 0.5 is one thread that is stopped.
    expect(mostThreads({ threads: 0 }, LARGE, 1.9)).toBe(1);
    expect(mostThreads({ threads: 0 }, LARGE, 0.5)).toBe(1);
  });
});

describe("coresOfQuota", () => {
  it("reads the quota of a control group, and none where there is none", () => {
    expect(coresOfQuota("250000 100000\n")).toBe(2.5);
    expect(coresOfQuota("max 100000\n")).toBe(Number.POSITIVE_INFINITY);
    expect(coresOfQuota("")).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("EngineThreads", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Threads of an engine on four cores, on which each look finds the next of these milliseconds spent. */
  function threadsAt(spent: readonly Omit<ProcessorTimes, "cores">[]) {
    const engine = { maxThreads: 0 };
    const sums = { idleMs: 0, busyMs: 0, ownMs: 0 };
    let looks = -1;
    const read = () => {
      const { idleMs = 0, busyMs = 0, ownMs = 0 } = spent[looks++] ?? {};
      sums.idleMs += idleMs;
      sums.busyMs += busyMs;
      sums.ownMs += ownMs;
      return { cores: 4, ...sums };
    };
    return { engine, threads: new EngineThreads(engine, { most: 4, isFixed: false, read }) };
  }

  it("begins with one thread, and then uses the cores that no other process uses", () => {
    const { engine, threads } = threadsAt([
      // A second on four cores is 4,000 ms. All of it idle: 4 cores.
      { idleMs: 4000, busyMs: 0, ownMs: 0 },
      // All busy by our own threads: 4 cores are ours.
      { idleMs: 0, busyMs: 4000, ownMs: 4000 },
      // Others take 2,200 of the 4,000: 1.8 cores are left, and 0.2 of the second may be shared.
      { idleMs: 0, busyMs: 4000, ownMs: 1800 },
      // Others take 2,400: 1.6 cores are left, which is one.
      { idleMs: 1000, busyMs: 3000, ownMs: 600 },
      // Others take all but what one thread gets.
      { idleMs: 0, busyMs: 4000, ownMs: 400 },
    ]);
    const allowed = [engine.maxThreads];
    for (let look = 0; look < 5; look++) {
      threads.look();
      allowed.push(engine.maxThreads);
    }
    threads.close();
    expect(allowed).toEqual([1, 4, 4, 2, 1, 1]);
  });

  it("keeps what it allowed where no time has passed", () => {
    const { engine, threads } = threadsAt([
      { idleMs: 4000, busyMs: 0, ownMs: 0 },
      { idleMs: 0, busyMs: 0, ownMs: 0 },
    ]);
    threads.look();
    threads.look();
    threads.close();
    expect(engine.maxThreads).toBe(4);
  });

  it("opens a context for all its threads, and goes back to those that are free, if the opening fails too", async () => {
    const { engine, threads } = threadsAt([]);
    const seen = await threads.opening(async (count) => [count, engine.maxThreads]);
    expect([seen, engine.maxThreads]).toEqual([[4, 4], 1]);
    await expect(threads.opening(() => Promise.reject(new Error("no memory")))).rejects.toThrow("no memory");
    threads.close();
    expect(engine.maxThreads).toBe(1);
  });

  it("looks at the machine every second until it is closed", () => {
    vi.useFakeTimers();
    const { engine, threads } = threadsAt([
      { idleMs: 4000, busyMs: 0, ownMs: 0 },
      { idleMs: 1000, busyMs: 3000, ownMs: 1000 },
      { idleMs: 4000, busyMs: 0, ownMs: 0 },
    ]);
    vi.advanceTimersByTime(1000);
    expect(engine.maxThreads).toBe(4);
    vi.advanceTimersByTime(1000);
    expect(engine.maxThreads).toBe(2);
    threads.close();
    vi.advanceTimersByTime(5000);
    expect(engine.maxThreads).toBe(2);
  });

  it("leaves alone what was asked for, and a single thread", () => {
    vi.useFakeTimers();
    const read = () => ({ cores: 4, idleMs: 0, busyMs: performance.now(), ownMs: 0 });
    const [fixed, single] = [{ maxThreads: 0 }, { maxThreads: 0 }];
    new EngineThreads(fixed, { most: 3, isFixed: true, read });
    new EngineThreads(single, { most: 1, isFixed: false, read });
    vi.advanceTimersByTime(5000);
    expect([fixed.maxThreads, single.maxThreads]).toEqual([3, 1]);
  });
});
