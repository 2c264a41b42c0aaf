import { describe, expect, it } from "vitest";
import { FitBalance } from "../../../src/distractors/selection/fit-balance.js";

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
