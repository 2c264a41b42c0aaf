import { describe, expect, it } from "vitest";
import type { Logprob } from "../../../../src/base/symbol.js";
import type { Answer } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { requireDerived } from "../../../../src/suites/codereviewqa/suite/score-run.js";
import { choice, makeAnswer } from "../../../fixtures/answer.js";
import { A, B, C } from "../../../fixtures/symbols.js";

const logprob = (value: number) => value as Logprob;

/** Under the order 102 of three options, the third of six: B is right, and has the most. */
const ANSWER = makeAnswer({
  permutation: "102",
  permutationIndex: 2,
  correctSymbol: B,
  logprobs: [
    { symbol: A, logprob: logprob(-2) },
    { symbol: B, logprob: logprob(-0.5) },
    { symbol: C, logprob: logprob(-3) },
  ],
  // e^-2 + e^-0.5 + e^-3
  symbolMass: 0.1353352832366127 + 0.6065306597126334 + 0.049787068367863944,
  outcome: choice("102", B, 1.5),
});
const refusal = (changes: Partial<Answer>) => () => requireDerived("answers.jsonl", { ...ANSWER, ...changes });

describe("an answer's fields that follow from others", () => {
  it("are taken as they are computed", () => {
    expect(refusal({})).not.toThrow();
    expect(refusal({ logprobs: [], symbolMass: null, outcome: choice("102", C) })).not.toThrow();
    // 10-1-… of eleven options: behind 2 × 10! others.
    const names = ["2", "0", "1", "3", "4", "5", "6", "7", "8", "9", "10"].join("-");
    const many = { permutation: names, permutationIndex: 2 * 3_628_800, correctSymbol: B };
    expect(
      refusal({ ...many, logprobs: [], symbolMass: null, outcome: { status: "undecided", reason: "tie" } }),
    ).not.toThrow();
  });

  it.each<[string, Partial<Answer>, string]>([
    ["an order that is none", { permutation: "9999" }, 'expected an order of options as permutation, found "9999"'],
    ["an order of another place", { permutationIndex: 3 }, "expected permutation_index 2 by its other fields, found 3"],
    ["another right letter", { correctSymbol: A }, "expected correct_symbol B by its other fields, found A"],
    [
      "another option chosen",
      { outcome: { status: "chosen", chosenSymbol: B, chosenOption: 1 as never, correct: false, margin: 1.5 } },
      "expected chosen_option 0 by its other fields, found 1",
    ],
    [
      "another letter chosen",
      { outcome: choice("102", A, 1.5) },
      "expected chosen_symbol B by its other fields, found A",
    ],
    ["another margin", { outcome: choice("102", B, 1.4) }, "expected margin 1.5 by its other fields, found 1.4"],
    ["another mass", { symbolMass: 0.9 }, "expected symbol_mass 0.79"],
    ["no mass", { symbolMass: null }, "by its other fields, found null"],
    [
      "a log probability above 0",
      { logprobs: [{ symbol: A, logprob: logprob(5.5) }] },
      "expected log probabilities, at most 0, found 5.5",
    ],
    [
      "the letter of no option",
      { logprobs: [{ symbol: "D" as typeof A, logprob: logprob(-1) }] },
      "expected logprobs of 3 letters, found one of another",
    ],
  ])("are refused with %s", (_, changes, found) => {
    expect(refusal(changes)).toThrow(found);
    expect(refusal(changes)).toThrow(
      /^Expected answers\.jsonl as this program writes it, .* ask that question again\.$/,
    );
  });
});
