import { describe, expect, it } from "vitest";
import { RankBalance, rankShares, standardised, standingsOf } from "../../../src/distractors/selection/rank-balance.js";

describe("rankShares", () => {
  it.each([
    [
      [4, 3, 2, 1],
      [1, 0, 0, 0],
    ],
    [
      [1, 3, 2, 1],
      [0, 0, 0.5, 0.5],
    ],
    [
      [2, 2, 2, 2],
      [0.25, 0.25, 0.25, 0.25],
    ],
  ])("shares tied ranks: %j", (scores, shares) => {
    expect(rankShares(scores)).toEqual(shares);
  });
});

describe("standardised", () => {
  it("is in standard deviations of the question, and 0 without any", () => {
    // Mean 2, deviations 1, −1, 1, −1: SD 1.
    expect(standardised([3, 1, 3, 1])).toEqual([1, -1, 1, -1]);
    expect(standardised([5, 5, 5, 5])).toEqual([0, 0, 0, 0]);
  });
});

describe("RankBalance", () => {
  it("asks for the ranks that are missing", () => {
    const balance = new RankBalance();
    const [first, last] = [standingsOf([[4, 3, 2, 1]]), standingsOf([[1, 2, 3, 4]])];
    balance.add([[4, 3, 2, 1]]);
    expect(balance.cost(last)).toBeLessThan(balance.cost(first));
  });

  it("is even after one of each rank", () => {
    const balance = new RankBalance();
    for (const own of [4, 3, 2]) balance.add([[own, ...[1, 2, 3, 4].filter((score) => score !== own)]]);
    // The fourth rank: counts 1, 1, 1, 1, and leads that add up to 0.
    expect(balance.cost(standingsOf([[1, 2, 3, 4]]))).toBeCloseTo(0, 9);
  });

  it("counts a rule by its weight, and by 1 where it has none", () => {
    // The first rank alone: excess 3/4, −1/4, −1/4, −1/4, so 8 · 9/16 + 3/16; the lead (4 − 2.5)/√1.25, squared 1.8.
    const standings = standingsOf([
      [4, 3, 2, 1],
      [4, 3, 2, 1],
    ]);
    const one = 8 * (9 / 16) + 3 / 16 + 1.8;
    expect(new RankBalance().cost(standings)).toBeCloseTo(2 * one, 9);
    expect(new RankBalance({ weights: [3], fitted: 0 }).cost(standings)).toBeCloseTo(3 * one + one, 9);
  });

  it("counts what the first rules would find together, beside each by itself", () => {
    const standings = standingsOf([[4, 3, 2, 1]]);
    // One question: 3 · 1 · (3/√5)²/1, the information still being the ridge alone.
    const together = 3 * 1.8;
    expect(new RankBalance({ weights: [], fitted: 1 }).cost(standings)).toBeCloseTo(
      new RankBalance().cost(standings) + together,
      9,
    );
  });

  it("is as before once a question is taken out again", () => {
    const balance = new RankBalance();
    balance.add([[4, 3, 2, 1]]);
    const next = standingsOf([[2, 1, 3, 4]]);
    const before = balance.cost(next);
    balance.add([[1, 2, 3, 4]]);
    balance.add([[1, 2, 3, 4]], -1);
    expect(balance.cost(next)).toBeCloseTo(before, 12);
  });
});
