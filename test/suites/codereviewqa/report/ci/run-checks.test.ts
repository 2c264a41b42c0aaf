import { describe, expect, it } from "vitest";
import { summarise } from "../../../../../src/suites/codereviewqa/ask/score.js";
import type { ScoredGeneration } from "../../../../../src/suites/codereviewqa/metric/generation-summary.js";
import type { QuestionScore } from "../../../../../src/suites/codereviewqa/metric/question-score.js";
import type { RunFile } from "../../../../../src/suites/codereviewqa/record/run-file.js";
import { runChecks } from "../../../../../src/suites/codereviewqa/report/ci/run-checks.js";
import { makeFailedGeneration, makeScoredGeneration } from "../../../../fixtures/generation.js";
import { makeScore } from "../../../../fixtures/question-score.js";
import { makeRunFile, makeRunModel } from "../../../../fixtures/run-file.js";
import { A } from "../../../../fixtures/symbols.js";

const RIGHT = makeScore();
const RIGHT_ADDITION = makeScore({ changeType: "add" });
/** Always A: each option twice, so two of six orders are right and the plurality is a tie of two. */
const ALWAYS_A = makeScore({
  correctPermutations: 2,
  invariantCorrect: false,
  pluralityAgreement: 2 / 6,
  meanAccuracy: 2 / 6,
  symbolCounts: new Map([[A, 6]]),
});

/** The checks of a CTR run with these scores, by name. */
async function checksOf(scores: readonly QuestionScore[], changes: Partial<RunFile> = {}) {
  const forms = [{ task: "CTR", difficulty: null, questions: scores.length, skipped: 0 }];
  const run = makeRunFile({ questions: scores.length, forms, ...changes });
  const report = await runChecks({
    folder: "r",
    run,
    summary: await summarise(run, { questions: scores, generations: [] }),
  });
  const form = report.suites.find(({ name }) => name.endsWith("CTR"))!;
  return { report, form, results: new Map(form.checks.map(({ name, result }) => [name, result])) };
}

const [ALL, GATE, FLOOR] = ["all answers came", "answers may be interpreted", "invariant accuracy is above its floor"];

describe("the checks of a probe form", () => {
  it("all pass where every order is right and no floor explains it", async () => {
    // One modify, one add: always saying one of them is right on half.
    const { results, form } = await checksOf([RIGHT, RIGHT_ADDITION]);
    expect([...results.values()].map(({ status }) => status)).toEqual(["passed", "passed", "passed"]);
    expect(results.get(ALL)).toMatchObject({ text: "12 of 12 answers" });
    expect(form.properties.get("invariant_accuracy")).toBe("1");
    expect(form.properties.get("invariant_accuracy.n")).toBe("2");
    expect(form.properties.has("mcsb_p_value.ci_low")).toBe(false);
  });

  it("fail the gate where the orders agree no more than guesses do, and then do not judge the score", async () => {
    const { results } = await checksOf([ALWAYS_A, ALWAYS_A]);
    expect(results.get(GATE)).toMatchObject({ status: "failed", kind: "mcsb_gate" });
    expect(results.get(GATE)).toHaveProperty(
      "message",
      expect.stringContaining("agreement 0.333, guessing 0.539; A is 100 %"),
    );
    expect(results.get(FLOOR)).toMatchObject({ status: "skipped" });
    expect(results.get(ALL)).toMatchObject({ status: "passed" });
  });

  it("fail the floor where always naming the commonest change type does as well", async () => {
    // Both are modify: the majority floor is 1, and so is the score.
    const { results } = await checksOf([RIGHT, RIGHT]);
    expect(results.get(GATE)).toMatchObject({ status: "passed" });
    expect(results.get(FLOOR)).toMatchObject({
      status: "failed",
      kind: "floor",
      message: expect.stringMatching(
        /^Invariant accuracy 1\.000 \(.*, 2 questions\) is not above the floor 1\.000 \(always "modify"\)\.$/,
      ),
    });
  });

  it("are an error where answers failed: the measurement is not whole", async () => {
    const failed = makeScore({ answered: 4, failed: 2, invariantCorrect: false, lost: true, correctPermutations: 4 });
    const score = { ...failed, pluralityAgreement: null, meanAccuracy: null };
    const counts = { chosen: 4, undecided: 0, failed: 2, failures: { unavailable: 2 } };
    const { results } = await checksOf([score], { counts });
    expect(results.get(ALL)).toMatchObject({
      status: "error",
      message: "2 of 6 answers failed.",
      text: expect.stringContaining("unavailable: 2"),
    });
    expect(results.get(GATE)).toMatchObject({ status: "skipped" });
  });

  it("are an error where answers are still to come", async () => {
    const forms = [{ task: "CTR", difficulty: null, questions: 3, skipped: 0 }];
    const { results } = await checksOf([RIGHT], { forms, questions: 3 });
    expect(results.get(ALL)).toMatchObject({ status: "error", message: "6 of 18 answers are recorded." });
  });

  it("miss nothing after --early-stop but the agreement", async () => {
    const stopped = makeScore({ answered: 1, correctPermutations: 0, invariantCorrect: false });
    const score = { ...stopped, pluralityAgreement: null, meanAccuracy: null };
    const { results } = await checksOf([score], { parameters: { early_stop: true } });
    expect(results.get(ALL)).toMatchObject({ status: "passed", text: "1 of 6 answers" });
    expect(results.get(GATE)).toMatchObject({ status: "skipped" });
    expect(results.get(FLOOR)).toMatchObject({ status: "failed" });
  });

  it("are skipped where no example suits the probe", async () => {
    const { results } = await checksOf([]);
    expect([...results.values()].map(({ status }) => status)).toEqual(["skipped", "skipped", "skipped"]);
  });
});

describe("the checks of generations", () => {
  async function checksOfGenerations(generations: readonly ScoredGeneration[], failed: number) {
    const forms = [{ task: "ACR", difficulty: null, questions: generations.length, skipped: 0 }];
    const counts = {
      complete: generations.length - failed,
      truncated: 0,
      empty: 0,
      failed,
      failures: { refused: failed },
    };
    const run = makeRunFile({ questions: 0, generations: generations.length, forms, generation_counts: counts });
    const summary = await summarise(run, { questions: [], generations });
    const { suites } = await runChecks({ folder: "r", run, summary });
    return suites.find(({ name }) => name === "scripted:oracle: ACR")!.checks;
  }

  it("pass where all came and more match than if the code were repeated unchanged", async () => {
    const generations = [makeScoredGeneration({}, { em: true }), makeScoredGeneration()];
    expect(await checksOfGenerations(generations, 0)).toMatchObject([
      { name: "all generations came", result: { status: "passed", text: "2 of 2 generations" } },
      { name: "exact match is above its floor", result: { status: "passed" } },
    ]);
  });

  it("fail where no more match, and are an error where generations failed", async () => {
    // One of two matches, as it would have unchanged.
    const generations = [makeScoredGeneration({}, { em: true }, { em: true }), makeFailedGeneration()];
    expect(await checksOfGenerations(generations, 1)).toMatchObject([
      { result: { status: "error", message: "1 of 2 generations failed." } },
      {
        result: {
          status: "failed",
          message: expect.stringMatching(/^Exact match 0\.500 .* is not above the floor 0\.500/),
        },
      },
    ]);
  });
});

it("a server's check is one of the checks: failed where it was forced", async () => {
  const model = makeRunModel("lab", { provider: "openai" });
  const passed = await checksOf([RIGHT], { model: { ...model, check: { forced: false } } });
  expect(passed.report.suites[0]).toMatchObject({ name: "lab: server", checks: [{ result: { status: "passed" } }] });
  const forced = await checksOf([RIGHT], { model: { ...model, check: { forced: true } } });
  expect(forced.report.suites[0]).toMatchObject({ checks: [{ result: { status: "failed", kind: "forced" } }] });
  expect((await checksOf([RIGHT])).report.suites).toHaveLength(1);
});
