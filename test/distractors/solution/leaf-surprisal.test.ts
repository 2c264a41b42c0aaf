import { describe, expect, it } from "vitest";
import type { Logprob } from "../../../src/base/symbol.js";
import { meanSurprisalBits } from "../../../src/distractors/solution/masked-leaf.js";

const halves = (...powers: (number | null)[]) =>
  powers.map((power) => (power === null ? null : ((-power * Math.LN2) as Logprob)));

describe("meanSurprisalBits", () => {
  // "foo bar": tokens `foo` (P = 1/2), ` b` (1/8), `ar` (1/32): 1, 3 and 5 bits.
  const scores = { ends: [3, 5, 7], logprobs: halves(1, 3, 5) };

  it("is the mean of −log2 P over the tokens of the range, in bits", () => {
    // `bar` (4 to 7) is ` b` and `ar`: (3 + 5) / 2.
    expect(meanSurprisalBits(scores, { start: 4, end: 7 })).toBeCloseTo(4, 12);
    expect(meanSurprisalBits(scores, { start: 0, end: 3 })).toBeCloseTo(1, 12);
  });

  it("counts a token whole that the range begins or ends in", () => {
    // `oo b` (1 to 5): `foo` and ` b`.
    expect(meanSurprisalBits(scores, { start: 1, end: 5 })).toBeCloseTo(2, 12);
  });

  it("is absent where a token was not predicted, or there is none", () => {
    expect(meanSurprisalBits({ ends: [3, 5], logprobs: halves(null, 3) }, { start: 0, end: 3 })).toBeNull();
    expect(meanSurprisalBits(scores, { start: 7, end: 9 })).toBeNull();
    expect(meanSurprisalBits({ ends: [], logprobs: [] }, { start: 0, end: 3 })).toBeNull();
  });
});
