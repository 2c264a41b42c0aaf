import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { falseConfidence, passAtK, passHatK, proportion, retryModel } from "../../src/stats/interval.js";

// z = 1.9599640, z² = 3.8414588 in all derivations below.
const Z = 1.959963984540054;

describe("proportion (Wilson)", () => {
  it("is absent without observations", () => {
    expect(proportion(0, 0)).toBeNull();
  });

  it("of 5 in 10 has the interval worked out by hand", () => {
    // centre (0.5 + 3.8414588/20) / (1 + 0.38414588) = 0.69207294/1.38414588 = 0.5
    // half   1.9599640/1.38414588 * sqrt(0.25/10 + 3.8414588/400) = 1.4160097 * sqrt(0.03460365) = 0.2634069
    const estimate = proportion(5, 10);
    expect(estimate?.value).toBe(0.5);
    expect(estimate?.low).toBeCloseTo(0.2365931, 6);
    expect(estimate?.high).toBeCloseTo(0.7634069, 6);
  });

  it("of 0 in 10 begins at 0 and ends at z²/(n + z²)", () => {
    // 3.8414588 / 13.8414588 = 0.2775328
    const estimate = proportion(0, 10);
    expect(estimate).toMatchObject({ value: 0, low: 0 });
    expect(estimate?.high).toBeCloseTo(0.2775328, 6);
  });

  it("of 10 in 10 ends at 1 and begins at n/(n + z²)", () => {
    // 10 / 13.8414588 = 0.7224672
    const estimate = proportion(10, 10);
    expect(estimate).toMatchObject({ value: 1, high: 1 });
    expect(estimate?.low).toBeCloseTo(0.7224672, 6);
  });

  it("has an interval for a single observation too", () => {
    // 1 / (1 + 3.8414588) = 0.2065493
    expect(proportion(1, 1)?.low).toBeCloseTo(0.2065493, 6);
  });

  it("ends where the observed share is z standard errors away", () => {
    const counts = fc
      .integer({ min: 2, max: 2000 })
      .chain((n) => fc.tuple(fc.integer({ min: 1, max: n - 1 }), fc.constant(n)));
    fc.assert(
      fc.property(counts, ([successes, n]) => {
        const { value, low, high } = proportion(successes, n)!;
        for (const p of [low!, high!]) expect(Math.abs(value - p)).toBeCloseTo(Z * Math.sqrt((p * (1 - p)) / n), 9);
        expect(low).toBeGreaterThan(0);
        expect(low).toBeLessThan(value);
        expect(high).toBeGreaterThan(value);
        expect(high).toBeLessThan(1);
      }),
      { seed: 1 },
    );
  });

  it("holds its value and stays within 0 and 1 for every count up to 300", () => {
    for (let n = 1; n <= 300; n++) {
      for (let k = 0; k <= n; k++) {
        const { value, low, high } = proportion(k, n)!;
        if (low! < 0 || low! > value || value > high! || high! > 1)
          expect.fail(`${k} of ${n}: ${low} ${value} ${high}`);
        // The same interval seen from the other side.
        if (Math.abs(low! - (1 - proportion(n - k, n)!.high!)) > 1e-12) expect.fail(`${k} of ${n} is not symmetric`);
      }
    }
  });

  it("gives the published intervals of RefactorBench-JS, 123 fixtures (Table 3), and the half-widths of SWE Atlas", () => {
    // Percent, as printed; the first is 29 of 123: 16.9–31.8.
    const published = [
      [29, 16.9, 31.8],
      [17, 8.8, 21.0],
      [28, 16.2, 30.9],
      [21, 11.4, 24.7],
      [16, 8.2, 20.1],
      [13, 6.3, 17.2],
      [18, 9.5, 21.9],
      [15, 7.5, 19.1],
      [22, 12.1, 25.6],
      [31, 18.4, 33.5],
    ] as const;
    for (const [passes, low, high] of published) {
      const found = proportion(passes!, 123)!;
      expect((found.low! * 100).toFixed(1)).toBe(low!.toFixed(1));
      expect((found.high! * 100).toFixed(1)).toBe(high!.toFixed(1));
    }
    // 852 trials: a published score and half of the width of its interval, percent. The counts are score × 852.
    for (const [score, half] of [
      [43.49, 3.32],
      [41.89, 3.31],
      [15.2, 2.41],
    ] as const) {
      const { low, high } = proportion((score / 100) * 852, 852)!;
      expect(((high! - low!) * 50).toFixed(2)).toBe(half.toFixed(2));
    }
  });
});

describe("Pass@k and Pass^k", () => {
  it("of 2 passed in 5 trials count the draws of two", () => {
    // C(5,2) = 10 draws: C(3,2) = 3 without a pass, C(2,2) = 1 of passes alone.
    expect(passAtK(2, 5, 2)).toBeCloseTo(7 / 10, 12);
    expect(passHatK(2, 5, 2)).toBeCloseTo(1 / 10, 12);
  });

  it("are the pass rate at k = 1", () => {
    expect(passAtK(3, 8, 1)).toBeCloseTo(3 / 8, 12);
    expect(passHatK(3, 8, 1)).toBeCloseTo(3 / 8, 12);
  });

  it("are one and nought where a draw cannot miss, or cannot be of passes alone", () => {
    // Three of four passed: any two hold a pass. One of four: no two are both passes.
    expect(passAtK(3, 4, 2)).toBe(1);
    expect(passHatK(1, 4, 2)).toBe(0);
    expect([passAtK(0, 4, 2), passHatK(0, 4, 2), passAtK(4, 4, 4), passHatK(4, 4, 4)]).toEqual([0, 0, 1, 1]);
  });

  it("are absent with fewer trials than are drawn", () => {
    expect(passAtK(2, 2, 3)).toBeNull();
    expect(passHatK(2, 2, 3)).toBeNull();
  });

  it("agree with binomial coefficients that a double cannot hold", () => {
    // 1 − C(1000,100)/C(2000,100): each factor (1000 − i)/(2000 − i) is below 1/2.
    expect(1 - passAtK(1000, 2000, 100)!).toBeLessThan(2 ** -99);
    expect(passHatK(1000, 2000, 100)).toBeGreaterThan(0);
  });
});

describe("the retry model", () => {
  /**
   * RefactorBench-JS, 123 fixtures, Tables 3 and 13: passes, mean minutes and dollars as printed, then percent passed
   * within three attempts, dollars and minutes a success.
   */
  const PUBLISHED = [
    [29, 8.9, 1.373, 55.4, 5.82, 37.7],
    [17, 6.6, 2.907, 36.0, 21.03, 47.8],
    [28, 12.1, 1.921, 53.9, 8.44, 53.2],
    [21, 6.7, 1.357, 43.0, 7.95, 39.2],
    [17, 7.6, 2.078, 36.0, 15.03, 55.0],
    [16, 6.5, 1.807, 34.2, 13.89, 50.0],
    [13, 5.5, 0.005, 28.5, 0.05, 52.0],
    [16, 4.6, 0.006, 34.2, 0.05, 35.4],
    [18, 7.3, 0.32, 37.8, 2.19, 49.9],
    [15, 4.4, 0.206, 32.3, 1.69, 36.1],
    [21, 14.9, 1.572, 43.0, 9.21, 87.3],
    [22, 18.9, 1.561, 44.6, 8.73, 105.7],
    [31, 9.5, 3.486, 58.2, 13.83, 37.7],
    [22, 13.8, 2.171, 44.6, 12.14, 77.2],
  ] as const;

  it.each(PUBLISHED)("gives the published row of %i passes", (passes, minutes, dollars, within, usd, min) => {
    const { success, attemptsPerSuccess } = retryModel(passes / 123);
    expect((success * 100).toFixed(1)).toBe(within.toFixed(1));
    expect((dollars * attemptsPerSuccess!).toFixed(2)).toBe(usd.toFixed(2));
    expect((minutes * attemptsPerSuccess!).toFixed(1)).toBe(min.toFixed(1));
  });

  it("makes p + 2(1 − p)p + 3(1 − p)² attempts, 1/p of them a success", () => {
    // p = 1/4: 1/4 + 2 · 3/16 + 3 · 9/16 = 37/16; P = 1 − 27/64 = 37/64; E/P = 4.
    expect(retryModel(0.25)).toEqual({ success: 37 / 64, attempts: 37 / 16, attemptsPerSuccess: 4 });
    expect(retryModel(1)).toEqual({ success: 1, attempts: 1, attemptsPerSuccess: 1 });
    expect(retryModel(0.25, 1)).toEqual({ success: 0.25, attempts: 1, attemptsPerSuccess: 4 });
  });

  it("never succeeds at p = 0: all attempts are made, and none is a success's", () => {
    expect(retryModel(0)).toEqual({ success: 0, attempts: 3, attemptsPerSuccess: null });
  });
});

describe("false confidence", () => {
  it.each([
    // RefactorBench-JS, Table 5: reported successes, those that failed, percent.
    [62, 35, 56.5],
    [89, 72, 80.9],
    [53, 26, 49.1],
    [63, 42, 66.7],
    [62, 46, 74.2],
    [60, 45, 75.0],
    [28, 20, 71.4],
    [39, 25, 64.1],
    [82, 64, 78.0],
    [91, 76, 83.5],
    [108, 88, 81.5],
    [107, 86, 80.4],
    [98, 68, 69.4],
    [76, 55, 72.4],
  ])("of %i reported and %i failed is the published %f %", (reported, failed, percent) => {
    expect((falseConfidence({ reported, failed })!.value * 100).toFixed(1)).toBe(percent.toFixed(1));
  });

  it("is absent, and not 0, when no success was reported", () => {
    expect(falseConfidence({ reported: 0, failed: 0 })).toBeNull();
  });
});
