import { describe, expect, it } from "vitest";
import { mostOptions, mostOrders } from "../../../../src/suites/codereviewqa/record/most-options.js";

const form = (options?: number) => ({
  task: "X",
  difficulty: null,
  questions: 1,
  skipped: 0,
  ...(options === undefined ? {} : { options }),
});

describe("mostOrders", () => {
  it("is N! of the form with the most options", () => {
    // 3! = 6, 5! = 120
    expect(mostOrders({ forms: [form(3)] })).toBe(6);
    expect(mostOptions({ forms: [form(3), form(5)] })).toBe(5);
    expect(mostOrders({ forms: [form(3), form(5)] })).toBe(120);
  });

  it("is 24 for a run that was recorded when four were the most", () => {
    expect(mostOrders({ forms: [form()] })).toBe(24);
  });
});
