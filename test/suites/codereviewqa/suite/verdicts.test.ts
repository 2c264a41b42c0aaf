import { describe, expect, it } from "vitest";
import { formName } from "../../../../src/question/form.js";
import { NOTHING_MEASURED } from "../../../../src/report/judgement-words.js";
import type { QuestionScore } from "../../../../src/suites/codereviewqa/metric/question-score.js";
import type { ScoredGeneration } from "../../../../src/suites/codereviewqa/metric/written/scored-generation.js";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { summarise } from "../../../../src/suites/codereviewqa/suite/summarise.js";
import { runVerdicts } from "../../../../src/suites/codereviewqa/suite/verdicts.js";
import { makeFailedGeneration, makeScoredGeneration } from "../../../fixtures/generation.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";

interface Parts {
  readonly scores?: readonly QuestionScore[];
  readonly generations?: readonly ScoredGeneration[];
  readonly run?: Partial<RunFile>;
  readonly unfinished?: string | null;
}

async function verdictsOf({ scores = [], generations = [], run: changes = {}, unfinished = null }: Parts) {
  const forms = [
    ...(scores.length > 0 ? [{ task: "CTR", difficulty: null, questions: scores.length, skipped: 0 }] : []),
    ...(generations.length > 0 ? [{ task: "ACR", difficulty: null, questions: generations.length, skipped: 0 }] : []),
  ];
  const run = makeRunFile({ forms, status: "complete", ...changes });
  return runVerdicts({
    folder: "results/r",
    run,
    unfinished,
    questions: scores.map((score) => ({ score, asked: "ab", isDone: true })),
    generations: generations.map((scored, i) => ({ scored: { ...scored, exampleId: `${i}` }, asked: "cd" })),
    summary: await summarise(run, { questions: scores, generations, floors: new Map() }),
  });
}

describe("the verdicts of questions", () => {
  it("say under how many orders a form was asked where these are not all of them", async () => {
    const forms = [{ task: "CTR", difficulty: null, questions: 1, skipped: 0, orders: 3 }];
    const fewer = await verdictsOf({ scores: [makeScore()], run: { forms } });
    const all = await verdictsOf({ scores: [makeScore()] });
    // Three options have six orders.
    expect([fewer, all].map(({ forms: [form] }) => form?.orders)).toEqual([{ asked: 3, all: 6 }, undefined]);
  });

  it("are whether they were right under all orders, with what tables group by and compare", async () => {
    const scores = [
      makeScore({ exampleId: "one", difficulty: null, language: "c" }),
      makeScore({
        exampleId: "two",
        invariantCorrect: false,
        lost: true,
        meanAccuracy: null,
        pluralityAgreement: null,
      }),
    ];
    const { verdicts } = await verdictsOf({ scores });
    expect(verdicts).toEqual([
      {
        form: "CTR",
        item: "one",
        cluster: "one",
        groups: { language: "c", change_type: "modify" },
        passed: true,
        lost: false,
        values: { mean_accuracy: 1, plurality_agreement: 1 },
        asked: "ab",
      },
      {
        form: "CTR",
        item: "two",
        cluster: "two",
        groups: { language: "python", change_type: "modify" },
        passed: false,
        lost: true,
        values: { mean_accuracy: null, plurality_agreement: null },
        asked: "ab",
      },
    ]);
  });

  it("are of forms that are named by task and difficulty", () => {
    expect(formName({ task: "CL", difficulty: "hard" })).toBe("CL hard");
    expect(formName({ task: "CTR", difficulty: null })).toBe("CTR");
  });
});

describe("a form of questions", () => {
  it("has PPA with its distances from 1/N and from guessing, as the paper's Table 8", async () => {
    const [form] = (await verdictsOf({ scores: [makeScore({ pluralityAgreement: 4 / 6 })] })).forms;
    expect(form).toMatchObject({
      name: "CTR",
      paperTable: "Table 8",
      kind: "choice",
      pool: "choices",
      groupBy: "language",
    });
    const [column] = form!.columns;
    expect(column).toMatchObject({ id: "plurality_agreement", label: "PPA (1/N 33.3)" });
    expect(column!.value).toBeCloseTo(2 / 3, 12);
    // 2/3 − 1/3, and less what guessing three options over six orders gives: 2358/729/6 = 0.5391.
    expect(column!.distances.map(({ value }) => value)).toEqual([
      expect.closeTo(1 / 3, 12),
      expect.closeTo(2 / 3 - 2358 / 729 / 6, 12),
    ]);
  });

  it("counts its own records, whole or not", async () => {
    const failed = makeScore({ answered: 4, failed: 2, lost: true, meanAccuracy: null, pluralityAgreement: null });
    const run = { counts: { chosen: 10, undecided: 0, failed: 2, failures: { unavailable: 2 } } };
    const [form] = (await verdictsOf({ scores: [makeScore(), failed], run })).forms;
    // Two questions of six orders: 6 + 4 answered and 2 failed.
    expect(form!.records).toEqual({
      name: "answers",
      planned: 12,
      recorded: 12,
      failed: 2,
      failures: { unavailable: 2 },
      mayBeFewer: false,
    });
    const [stopped] = (await verdictsOf({ scores: [makeScore()], run: { parameters: { early_stop: true } } })).forms;
    expect(stopped!.records.mayBeFewer).toBe(true);
  });

  it("carries what its score is worth, and every overall number", async () => {
    const [form] = (await verdictsOf({ scores: [makeScore()] })).forms;
    expect(form!.judgement).toMatchObject({ state: "unknown", score: 1, floor: null });
    expect(form!.measures.find(({ metric }) => metric === "invariant_accuracy")).toMatchObject({ value: 1, n: 1 });
    const none = { forms: [{ task: "CTR", difficulty: null, questions: 0, skipped: 3 }] };
    expect((await verdictsOf({ run: none })).forms[0]).toMatchObject({
      judgement: { state: "unknown", sentence: NOTHING_MEASURED },
      records: { planned: 0 },
    });
  });
});

describe("the verdicts of generations", () => {
  it("are whether they match character for character; one that failed does not, and is lost", async () => {
    const generations = [makeScoredGeneration({}, { em: true, editSimilarity: 1 }), makeFailedGeneration()];
    const { verdicts, forms } = await verdictsOf({ generations });
    expect(verdicts).toMatchObject([
      { form: "ACR", item: "0", passed: true, lost: false, values: { edit_similarity: 1 }, asked: "cd" },
      { form: "ACR", item: "1", passed: false, lost: true, values: { edit_similarity: null } },
    ]);
    expect(forms[0]).toMatchObject({
      name: "ACR",
      paperTable: "Table 7",
      kind: "generation",
      pool: null,
      score: { metric: "em" },
      records: { name: "generations", planned: 2, recorded: 2, failed: 1 },
    });
  });
});

describe("what makes a run doubtful", () => {
  it("is nothing of a run that is whole, whose model is in this process", async () => {
    expect(await verdictsOf({ scores: [makeScore()] })).toMatchObject({ warnings: [], server: null });
  });

  it("is a server that was taken by force", async () => {
    const model = { ...makeRunModel("lab", {}), check: { forced: true } };
    const { warnings, server } = await verdictsOf({ scores: [makeScore()], run: { model } });
    expect(warnings).toEqual(["FORCED: the check refused this server; its numbers may mean nothing."]);
    expect(server).not.toBeNull();
  });

  it("is lines that are gone from a run that was complete; one that goes on misses none", async () => {
    const parts = { scores: [makeScore()], unfinished: "3 of 36 questions" };
    expect((await verdictsOf(parts)).warnings).toEqual([
      expect.stringMatching(/3 of 36 questions.*--resume results\/r/),
    ]);
    expect((await verdictsOf({ ...parts, run: { status: "interrupted" } })).warnings).toEqual([]);
  });
});
