import { describe, expect, it } from "vitest";
import type { SymbolReply } from "../../../../src/model/requests.js";
import type { AnswerPlace } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { assembleAnswer } from "../../../../src/suites/codereviewqa/answer/assemble-answer.js";
import { A, B, C, logprob, order } from "../../../fixtures/symbols.js";

const SHOWN = { symbols: [A, B, C], order: order("012") };
const PLACE: AnswerPlace = {
  questionIndex: 3,
  task: "CTR",
  difficulty: null,
  exampleId: "abc",
  language: "go",
  changeType: "add",
  permutationIndex: 0,
  permutation: "012",
  correctSymbol: A,
};
const METER = { promptTokens: 10, cachedTokens: 8, durationMs: 1.5 };

describe("assembleAnswer", () => {
  it("records log probabilities in the order of the symbols, and their mass", () => {
    const scores = new Map([
      [C, { status: "known", logprob: logprob(Math.log(0.125)) }],
      [A, { status: "known", logprob: logprob(Math.log(0.5)) }],
      [B, { status: "known", logprob: logprob(Math.log(0.25)) }],
    ] as const);
    const answer = assembleAnswer(PLACE, SHOWN, { status: "scored", scores, extraction: "full", ...METER }, "hash");
    expect(answer).toMatchObject({ ...PLACE, ...METER, extraction: "full", promptSha256: "hash" });
    expect(answer.logprobs).toEqual([
      { symbol: A, logprob: Math.log(0.5) },
      { symbol: B, logprob: Math.log(0.25) },
      { symbol: C, logprob: Math.log(0.125) },
    ]);
    // 0.5 + 0.25 + 0.125
    expect(answer.symbolMass).toBeCloseTo(0.875, 12);
    // ln 0.5 - ln 0.25 = ln 2
    expect(answer.outcome).toMatchObject({ status: "chosen", chosenSymbol: A, correct: true });
    expect(answer.outcome.status === "chosen" && answer.outcome.margin).toBeCloseTo(Math.LN2, 12);
  });

  it("records an unknown log probability as absent, and the mass with it; the bound is not a value", () => {
    const scores = new Map([
      [A, { status: "known", logprob: logprob(-0.5) }],
      [B, { status: "unknown", upperBound: logprob(-5) }],
    ] as const);
    const answer = assembleAnswer(PLACE, SHOWN, { status: "scored", scores, extraction: "full", ...METER }, "");
    expect(answer.logprobs).toEqual([
      { symbol: A, logprob: -0.5 },
      { symbol: B, logprob: null },
      { symbol: C, logprob: null },
    ]);
    expect(answer.symbolMass).toBeNull();
  });

  it("has no log probabilities and no mass for a named symbol", () => {
    const reply: SymbolReply = { status: "named", symbol: B, extraction: "scripted", ...METER };
    expect(assembleAnswer(PLACE, SHOWN, reply, "")).toMatchObject({
      logprobs: [],
      symbolMass: null,
      extraction: "scripted",
      outcome: { status: "chosen", chosenSymbol: B, chosenOption: 1, correct: false, margin: null },
    });
  });

  it("keeps the meter of a failure, and nothing that looks like an answer", () => {
    const reply: SymbolReply = { status: "failed", failure: "refused", detail: "no", ...METER };
    expect(assembleAnswer(PLACE, SHOWN, reply, "")).toMatchObject({
      ...METER,
      logprobs: [],
      symbolMass: null,
      extraction: null,
      outcome: { status: "failed", failure: "refused", detail: "no" },
    });
  });
});
