import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Logprob } from "../../../../../../src/base/symbol.js";
import { ExampleShelf } from "../../../../../../src/dataset/example-shelf.js";
import type { Answer } from "../../../../../../src/suites/codereviewqa/answer/answer.js";
import {
  filterQuestions,
  linkedQuestion,
  linkOf,
  NO_FILTER,
} from "../../../../../../src/suites/codereviewqa/report/page/browser/filter.js";
import { Store } from "../../../../../../src/suites/codereviewqa/report/page/browser/store.js";
import { browserData } from "../../../../../../src/suites/codereviewqa/report/page/browser-data.js";
import { QuestionList } from "../../../../../../src/suites/codereviewqa/report/page/question-list.js";
import { jsonPieces } from "../../../../../../src/web/html-page.js";
import { answersUnder, choice, ORDERS_OF_THREE, pick, TIE, UNAVAILABLE } from "../../../../../fixtures/answer.js";
import { collect } from "../../../../../fixtures/collect.js";
import { useFreshFolder } from "../../../../../fixtures/fresh-folder.js";
import { jsonl } from "../../../../../fixtures/jsonl.js";
import { recordWith } from "../../../../../fixtures/official-record.js";
import { makeReportData } from "../../../../../fixtures/report-model.js";
import { A, B, C } from "../../../../../fixtures/symbols.js";

const about = (answers: Answer[], exampleId: string, language: Answer["language"] = "python") =>
  answers.map((answer) => ({ ...answer, exampleId, language }));

/** ln 1/2, ln 1/4 and unknown, at A, B and C. */
const LOGPROBS = [
  { symbol: A, logprob: Math.log(1 / 2) as Logprob },
  { symbol: B, logprob: Math.log(1 / 4) as Logprob },
  { symbol: C, logprob: null },
];

const right = about(
  answersUnder(ORDERS_OF_THREE, (order) => pick(order, 0)),
  "right",
  "c",
);
const letter = about(
  answersUnder(ORDERS_OF_THREE, (order) => choice(order, A)),
  "letter",
).map((answer) => ({
  ...answer,
  logprobs: LOGPROBS,
}));
const wrong = about(
  answersUnder(ORDERS_OF_THREE, (order) => pick(order, 2)),
  "wrong",
);
const troubled = about(
  answersUnder(ORDERS_OF_THREE.slice(0, 5), (order, i) => (i === 0 ? TIE : i === 1 ? UNAVAILABLE : pick(order, 0))),
  "troubled",
);

async function storeOf(answers: Parameters<typeof makeReportData>[0], examples?: ExampleShelf): Promise<Store> {
  // As in the page: through JSON.
  const report = await makeReportData(answers, examples);
  const pieces = await collect(jsonPieces(await browserData(report, new QuestionList(report))));
  return new Store(JSON.parse(pieces.map(({ text }) => text).join("")));
}

describe("the data of the question browser", () => {
  it("tells what was chosen in every order, and where the right option stood", async () => {
    const store = await storeOf({ one: [right, letter, wrong, troubled] });
    const orders = store.orders(0, 1);
    expect(orders.map(({ options }) => options.join(""))).toEqual(ORDERS_OF_THREE);
    // Option 0 stands at A in 012 and 021, at B in 102 and 201, at C in 120 and 210.
    expect(orders.map(({ rightLetter }) => rightLetter).join("")).toBe("AABCBC");
    expect(orders.map(({ chosen }) => chosen).join("")).toBe("AAAAAA");
    expect(orders.map(({ state }) => state)).toEqual(["right", "right", "wrong", "wrong", "wrong", "wrong"]);
  });

  it("has the probabilities of every letter, unknown ones as such", async () => {
    const store = await storeOf({ one: [right, letter, wrong, troubled] });
    for (const { probabilities } of store.orders(0, 1)) {
      expect(probabilities).toEqual([expect.closeTo(0.5, 6), expect.closeTo(0.25, 6), null]);
    }
    // Of a question without any, in a run that has some.
    expect(store.orders(0, 0)[0]!.probabilities).toEqual([null, null, null]);
    expect((await storeOf({ one: [right] })).orders(0, 0)[0]!.probabilities).toEqual([]);
  });

  it("tells ties, failures and what was not asked apart", async () => {
    const store = await storeOf({ one: [right, letter, wrong, troubled] });
    const orders = store.orders(0, 3);
    expect(orders.map(({ state }) => state)).toEqual(["undecided", "failed", "right", "right", "right", "not asked"]);
    // A state that says it all has no reason.
    expect(orders.map(({ reason }) => reason)).toEqual(["tie", "unavailable", "", "", "", ""]);
    expect(store.verdict(0, 3)).toBe("lost");
    expect(store.counts(0, 3)).toEqual({ right: 3, orders: 5, agreement: null });
  });

  it("counts what was asked: fewer orders, where a run asks only some, or a question ended at its first wrong one", async () => {
    const first = right.slice(0, 2);
    const store = await storeOf({ one: [first, letter], two: [letter] });
    expect(store.counts(0, 0).orders).toBe(2);
    expect(store.counts(0, 1)).toEqual({ right: 2, orders: 6, agreement: 2 });
    // Not asked at all.
    expect(store.counts(1, 0)).toEqual({ right: 0, orders: 0, agreement: null });
  });

  it("puts the answers of several models to one question together, and marks who was not asked", async () => {
    const store = await storeOf({ one: [right, wrong], two: [wrong, letter] });
    expect(store.count).toBe(3);
    const verdicts = (model: number) => [0, 1, 2].map((i) => store.verdict(model, i));
    expect([0, 1, 2].map((i) => store.question(i).example.id)).toEqual(["right", "wrong", "letter"]);
    expect(verdicts(0)).toEqual(["all", "none", "not asked"]);
    expect(verdicts(1)).toEqual(["not asked", "none", "some"]);
  });

  it("goes without texts where the dataset is not at hand, and says why", async () => {
    const { example, options } = (await storeOf({ one: [right] })).question(0);
    expect(example).toMatchObject({ review: null, code: null, missing: "the dataset is not at hand" });
    expect(options).toEqual([null, null, null]);
  });
});

describe("the texts of the question browser", () => {
  const folder = useFreshFolder();

  it("are those of the dataset, by example, whatever its order", async () => {
    const path = folder.path("data.jsonl");
    const add: Parameters<typeof recordWith>[0] = { type_correct: "add_only", type_wrong: ["modify", "remove_only"] };
    await writeFile(
      path,
      jsonl(
        recordWith({ id: "wrong", review: "Third.", ...add }),
        recordWith({ id: "nobody's", review: "None." }),
        recordWith({ id: "right", review: "First." }),
      ),
    );
    const store = await storeOf({ one: [right, letter], two: [wrong, right] }, await ExampleShelf.open(path));
    const questions = [0, 1, 2].map((i) => store.question(i));
    expect(questions.map(({ example }) => [example.id, example.review, example.code === null])).toEqual([
      ["right", "First.", false],
      ["letter", null, true],
      ["wrong", "Third.", false],
    ]);
    // Of "right" what the record says: modify, add, delete; of "wrong": add, modify, delete.
    const [modify, adding, deleting] = questions[0]!.options;
    expect(new Set([modify, adding, deleting]).size).toBe(3);
    expect(questions[1]!.options).toEqual([null, null, null]);
    expect(questions[2]!.options).toEqual([adding, modify, deleting]);
    expect(store.data.texts).toEqual([modify, adding, deleting]);
    expect(store.question(1).example.missing).toBe("the dataset has no such example");
  });
});

describe("the filters", () => {
  it("choose by probe, language, change type, verdict and words, and together", async () => {
    const store = await storeOf({ one: [right, letter, wrong, troubled] });
    const ids = (filter: Partial<typeof NO_FILTER>) =>
      filterQuestions(store, 0, { ...NO_FILTER, ...filter }).map((i) => store.question(i).example.id);
    expect(ids({})).toEqual(["right", "letter", "wrong", "troubled"]);
    expect(ids({ task: "CTR" })).toHaveLength(4);
    expect(ids({ task: "CL" })).toEqual([]);
    expect(ids({ language: "c" })).toEqual(["right"]);
    expect(ids({ changeType: "add" })).toEqual([]);
    expect((["all", "some", "none", "lost"] as const).map((verdict) => ids({ verdict }))).toEqual([
      ["right"],
      ["letter"],
      ["wrong"],
      ["troubled"],
    ]);
    expect(ids({ text: " LETT " })).toEqual(["letter"]);
    expect(ids({ text: "letter wrong" })).toEqual([]);
    expect(ids({ language: "c", verdict: "none" })).toEqual([]);
  });

  it("find what one model gets right and another wrong; what was not asked is neither", async () => {
    const store = await storeOf({ one: [right, letter, wrong], two: [letter, right] });
    const ids = (filter: Partial<typeof NO_FILTER>) =>
      filterQuestions(store, 0, { ...NO_FILTER, ...filter }).map((i) => store.question(i).example.id);
    // Model 0: "right" is right, "letter" and "wrong" are not; model 1 was not asked "wrong".
    expect(ids({ right: "0" })).toEqual(["right"]);
    expect(ids({ wrong: "0" })).toEqual(["letter", "wrong"]);
    expect(ids({ wrong: "1" })).toEqual(["letter"]);
    expect(ids({ right: "0", wrong: "1" })).toEqual([]);
  });
});

describe("the link of a question", () => {
  it("leads back to it, and one of another page to none", async () => {
    const store = await storeOf({ one: [right, letter, about(right, "a/b c%"), about(right, "half \ud800")] });
    for (const place of [0, 1, 2, 3]) expect(linkedQuestion(store, linkOf(store, place))).toBe(place);
    expect(linkOf(store, 2)).toBe("#question=CTR/a%2Fb%20c%25");
    for (const other of ["", "#method", "#question=", "#question=CTR/gone", "#question=%E0%/x"]) {
      expect(linkedQuestion(store, other), other).toBeNull();
    }
  });
});
