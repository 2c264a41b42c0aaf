import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { proportion } from "../../src/stats/interval.js";

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
