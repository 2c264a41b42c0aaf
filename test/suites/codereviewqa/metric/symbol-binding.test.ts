import { describe, expect, it } from "vitest";
import { symbolBindingGate } from "../../../../src/suites/codereviewqa/metric/symbol-binding.js";
import { makeScore } from "../../../fixtures/question-score.js";

/** Questions of three options whose plurality option was chosen in k of six orders. */
function questions(...ks: (number | null)[]) {
  return ks.map((k) => makeScore({ pluralityAgreement: k === null ? null : k / 6 }));
}

describe("symbolBindingGate", () => {
  it("fails a model that always says A: its agreement is 1/N, below guessing", () => {
    const gate = symbolBindingGate(questions(2, 2, 2, 2), 3);
    // k = 2 is the least there is: every guesser reaches it
    expect(gate).toMatchObject({ status: "failed", measured: { agreement: 1 / 3, pValue: 1, n: 4 } });
  });

  it("fails an agreement that guessing reaches in more than 1 of 100 cases", () => {
    // one question, k = 5: 39 of 729 outcomes, p = 0.0535
    const gate = symbolBindingGate(questions(5), 3);
    expect(gate.status).toBe("failed");
    expect(gate.status !== "unknown" && gate.measured.pValue).toBeCloseTo(39 / 729, 12);
  });

  it("passes an agreement that guessing reaches in less than 1 of 100 cases", () => {
    // one question, k = 6: 3 of 729 outcomes, p = 0.0041
    const gate = symbolBindingGate(questions(6), 3);
    expect(gate.status).toBe("passed");
    expect(gate.status !== "unknown" && gate.measured.pValue).toBeCloseTo(3 / 729, 12);
  });

  it("fails an agreement above 1/N that guessing explains", () => {
    // k = 3 in every question: agreement 0.5, above 1/3, below the mean of guessing, 0.539
    const gate = symbolBindingGate(questions(...Array.from({ length: 50 }, () => 3)), 3);
    expect(gate.status).toBe("failed");
    expect(gate.status !== "unknown" && gate.measured.nullMean).toBeCloseTo(0.5390947, 6);
  });

  it("measures only questions with every order answered", () => {
    expect(symbolBindingGate(questions(6, null, 6), 3)).toMatchObject({ measured: { agreement: 1, n: 2 } });
  });

  it("is unknown where guessing explains full agreement too", () => {
    const asked = (n: number, permutations: number) =>
      symbolBindingGate(
        Array.from({ length: n }, () => makeScore({ permutations, pluralityAgreement: 1 })),
        3,
      );
    // One question under 3 orders: 3 of 27 outcomes agree in all, p = 0.11. Three such questions: 1/729 = 0.0014.
    expect(asked(1, 3)).toEqual({ status: "unknown" });
    expect(asked(3, 3)).toMatchObject({ status: "passed", measured: { agreement: 1 } });
    // Under a single order every answer agrees with itself.
    expect(asked(100, 1)).toEqual({ status: "unknown" });
  });

  it("is unknown when no question was answered under all orders", () => {
    expect(symbolBindingGate(questions(null), 3)).toEqual({ status: "unknown" });
    expect(symbolBindingGate([], 3)).toEqual({ status: "unknown" });
  });
});
