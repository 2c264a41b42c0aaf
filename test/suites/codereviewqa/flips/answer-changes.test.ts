import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Logprob } from "../../../../src/base/symbol.js";
import { entryOf } from "../../../../src/store/table.js";
import { ANSWER_JOURNAL, type Answer, type AnswerOutcome } from "../../../../src/suites/codereviewqa/answer/answer.js";
import {
  CHANGED_ANSWER_COLUMNS,
  type ChangedAnswer,
  compareAnswers,
  FLIPS,
  type RunChanges,
} from "../../../../src/suites/codereviewqa/flips/answer-changes.js";
import { type RunFile, writeRunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { findNamedRun } from "../../../../src/suites/codereviewqa/record/stored-run.js";
import { answersUnder, choice, makeAnswer, ORDERS_OF_THREE, pick, TIE, UNAVAILABLE } from "../../../fixtures/answer.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";
import { A, B, C } from "../../../fixtures/symbols.js";

const folder = useFreshFolder();

/** A CTR question; right under all orders, but for the orders in `changes` (by their place). */
function question(index: number, changes: Readonly<Record<number, Partial<Answer>>> = {}): Answer[] {
  const answers = answersUnder(ORDERS_OF_THREE, (permutation) => pick(permutation, 0));
  return answers.map((answer, i) => ({ ...answer, questionIndex: index, exampleId: `e${index}`, ...changes[i] }));
}

async function compare(
  first: readonly Answer[],
  second: readonly Answer[],
  design: RunFile["parameters"] = {},
): Promise<RunChanges> {
  const runs = [];
  for (const [name, answers] of [
    ["first", first],
    ["second", second],
  ] as const) {
    await mkdir(folder.path(name));
    const questions = new Set(answers.map(({ questionIndex }) => questionIndex)).size;
    await writeRunFile(
      folder.path(name),
      makeRunFile({ questions, status: "complete", parameters: { ...makeRunFile().parameters, ...design } }),
    );
    writeFileSync(
      folder.path(`${name}/answers.jsonl`),
      answers.map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`).join(""),
    );
    runs.push(await findNamedRun(folder.path(name)));
  }
  return compareAnswers(runs[0]!, runs[1]!);
}

const scores = (a: number, b: number, c: number | null): Answer["logprobs"] =>
  [a, b, c].map((logprob, i) => ({ symbol: [A, B, C][i]!, logprob: logprob as Logprob | null }));
const outcome = (value: AnswerOutcome): Partial<Answer> => ({ outcome: value });

describe("compareAnswers", () => {
  it("finds nothing between equal runs", async () => {
    const { rows, answers } = await compare([...question(0), ...question(1)], [...question(0), ...question(1)]);
    expect(answers).toEqual([]);
    // All forms together, and CTR. No log probabilities: a difference is not 0, it is not known.
    const same = { questions: 2, verdictsChanged: 0, compared: 12, changed: 0, failed: 0, unmatched: 0, measured: 0 };
    expect(rows).toMatchObject([
      { form: null, ...same, largestDifference: null, nearTies: null },
      { form: { task: "CTR", difficulty: null }, ...same },
    ]);
  });

  it("pairs the forms of an example in whatever order a run asked them", async () => {
    // Example e0: CTR and an own probe, then the other way round; the own probe is answered by another letter under 012.
    const own = (answers: readonly Answer[]) => answers.map((answer) => ({ ...answer, task: "OWN" }));
    const at = (index: number, answers: readonly Answer[]) =>
      answers.map((answer) => ({ ...answer, questionIndex: index, exampleId: "e0" }));
    const changed = { 0: outcome(choice("012", B)) };
    const { rows, answers } = await compare(
      [...question(0), ...at(1, own(question(1)))],
      [...at(0, own(question(0, changed))), ...at(1, question(1))],
    );
    expect(rows.map(({ form, changed: found }) => [form?.task, found])).toEqual([
      [undefined, 1],
      ["CTR", 0],
      ["OWN", 1],
    ]);
    expect(answers).toHaveLength(1);
  });

  it("counts changed answers and changed verdicts apart", async () => {
    // Question 0: right, then wrong under order 012. Question 1: wrong under 012 in both, by another letter.
    const first = [...question(0), ...question(1, { 0: outcome(choice("012", B)) })];
    const second = [...question(0, { 0: outcome(choice("012", B)) }), ...question(1, { 0: outcome(choice("012", C)) })];
    const { rows, answers } = await compare(first, second);
    expect(rows[0]).toMatchObject({ compared: 12, changed: 2, questions: 2, verdictsChanged: 1 });
    expect(answers.map((each) => [each.first.exampleId, each.verdictChanged])).toEqual([
      ["e0", true],
      ["e1", false],
    ]);
  });

  it("takes chosen against undecided for a change, and tells the tie", async () => {
    const { rows, answers } = await compare(question(0), question(0, { 3: outcome(TIE) }));
    expect(rows[0]).toMatchObject({ changed: 1, verdictsChanged: 1, verdictsWithFailures: 0 });
    expect(answers[0]!.second.outcome).toEqual(TIE);
  });

  it("does not take a failure for a changed answer", async () => {
    const { rows } = await compare(question(0), question(0, { 3: outcome(UNAVAILABLE) }));
    expect(rows[0]).toMatchObject({ compared: 5, changed: 0, failed: 1, verdictsChanged: 1, verdictsWithFailures: 1 });
  });

  it("counts what only one run has, as after --early-stop", async () => {
    const { rows } = await compare(question(0), question(0).slice(0, 2));
    expect(rows[0]).toMatchObject({ compared: 2, unmatched: 4, changed: 0, verdictsChanged: 1 });
  });

  it("counts changed verdicts of a run that asked fewer orders: right is right under all that were asked", async () => {
    // The cyclic orders 012, 120 and 201 are at 0, 3 and 4.
    const cyclic = (answers: readonly Answer[]) => [0, 3, 4].flatMap((place) => answers[place] ?? []);
    const wrong = question(0, { 0: outcome(choice("012", B)) });
    const { rows, answers } = await compare(cyclic(question(0)), cyclic(wrong), { orders: "cyclic" });
    expect(rows[0]).toMatchObject({ compared: 3, changed: 1, verdictsChanged: 1 });
    expect(answers.map(({ verdictChanged }) => verdictChanged)).toEqual([true]);
  });

  it("pairs each time that an order was asked with the same time; the first tells the verdict", async () => {
    const twice = (first: readonly Answer[], second: readonly Answer[]) => [
      ...first,
      ...second.map((answer) => ({ ...answer, repeat: 1 })),
    ];
    const wrong = question(0, { 0: outcome(choice("012", B)) });
    const { rows, answers } = await compare(twice(question(0), wrong), twice(wrong, wrong), { repeats: 2 });
    expect(rows[0]).toMatchObject({ compared: 12, changed: 1, unmatched: 0, verdictsChanged: 1 });
    expect(answers.map((answer) => entryOf(CHANGED_ANSWER_COLUMNS, answer))).toMatchObject([{ repeat: 0 }]);
    expect(FLIPS.primaryKey).toContain("repeat");
  });

  it("measures the largest difference of any symbol, and the near ties it could change", async () => {
    // Order 012: A by 0.02, then B by 0.01; the largest difference is A's, 0.03. Order 021: margins 0.05 and 0.06, within
    // 2 · 0.03. Order 102: margins 0.07, beyond it. C is unknown in one run: not compared.
    const margin = (symbol: typeof A, size: number, a: number, b: number, c: number | null): Partial<Answer> => ({
      outcome: choice("012", symbol, size),
      logprobs: scores(a, b, c),
    });
    const first = question(0, {
      0: margin(A, 0.02, -1, -1.02, -4),
      1: margin(A, 0.05, -1, -1.05, -4),
      2: margin(A, 0.07, -1, -1.07, null),
    });
    const second = question(0, {
      0: margin(B, 0.01, -1.03, -1.02, -4),
      1: margin(A, 0.06, -1, -1.06, -4),
      2: margin(A, 0.07, -1, -1.07, -9),
    });
    const { rows, answers } = await compare(first, second);
    expect(rows[0]).toMatchObject({ measured: 3, nearTies: 2, changed: 1 });
    expect(rows[0]!.largestDifference).toBeCloseTo(0.03, 12);
    expect(answers[0]!.difference).toBeCloseTo(0.03, 12);
  });
});

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
