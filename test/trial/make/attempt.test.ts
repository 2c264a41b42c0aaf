import { expect, it } from "vitest";
import { isSpent, limitsLeft, meterOf } from "../../../src/trial/make/attempt.js";

const NOTHING = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

it("sums what attempts took, and knows no sum that is no exact count", () => {
  const most = Number.MAX_SAFE_INTEGER;
  const part = { ...NOTHING, calls: 2, promptTokens: most, costUsd: 1e308 };
  expect(meterOf([part])).toEqual({ ...NOTHING, calls: 2, promptTokens: most, costUsd: null, mostUsd: null });
  expect(meterOf([part, part])).toEqual({ ...NOTHING, calls: 4, promptTokens: null, costUsd: null, mostUsd: null });
  expect(meterOf([part, { ...part, calls: null }]).calls).toBeNull();
});

it("takes a budget for spent where it is, and where an attempt did not tell its cost", () => {
  const limits = { maxCalls: 50, timeLimitMs: null, budgetUsd: 1 };
  const costs = (...all: (number | null)[]) => all.map((costUsd) => ({ ...NOTHING, costUsd }));
  expect(isSpent(limits, costs(0.25, 0.5))).toBe(false);
  expect(isSpent(limits, costs(0.25, 0.75))).toBe(true);
  expect(isSpent(limits, costs(0.25, null))).toBe(true);
  expect(isSpent({ ...limits, budgetUsd: null }, costs(null))).toBe(false);
  // Nobody asked for the suite's own budget: a cost that cannot be told ends no trial.
  const usual = { ...limits, isUsualBudget: true };
  expect([costs(0.25, null), costs(0.25, 0.75)].map((each) => isSpent(usual, each))).toEqual([false, true]);
});

it("counts what was not told at the most that it may have cost, over phases and attempts", () => {
  const limits = { maxCalls: 50, timeLimitMs: null, budgetUsd: 1 };
  const untold = { ...NOTHING, costUsd: null, mostUsd: 0.5 };
  const told = { ...NOTHING, costUsd: 0.25, mostUsd: 0.25 };
  // 0.25 + 0.5: a quarter of the dollar is left, also where an attempt sums up its phases.
  const attempt = meterOf([told, untold]);
  expect(attempt).toMatchObject({ costUsd: null, mostUsd: 0.75 });
  expect(limitsLeft(limits, [told, untold])).toEqual({ ...limits, budgetUsd: 0.25 });
  expect(limitsLeft(limits, [attempt])).toEqual({ ...limits, budgetUsd: 0.25 });
  expect(isSpent(limits, [attempt])).toBe(false);
  expect(isSpent(limits, [attempt, told])).toBe(true);
});
