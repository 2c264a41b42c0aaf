import { describe, expect, it } from "vitest";
import { floorsOfForm } from "../../../../src/question/floors/floors.js";
import { summarise } from "../../../../src/suites/codereviewqa/suite/summarise.js";
import { makeScoredGeneration } from "../../../fixtures/generation.js";
import { makeFloors } from "../../../fixtures/question-floors.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const IDS = Array.from({ length: 8 }, (_, i) => `${i}`);
const QUESTIONS = IDS.map((exampleId) => makeScore({ exampleId }));
const FORMS = [{ task: "CTR", difficulty: null, questions: 8, skipped: 0 }];

describe("summarise", () => {
  it("puts what a score is worth beside the score of its form, overall and by language, and nowhere else", async () => {
    // All right, and missed by the rule: 2^−8.
    const floors = floorsOfForm(IDS.map((exampleId) => makeFloors({ exampleId, shares: { longest: 0 } })));
    const rows = await summarise(makeRunFile({ forms: FORMS }), {
      questions: QUESTIONS,
      generations: [],
      floors: new Map([["CTR", floors]]),
    });
    const judged = rows.filter(({ detail }) => detail?.judgement !== undefined);
    expect(judged).toMatchObject([
      { metric: "invariant_accuracy", groupBy: "overall", value: 1 },
      { metric: "invariant_accuracy", groupBy: "language", group: "python", value: 1 },
    ]);
    expect(judged[0]?.detail?.judgement?.pValue).toBe(2 ** -8);
  });

  it("does not know what a score is worth without floors", async () => {
    const rows = await summarise(makeRunFile({ forms: FORMS }), {
      questions: QUESTIONS,
      generations: [],
      floors: new Map(),
    });
    expect(rows.find(({ detail }) => detail?.judgement !== undefined)?.detail?.judgement?.state).toBe("unknown");
  });

  it("judges generations by exact match, and has no rows of what was not asked", async () => {
    const forms = [...FORMS, { task: "ACR", difficulty: null, questions: 1, skipped: 0 }];
    const run = makeRunFile({ forms });
    const rows = await summarise(run, {
      questions: [],
      generations: [makeScoredGeneration({}, { em: true })],
      floors: new Map(),
    });
    expect(new Set(rows.map(({ task }) => task))).toEqual(new Set(["ACR"]));
    expect(rows.filter(({ detail }) => detail?.judgement !== undefined)).toMatchObject([
      { metric: "em", groupBy: "overall", value: 1, detail: { judgement: { state: "unknown" } } },
      { metric: "em", groupBy: "language", value: 1, detail: { judgement: { state: "unknown" } } },
    ]);
    expect(await summarise(run, { questions: [], generations: [], floors: new Map() })).toEqual([]);
  });
});
