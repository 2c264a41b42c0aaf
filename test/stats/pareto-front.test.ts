import { describe, expect, it } from "vitest";
import { paretoFront } from "../../src/stats/pareto-front.js";

const of = (cost: number, score: number) => ({ cost, score });

describe("the front of scores against costs", () => {
  it("is of those that no other is both cheaper than and better, by cost", () => {
    // 2 at .5 is beaten by 1 at .5 (cheaper, as good), 3 at .4 by 2 at .5 (cheaper and better).
    expect(paretoFront([of(3, 0.4), of(4, 0.9), of(2, 0.5), of(1, 0.5)])).toEqual([of(1, 0.5), of(4, 0.9)]);
  });

  it("keeps equals: neither beats the other", () => {
    expect(paretoFront([of(1, 0.5), of(1, 0.5)])).toHaveLength(2);
  });
});
