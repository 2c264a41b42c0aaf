import { describe, expect, it } from "vitest";
import type { SummaryRow } from "../../../../src/suites/codereviewqa/metric/summary-row.js";
import { judgeForm, verdictText } from "../../../../src/suites/codereviewqa/report/verdict.js";
import { C } from "../../../fixtures/symbols.js";

/** Looks up values by metric; the note says nothing that a program reads. */
const metrics = (values: Readonly<Record<string, number | null>>) => (name: string) =>
  name in values
    ? ({
        metric: name,
        value: values[name],
        note: "reworded",
        detail: { symbol: C },
      } as Partial<SummaryRow> as SummaryRow)
    : undefined;

const BOUND = { mcsb_gate: 1, plurality_agreement: 0.9, plurality_agreement_null: 0.358, position_bias: 0.61 };

describe("whether answers may be interpreted", () => {
  it("is yes with agreement above guessing", () => {
    const verdict = judgeForm(metrics({ ...BOUND, invariant_accuracy: 0.5 }));
    expect(verdict).toMatchObject({ status: "yes", agreement: 0.9, guessing: 0.358 });
    expect(verdictText(verdict)).toBe("yes (agreement 0.900, guessing 0.358)");
  });

  it("is barely with an agreement that is higher than guessing explains, but little higher", () => {
    // (0.42 − 0.358) / (1 − 0.358) = 0.097 of the way to full agreement; 0.43: 0.112.
    const agreeing = (agreement: number) => judgeForm(metrics({ ...BOUND, plurality_agreement: agreement }));
    expect(agreeing(0.42).status).toBe("barely");
    expect(verdictText(agreeing(0.42))).toBe(
      "barely: the model hardly binds letters to options (agreement 0.420, guessing 0.358)",
    );
    expect(agreeing(0.43).status).toBe("yes");
  });

  it("says so where the score is one of always answering the commonest type", () => {
    const verdict = judgeForm(metrics({ ...BOUND, invariant_accuracy: 0.75, floor_majority: 0.75 }));
    expect(verdict.status).toBe("below_floor");
    expect(verdictText(verdict)).toMatch(/not above the majority floor 0\.750$/);
  });

  it("is NO without, and names the letter from data, however the note is worded", () => {
    const verdict = judgeForm(metrics({ ...BOUND, mcsb_gate: 0 }));
    expect(verdict).toMatchObject({ status: "no", commonest: { symbol: "C", share: 0.61 } });
    expect(verdictText(verdict)).toContain("C is 61 % of its answers");
  });

  it("is unknown where agreement was not measured", () => {
    expect(judgeForm(metrics({ mcsb_gate: null })).status).toBe("unknown");
    expect(judgeForm(metrics({})).status).toBe("unknown");
  });
});
