import { describe, expect, it } from "vitest";
import { type SixRow, sixShares } from "../../../src/suites/codetaste/six-plans/six-part.js";

/** A choice: `alone`, or a number of the five, of which 3 was carried out. */
function row(picked: string | null, ifrAlone: number, ifrExecuted: number, again = picked): SixRow {
  return { runId: "r", agent: "a", task: "t", trial: 0, picked, again, executed: "3", ifrAlone, ifrExecuted };
}
const times = (count: number, made: SixRow) => Array.from({ length: count }, () => made);

describe("choices among six plans", () => {
  it("are right where the better of the two carried-out plans is picked; ties and what is not read are left out", () => {
    const rows = [
      row("alone", 0.5, 0.2),
      row("3", 0.5, 0.2),
      row("3", 0.1, 0.2),
      row("1", 0.5, 0.2, "2"),
      row("alone", 0.4, 0.4),
      row(null, 0.5, 0.2),
    ];
    const { accuracy, strict, steady, impliedIfr, notExecuted, n } = sixShares(rows);
    // Of three picks of either where they differ two are right; of four with the pick of another plan.
    expect([accuracy?.value, strict?.value]).toEqual([2 / 3, 2 / 4]);
    // Five are read, four of them the same twice; one is of a plan that nobody carried out.
    expect([steady?.value, notExecuted, n]).toEqual([4 / 5, 1, 5]);
    expect(impliedIfr).toBeCloseTo((0.5 + 0.2 + 0.2 + 0.4) / 4, 12);
  });

  it.each([
    ["GPT-5.2", 42, 57, 61, 73.7, 68.9],
    ["Sonnet 4.5", 34, 50, 55, 68.0, 61.8],
  ])("come to the printed shares by the counts behind them: %s", (_, right, evaluable, all, accuracy, strict) => {
    const rows = [
      ...times(right, row("alone", 1, 0)),
      ...times(evaluable - right, row("3", 1, 0)),
      ...times(all - evaluable, row("0", 1, 0)),
    ];
    const found = sixShares(rows);
    const percent = (value = 0) => Number((100 * value).toFixed(1));
    expect([percent(found.accuracy?.value), percent(found.strict?.value)]).toEqual([accuracy, strict]);
  });
});
