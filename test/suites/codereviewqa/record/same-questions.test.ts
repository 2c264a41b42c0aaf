import { describe, expect, it } from "vitest";
import type { ComparableRun } from "../../../../src/suites/codereviewqa/record/comparable-run.js";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import {
  requirePairable,
  requireSameGenerations,
  requireSameQuestions,
} from "../../../../src/suites/codereviewqa/record/same-questions.js";
import type { StoredRun } from "../../../../src/suites/codereviewqa/record/stored-run.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { makeRunFile } from "../../../fixtures/run-file.js";
import { makeStoredRun } from "../../../fixtures/stored-run.js";

const first = makeStoredRun("a");
const second = (changes: Partial<RunFile>) => makeStoredRun("b", undefined, changes);
const dataset = makeRunFile().dataset;

describe("requirePairable", () => {
  it("lets runs pass that asked the same, whatever the model and however it was asked", () => {
    const parameters = { ...makeRunFile().parameters, prompt_mode: "chat", early_stop: true };
    expect(() => requirePairable(first, second({ parameters }))).not.toThrow();
  });

  it.each<{ name: string; changes: Partial<RunFile>; says: RegExp }>([
    {
      name: "another dataset",
      changes: { dataset: { ...dataset, source: "other.jsonl", sha256: "99".repeat(32) } },
      says: /differ:\n {2}dataset: data\.jsonl \(sha256 cdcdcdcdcdcd…\) and other\.jsonl \(sha256 999999999999…\)\n/,
    },
    {
      name: "other examples",
      changes: { dataset: { ...dataset, examples: 1, selected: 3, selection_sha256: "99".repeat(32) } },
      says: /differ:\n {2}examples: 1 and 3 of the dataset's 1, not the same ones/,
    },
    {
      name: "another prompt",
      changes: { prompts: [{ id: "paper/CTR", sha256: "99".repeat(32) }] },
      says: /differ:\n {2}prompt paper\/CTR: sha256 121212121212… and 999999999999…\n/,
    },
    {
      name: "other probes",
      changes: { forms: [{ task: "CL", difficulty: "hard", questions: 4, skipped: 0 }] },
      says: /differ:\n {2}probe CTR: 1 questions and not asked\n {2}probe CL hard: not asked and 4 questions\n/,
    },
  ])("refuses $name, naming it", ({ changes, says }) => {
    expect(() => requirePairable(first, second(changes))).toThrow(says);
  });

  it("does not mind a probe that found nothing to ask about", () => {
    const forms = [...makeRunFile().forms, { task: "SI", difficulty: "easy" as const, questions: 0, skipped: 1 }];
    expect(() => requirePairable(first, second({ forms }))).not.toThrow();
  });

  it("refuses one run twice: the same folder by another name, or a copy", () => {
    const again: StoredRun = { ...first, folder: "results/../results/a" };
    expect(() => requirePairable(first, again)).toThrow(/found one of them twice: results\/a and .*\(one folder\)/);
    expect(() => requirePairable(first, second({ run_id: "a" }))).toThrow(/both have the run id a/);
  });

  it("names what differs as it is: the console makes visible what a terminal would obey", () => {
    const source = "\u001b[2J";
    const changes = { dataset: { ...dataset, source, sha256: "99".repeat(32) } };
    expect(() => requirePairable(first, second(changes))).toThrow("\u001b[2J");
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

describe("requireSameGenerations", () => {
  const score = { task: "ACR", exampleId: "0123456789ab", em: true, editSimilarity: 1, lost: false };
  const written = (name: string, prompts: readonly string[], exampleId = score.exampleId): ComparableRun => ({
    ...makeStoredRun(name, []),
    generations: prompts.map((prompt) => ({ promptSha256: prompt.repeat(32), score: { ...score, exampleId } })),
  });

  it("lets equal generations pass, whatever was written", () => {
    const other = written("b", ["ab"]);
    const failed = { ...score, em: false, editSimilarity: null, lost: true };
    const generations = other.generations.map((generation) => ({ ...generation, score: failed }));
    expect(() => requireSameGenerations(written("a", ["ab"]), { ...other, generations })).not.toThrow();
  });

  it("refuses other prompts, other examples and another number of them", () => {
    expect(() => requireSameGenerations(written("a", ["ab", "ab"]), written("b", ["ab", "99"]))).toThrow(
      /text of generation 2 \(ACR 0123456789ab\): prompt sha256 abababababab… and 999999999999…/,
    );
    expect(() => requireSameGenerations(written("a", ["ab"]), written("b", ["ab"], "ba9876543210"))).toThrow(
      /generation 1: ACR 0123456789ab and ACR ba9876543210/,
    );
    expect(() => requireSameGenerations(written("a", ["ab"]), written("b", []))).toThrow(/generations: 1 and 0/);
  });
});
