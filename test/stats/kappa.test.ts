import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cohensKappa } from "../../src/stats/rater-agreement.js";

describe("Cohen's kappa", () => {
  it("is 0.4 for 20, 5, 10, 15, with the standard error of Fleiss, Cohen and Everitt", () => {
    const { n, observed, expected, kappa, standardError, low, high } = cohensKappa([
      [20, 5],
      [10, 15],
    ]);
    expect(n).toBe(50);
    // po = 35/50; rows .5 .5, columns .6 .4: pe = .5*.6 + .5*.4 = .5; kappa = .2/.5.
    expect(observed).toBeCloseTo(0.7, 12);
    expect(expected).toBeCloseTo(0.5, 12);
    expect(kappa).toBeCloseTo(0.4, 12);
    // Diagonal: .4 (.5 - 1.1*.3)^2 + .3 (.5 - .9*.3)^2 = .01156 + .01587 = .02743.
    // The rest: .3^2 (.1 (.6 + .5)^2 + .2 (.4 + .5)^2) = .09 * .283 = .02547. Last: (.35 - 1 + .7)^2 = .0025.
    // SE^2 = (.02743 + .02547 - .0025) / (50 * .5^4) = .0504 / 3.125 = .016128.
    expect(standardError).toBeCloseTo(Math.sqrt(0.016128), 12);
    // .4 ± 1.959964 * .1269961 = .4 ± .2489077.
    expect(low).toBeCloseTo(0.1510923, 6);
    expect(high).toBeCloseTo(0.6489077, 6);
  });

  it("is 0.6 for CodeTaste's 14, 1, 5, 10 (Table 2)", () => {
    // po = 24/30; rows 1/2, columns 19/30 and 11/30: pe = 1/2.
    expect(
      cohensKappa([
        [14, 1],
        [5, 10],
      ]).kappa,
    ).toBeCloseTo(0.6, 12);
  });

  it("is 7/11 over three categories; an interval that would pass 1 ends there", () => {
    const { kappa, standardError, low, high } = cohensKappa([
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, 1],
    ]);
    // po = 3/4; rows .25 .25 .5, columns .25 .5 .25: pe = .0625 + .125 + .125 = .3125; (.75 - .3125)/.6875 = 7/11.
    expect(kappa).toBeCloseTo(7 / 11, 12);
    // Diagonal: .25 (.6875 - .5*.25)^2 + 2 * .25 (.6875 - .75*.25)^2 = .0791015625 + .125. The rest: .25^2 * .25 *
    // (c3 + r2)^2 = .0625 * .25 * .5^2 = .00390625. Last: (.234375 - .625 + .75)^2 = .129150390625.
    // SE^2 = .078857421875 / (4 * .6875^4) = .078857421875 / .893615722656 = .0882453; SE = .2970611.
    expect(standardError).toBeCloseTo(0.2970611, 6);
    expect(low).toBeCloseTo(7 / 11 - 1.959964 * 0.2970611, 5);
    expect(high).toBe(1);
  });

  it("is 1 at perfect agreement, without an interval: its standard error is 0 whatever n is", () => {
    expect(
      cohensKappa([
        [3, 0],
        [0, 1],
      ]),
    ).toMatchObject({ n: 4, observed: 1, kappa: 1, standardError: 0, low: null, high: null });
  });

  it("is -1 when two annotators of like habits never agree", () => {
    // po = 0, pe = .5.
    expect(
      cohensKappa([
        [0, 2],
        [2, 0],
      ]).kappa,
    ).toBe(-1);
  });

  it("is absent when both used one and the same category: chance explains everything", () => {
    expect(
      cohensKappa([
        [7, 0],
        [0, 0],
      ]),
    ).toEqual({ n: 7, observed: 1, expected: 1, kappa: null, standardError: null, low: null, high: null });
  });

  it("is 0 when each used one category, but another: nothing was agreed, and nothing was to be expected", () => {
    expect(
      cohensKappa([
        [0, 5],
        [0, 0],
      ]),
    ).toMatchObject({ observed: 0, expected: 0, kappa: 0 });
  });

  it("is absent without examples, and has no interval at one", () => {
    expect(
      cohensKappa([
        [0, 0],
        [0, 0],
      ]),
    ).toEqual({ n: 0, observed: null, expected: null, kappa: null, standardError: null, low: null, high: null });
    expect(
      cohensKappa([
        [0, 1],
        [0, 0],
      ]),
    ).toMatchObject({ n: 1, kappa: 0, standardError: null, low: null, high: null });
  });

  it("stays within its range, inside its interval, and the same when the annotators change places", () => {
    const table = fc.array(fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(table, (counts) => {
        const agreement = cohensKappa(counts);
        const swapped = cohensKappa(counts.map((_, i) => counts.map((row) => row[i]!)));
        const { kappa, low, high } = agreement;
        if (kappa === null) return swapped.kappa === null;
        expect(swapped.kappa).toBeCloseTo(kappa, 9);
        expect(swapped.standardError ?? 0).toBeCloseTo(agreement.standardError ?? 0, 6);
        if (low === null || high === null) return kappa >= -1 && kappa <= 1;
        return -1 <= low && low <= kappa && kappa <= high && high <= 1;
      }),
      { seed: 1 },
    );
  });
});
