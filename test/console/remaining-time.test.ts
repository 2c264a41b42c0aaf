import { describe, expect, it } from "vitest";
import { RemainingTime } from "../../src/console/progress.js";

const S = 1_000;

describe("the time that is left", () => {
  it("is not known before something came, and a few seconds have passed", () => {
    const time = new RemainingTime(0, 0);
    expect(time.leftMs(100, 10 * S)).toBeNull();
    time.note(1, 2 * S);
    expect(time.leftMs(100, 2 * S)).toBeNull();
    time.note(2, 4 * S);
    // 2 in 4 s; 98 are left.
    expect(time.leftMs(100, 4 * S)).toBe(196 * S);
  });

  it("does not count what was there before", () => {
    const time = new RemainingTime(90, 0);
    time.note(95, 10 * S);
    // 5 in 10 s; 5 are left.
    expect(time.leftMs(100, 10 * S)).toBe(10 * S);
  });

  it("goes by the rate of the last minute", () => {
    const time = new RemainingTime(0, 0);
    // One a second for 100 s, then ten a second for 60 s.
    for (let second = 1; second <= 100; second++) time.note(second, second * S);
    for (let second = 1; second <= 60; second++) time.note(100 + 10 * second, (100 + second) * S);
    // 700 are done; 300 are left, at ten a second.
    expect(time.leftMs(1_000, 160 * S)).toBe(30 * S);
  });

  it("goes by what came last where nothing came for more than a minute", () => {
    const time = new RemainingTime(0, 0);
    time.note(1, 100 * S);
    time.note(2, 200 * S);
    time.note(2, 290 * S);
    // From 1 at 100 s: one in 190 s; 8 are left.
    expect(time.leftMs(10, 290 * S)).toBe(8 * 190 * S);
  });

  it("is never none while something is left", () => {
    const time = new RemainingTime(0, 0);
    time.note(99_999, 10 * S);
    expect(time.leftMs(100_000, 10 * S)).toBe(S);
  });
});
