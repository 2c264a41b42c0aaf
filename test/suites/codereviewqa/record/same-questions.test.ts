import { describe, expect, it } from "vitest";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import {
  requireSameOrders,
  requireSameQuestions,
  requireSameSelection,
} from "../../../../src/suites/codereviewqa/record/same-questions.js";
import { OTHER_SELECTIONS } from "../../../fixtures/other-selection.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { makeRunFile } from "../../../fixtures/run-file.js";
import { makeStoredRun } from "../../../fixtures/stored-run.js";

const first = makeStoredRun("a");
const second = (changes: Partial<RunFile>) => makeStoredRun("b", undefined, changes);
const dataset = makeRunFile().dataset;

describe("requireSameSelection", () => {
  it("lets runs pass that asked the same, whatever the model and however it was asked", () => {
    const parameters = { ...makeRunFile().parameters, prompt_mode: "chat", early_stop: true };
    expect(() => requireSameSelection(first, second({ parameters }))).not.toThrow();
  });

  it.each<{ name: string; changes: Partial<RunFile>; says: RegExp }>([
    ...OTHER_SELECTIONS,
    {
      name: "other probes",
      changes: { forms: [{ task: "CL", difficulty: "hard", questions: 4, skipped: 0 }] },
      says: /differ:\n {2}probe CTR: 1 questions and not asked\n {2}probe CL hard: not asked and 4 questions\n/,
    },
  ])("refuses $name, naming it", ({ changes, says }) => {
    expect(() => requireSameSelection(first, second(changes))).toThrow(says);
  });

  it("does not mind a probe that found nothing to ask about", () => {
    const forms = [...makeRunFile().forms, { task: "SI", difficulty: "easy" as const, questions: 0, skipped: 1 }];
    expect(() => requireSameSelection(first, second({ forms }))).not.toThrow();
  });

  it("names what differs as it is: the console makes visible what a terminal would obey", () => {
    const source = "\u001b[2J";
    const changes = { dataset: { ...dataset, source, sha256: "99".repeat(32) } };
    expect(() => requireSameSelection(first, second(changes))).toThrow("\u001b[2J");
  });
});

describe("requireSameOrders", () => {
  const drawn = (name: string, manner: RunFile["parameters"]) =>
    makeStoredRun(name, undefined, {
      forms: [{ task: "CTR", difficulty: null, questions: 1, skipped: 0, orders: 3 }],
      parameters: { ...makeRunFile().parameters, ...manner },
    });
  const three = drawn("a", { orders: 3, seed: 0 });

  it("lets the same orders pass: all, whatever the seed, or those of one draw", () => {
    const parameters = { ...makeRunFile().parameters, seed: 7 };
    expect(() => requireSameOrders(first, second({ parameters }))).not.toThrow();
    expect(() => requireSameOrders(three, drawn("b", { orders: 3, seed: 0 }))).not.toThrow();
  });

  it("refuses as many others, of another draw or none", () => {
    expect(() => requireSameOrders(three, drawn("b", { orders: 3, seed: 7 }))).toThrow(
      /same orders, found --orders 3 --seed 0 in \S*a and --orders 3 --seed 7 in \S*b\. Ask one of them again/,
    );
    expect(() => requireSameOrders(three, drawn("b", { orders: "cyclic", seed: 0 }))).toThrow(/and --orders cyclic in/);
  });
});

describe("requireSameQuestions", () => {
  it("lets equal questions pass", () => {
    expect(() => requireSameQuestions(first, makeStoredRun("b"))).not.toThrow();
  });

  it("refuses questions whose prompts differ, though run.json says the same", () => {
    const other = makeStoredRun("b");
    const changed = { ...other, questions: [{ ...other.questions[0]!, promptSha256: "99".repeat(32) }] };
    expect(() => requireSameQuestions(first, changed)).toThrow(
      /text of question 1 \(CTR {2}0123456789ab\): prompt sha256 abababababab… and 999999999999…/,
    );
  });

  it("refuses other examples and another number of questions", () => {
    const other = makeStoredRun("b", [makeScore({ exampleId: "ba9876543210" })]);
    expect(() => requireSameQuestions(first, other)).toThrow(/question 1: CTR {2}0123456789ab and CTR {2}ba9876543210/);
    const more = makeStoredRun("b", [makeScore(), makeScore({ exampleId: "x" })]);
    expect(() => requireSameQuestions(first, more)).toThrow(/questions: 1 and 2/);
  });
});
