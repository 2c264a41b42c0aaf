import { expect, it } from "vitest";
import { isSpent, meterOf } from "../../../src/trial/make/attempt.js";

const NOTHING = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

it("sums what attempts took, and knows no sum that is no exact count", () => {
  const most = Number.MAX_SAFE_INTEGER;
  const part = { ...NOTHING, calls: 2, promptTokens: most, costUsd: 1e308 };
  expect(meterOf([part])).toEqual({ ...NOTHING, calls: 2, promptTokens: most, costUsd: null });
  expect(meterOf([part, part])).toEqual({ ...NOTHING, calls: 4, promptTokens: null, costUsd: null });
  expect(meterOf([part, { ...part, calls: null }]).calls).toBeNull();
});

it("takes a budget for spent where it is, and where an attempt did not tell its cost", () => {
  const limits = { maxCalls: 50, timeLimitMs: null, budgetUsd: 1 };
  const costs = (...all: (number | null)[]) => all.map((costUsd) => ({ ...NOTHING, costUsd }));
  expect(isSpent(limits, costs(0.25, 0.5))).toBe(false);
  expect(isSpent(limits, costs(0.25, 0.75))).toBe(true);
  expect(isSpent(limits, costs(0.25, null))).toBe(true);
  expect(isSpent({ ...limits, budgetUsd: null }, costs(null))).toBe(false);
});
