import { describe, expect, it } from "vitest";
import { tableText } from "../../../../src/store/csv.js";
import { type Cell, entryOf } from "../../../../src/store/table.js";
import type { Answer } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { ANSWERS } from "../../../../src/suites/codereviewqa/record/columns.js";
import { choice, makeAnswer, TIE, UNAVAILABLE } from "../../../fixtures/answer.js";
import { A, B, C, D, logprob } from "../../../fixtures/symbols.js";

const OWNER = { runId: "run-1", model: "tiny" };

/** The row of an answer by column name. */
function cells(changes: Partial<Answer>): Record<string, Cell> {
  return entryOf(ANSWERS.columns, { ...OWNER, item: makeAnswer(changes) });
}

describe("ANSWERS", () => {
  it("puts each value under its column", () => {
    const found = cells({
      task: "CL",
      difficulty: "hard",
      exampleId: "abc",
      language: "ruby",
      changeType: "add",
      permutationIndex: 14,
      permutation: "2013",
      correctSymbol: B,
      outcome: choice("2013", B, 0.25),
      logprobs: [A, B, C, D].map((symbol, i) => ({ symbol, logprob: logprob(-1 - i) })),
      symbolMass: 0.5,
      extraction: "full",
      promptTokens: 100,
      cachedTokens: 90,
      durationMs: 1.5,
      promptSha256: "feed",
    });
    expect(found).toEqual({
      run_id: "run-1",
      model: "tiny",
      task: "CL",
      difficulty: "hard",
      ablation: "none",
      example_id: "abc",
      language: "ruby",
      change_type: "add",
      permutation_index: 14,
      permutation: "2013",
      correct_symbol: "B",
      chosen_symbol: "B",
      chosen_option: 0,
      correct: true,
      logprob_a: -1,
      logprob_b: -2,
      logprob_c: -3,
      logprob_d: -4,
      symbol_mass: 0.5,
      margin: 0.25,
      status: "chosen",
      failure: null,
      extraction: "full",
      prompt_tokens: 100,
      cached_tokens: 90,
      duration_ms: 1.5,
      prompt_sha256: "feed",
    });
  });

  it("leaves the fourth log probability of a question with three options empty", () => {
    const logprobs = [A, B, C].map((symbol) => ({ symbol, logprob: logprob(-1) }));
    expect(cells({ logprobs })).toMatchObject({ logprob_c: -1, logprob_d: null });
  });

  it("leaves an unknown log probability empty in the file, never 0", () => {
    const logprobs = [
      { symbol: A, logprob: logprob(-0.5) },
      { symbol: B, logprob: null },
    ];
    const text = tableText(ANSWERS, [{ ...OWNER, item: makeAnswer({ logprobs }) }]);
    // after `correct`: A, B (unknown), C and D (not there), mass and margin (absent), status
    expect(text).toContain(",true,-0.5,,,,,,chosen,");
  });

  it("says why there is no choice, and leaves the choice empty", () => {
    const none = { chosen_symbol: null, chosen_option: null, correct: null, margin: null };
    expect(cells({ outcome: TIE })).toMatchObject({ ...none, status: "undecided", failure: "tie" });
    expect(cells({ outcome: UNAVAILABLE })).toMatchObject({ ...none, status: "failed", failure: "unavailable" });
  });
});
