import { expect, it } from "vitest";
import { entryOf } from "../../../../src/store/table.js";
import type { ChangedAnswer } from "../../../../src/suites/codereviewqa/flips/answer-changes.js";
import { CHANGED_ANSWER_COLUMNS, FLIPS } from "../../../../src/suites/codereviewqa/flips/flips-table-definition.js";
import { choice, makeAnswer } from "../../../fixtures/answer.js";
import { A, B } from "../../../fixtures/symbols.js";

function changed(ablation?: "review"): ChangedAnswer {
  const asked = { task: "CTR", difficulty: null, permutation: "012", ...(ablation && { ablation }) };
  const first = makeAnswer({ ...asked, outcome: choice("012", A) });
  return { first, second: { ...first, outcome: choice("012", B) }, difference: null, verdictChanged: true };
}

it("says what was withheld from the question, so that two forms of one example are two rows", () => {
  const [whole, without] = [changed(), changed("review")].map((answer) => entryOf(CHANGED_ANSWER_COLUMNS, answer));
  expect(whole).toMatchObject({ task: "CTR", ablation: "none", first_symbol: "A", second_symbol: "B" });
  expect(without).toMatchObject({ task: "CTR", ablation: "review" });
  const keyOf = (ablation?: "review") => {
    const row = entryOf(FLIPS.columns, { kind: "runs", runs: ["a", "b"], answer: changed(ablation) });
    return FLIPS.primaryKey.map((name) => row[name]);
  };
  expect(keyOf()).not.toEqual(keyOf("review"));
});
