import { describe, expect, it } from "vitest";
import {
  estimateTime,
  type MeasuredQuestion,
} from "../../../../../src/suites/codereviewqa/ask/preview/measure-time.js";

const question = (
  form: string,
  bytes: number,
  ms: number,
  evaluatedTokens: number | null = null,
): MeasuredQuestion => ({
  form,
  bytes,
  leastMs: ms,
  mostMs: ms,
  evaluatedTokens,
});

describe("estimateTime", () => {
  it("has each form by its own ratio of time to bytes, with a fifth as margin where all are alike", () => {
    const forms = [
      { name: "CTR", questions: 10, bytes: 1_000 },
      { name: "CL", questions: 10, bytes: 4_000 },
    ];
    const measured = [
      question("CTR", 100, 10, 5),
      question("CTR", 300, 30, 15),
      question("CL", 400, 80, 40),
      question("CL", 400, 80, 40),
    ];
    // CTR 0.1 ms a byte: 100 ms; CL 0.2: 800 ms; no spread: 900 ± 180. Tokens 0.05 and 0.1 a byte: 50 + 400.
    expect(estimateTime(forms, measured)).toEqual({ leastMs: 720, mostMs: 1_080, tokensToEvaluate: 450 });
  });

  it("has a wider margin the more questions differ", () => {
    const forms = [{ name: "CL", questions: 100, bytes: 10_000 }];
    const { leastMs, mostMs } = estimateTime(forms, [question("CL", 100, 50), question("CL", 100, 150)]);
    // One ms a byte: 10,000 ms. Deviations −50 and 50: s = √5000 = 70.71; error 100 · 70.71 / √2 = 5,000; twice: 10,000.
    expect(leastMs).toBeCloseTo(0, 6);
    expect(mostMs).toBeCloseTo(20_000, 6);
  });

  it("has a form that was not measured by all that was, and one question as 30 % from others", () => {
    const forms = [{ name: "SI", questions: 10, bytes: 1_000 }];
    // 1,000 ms; error 10 · 0.3 · 100 = 300, twice 600.
    expect(estimateTime(forms, [question("CL", 100, 100)])).toEqual({
      leastMs: 400,
      mostMs: 1_600,
      tokensToEvaluate: null,
    });
  });

  it("spans from what was asked of a question to all of it", () => {
    const forms = [{ name: "ACR", questions: 2, bytes: 200 }];
    const bounds = { form: "ACR", bytes: 100, leastMs: 100, mostMs: 800, evaluatedTokens: null };
    const { leastMs, mostMs } = estimateTime(forms, [bounds, bounds]);
    // 200 to 1,600 ms, and a fifth of the latter on either side, but not below nothing.
    expect([leastMs, mostMs]).toEqual([0, 1_920]);
  });

  it("counts tokens by the questions whose are known", () => {
    const forms = [{ name: "CL", questions: 10, bytes: 1_000 }];
    expect(estimateTime(forms, [question("CL", 100, 10, 20), question("CL", 100, 10)]).tokensToEvaluate).toBe(200);
  });
});
