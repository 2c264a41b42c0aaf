import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { symbolsFor } from "../../../../src/base/symbol.js";
import { positionBias } from "../../../../src/suites/codereviewqa/metric/position-bias.js";
import { A, B, C, D } from "../../../fixtures/symbols.js";

describe("positionBias", () => {
  it("of a model that always says A is 1, with chi-square n(N-1)", () => {
    // n = 24, N = 4, expected 6 each: (24-6)²/6 + 3 * 6²/6 = 54 + 18 = 72 = 24 * 3
    expect(positionBias(new Map([[A, 24]]), [A, B, C, D])).toEqual({
      largestShare: 1,
      symbol: A,
      chiSquare: 72,
      n: 24,
    });
  });

  it("of equal counts is 1/N with chi-square 0, and names the first symbol", () => {
    const counts = new Map([
      [C, 8],
      [B, 8],
      [A, 8],
    ]);
    expect(positionBias(counts, [A, B, C])).toEqual({ largestShare: 1 / 3, symbol: A, chiSquare: 0, n: 24 });
  });

  it("adds up squared differences from the expected count", () => {
    // 1, 4, 1 of 6, expected 2: (1 + 4 + 1)/2 = 3
    const counts = new Map([
      [A, 1],
      [B, 4],
      [C, 1],
    ]);
    expect(positionBias(counts, [A, B, C])).toEqual({ largestShare: 4 / 6, symbol: B, chiSquare: 3, n: 6 });
  });

  it("is absent when nothing was chosen", () => {
    expect(positionBias(new Map(), [A, B, C])).toBeNull();
    expect(positionBias(new Map([[A, 0]]), [A, B, C])).toBeNull();
  });

  it("lies between no bias and always the same symbol", () => {
    const counts = fc.integer({ min: 2, max: 4 }).chain((n) => fc.array(fc.nat(50), { minLength: n, maxLength: n }));
    fc.assert(
      fc.property(counts, (values) => {
        const symbols = symbolsFor(values.length);
        const bias = positionBias(new Map(symbols.map((symbol, i) => [symbol, values[i]!])), symbols);
        fc.pre(bias !== null);
        expect(bias.largestShare).toBeGreaterThanOrEqual(1 / symbols.length);
        expect(bias.largestShare).toBeLessThanOrEqual(1);
        expect(bias.chiSquare).toBeGreaterThanOrEqual(0);
        expect(bias.chiSquare).toBeLessThanOrEqual(bias.n * (symbols.length - 1) + 1e-9);
      }),
      { seed: 1 },
    );
  });
});
