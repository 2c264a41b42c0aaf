import { describe, expect, it } from "vitest";
import {
  FitBalance,
  RankBalance,
  rankShares,
  standardised,
  standingsOf,
} from "../../../src/distractors/selection/rank-balance.js";

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

/** The truth first. */
const HIGH = [1, -1, 1, -1];
const LOW = [-1, 1, -1, 1];
const OTHER = [1, 1, -1, -1];

const leads = (...deviations: readonly (readonly number[])[]) => deviations.map(([own = 0]) => own);

describe("FitBalance", () => {
  it("is the square of the truths' deviations over information and ridge", () => {
    const balance = new FitBalance(1);
    // Before any question the information is the ridge, 1: (1)²/1.
    expect(balance.cost(leads(HIGH))).toBeCloseTo(1, 12);
    balance.add([HIGH]);
    // HIGH adds 4/4 = 1 to it: (1 + 1)²/2, and (1 − 1)²/2.
    expect(balance.cost(leads(HIGH))).toBeCloseTo(2, 12);
    expect(balance.cost(leads(LOW))).toBeCloseTo(0, 12);
  });

  it("counts two rules that say the same about once, and two that do not twice", () => {
    const same = new FitBalance(2);
    const apart = new FitBalance(2);
    for (let i = 0; i < 99; i++) {
      same.add([i % 2 === 0 ? HIGH : LOW, i % 2 === 0 ? HIGH : LOW]);
      apart.add([i % 2 === 0 ? HIGH : LOW, i % 2 === 0 ? OTHER : OTHER.map((score) => -score)]);
    }
    // Gradient with one more: (2, 2). Information: [[100, 99], [99, 100]] or 100 on the diagonal alone.
    // (2, 2) is its eigenvector with 199, or with 100: 8/199 and 8/100.
    expect(same.cost(leads(HIGH, HIGH))).toBeCloseTo(8 / 199, 12);
    expect(apart.cost(leads(HIGH, OTHER))).toBeCloseTo(8 / 100, 12);
  });

  it("is as before once a question is taken out again, and a copy goes its own way", () => {
    const balance = new FitBalance(2);
    balance.add([HIGH, OTHER]);
    const before = balance.cost(leads(LOW, OTHER));
    const copy = balance.copy();
    balance.add([LOW, HIGH]);
    expect(balance.cost(leads(LOW, OTHER))).not.toBeCloseTo(before, 6);
    expect(copy.cost(leads(LOW, OTHER))).toBe(before);
    balance.add([LOW, HIGH], -1);
    expect(balance.cost(leads(LOW, OTHER))).toBeCloseTo(before, 12);
  });

  it("leaves out the rules behind the fitted ones, and finds nothing without any", () => {
    expect(new FitBalance(1).cost(leads(HIGH, OTHER))).toBeCloseTo(1, 12);
    expect(new FitBalance(0).cost(leads(HIGH))).toBe(0);
  });
});
