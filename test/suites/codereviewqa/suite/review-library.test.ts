import { readdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Console } from "../../../../src/console/console.js";
import type { GivenOptions } from "../../../../src/console/option.js";
import { scoreFolder } from "../../../../src/run/score-folder.js";
import { suiteRequest } from "../../../../src/run/suite-request.js";
import { ANSWER_JOURNAL } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { GENERATION_JOURNAL } from "../../../../src/suites/codereviewqa/answer/generation.js";
import { type RunFile, writeRunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { suite } from "../../../../src/suites/codereviewqa/suite/questions-suite.js";
import {
  type LoadedRun,
  loadRun,
  newSession,
  type RunSession,
} from "../../../../src/suites/codereviewqa/suite/review-library.js";
import { answersUnder, makeAnswer, ORDERS_OF_THREE, pick, TIE } from "../../../fixtures/answer.js";
import { collect } from "../../../fixtures/collect.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeGeneration } from "../../../fixtures/generation.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();

/** What is asked for: not who said it, nor who is warned. */
type AskedFor = Omit<RunSession["request"], "warn" | "named">;

/** What the command line asks for. */
async function askedBy(given: GivenOptions): Promise<AskedFor> {
  const console: Console = {
    out: () => {},
    err: () => {},
    isTerminal: false,
    workingDirectory: process.cwd(),
    now: () => new Date(0),
    onInterrupt: () => () => {},
  };
  return askedFor(await suiteRequest(suite, given, null, console));
}

function askedFor({ warn: _, named: __, ...request }: RunSession["request"]): AskedFor {
  return request;
}

describe("newSession", () => {
  it("asks what the command line asks when nothing is said", async () => {
    const { request, folder: chosen } = await newSession({ model: "tiny" });
    expect(askedFor(request)).toEqual(await askedBy({ model: "tiny" }));
    expect(chosen).toBeNull();
  });

  it("asks what the command line asks when everything is said", async () => {
    const { request, folder: chosen } = await newSession({
      model: "openai:gpt-4o-mini",
      settings: { topLogprobs: "5" },
      tasks: ["cl", "ACR"],
      difficulties: ["hard"],
      connection: { baseUrls: ["http://127.0.0.1:1/v1"], apiKeyEnv: "KEY", concurrency: 3, force: true },
      selection: { languages: ["go"], sample: 5, seed: 7, limit: 4 },
      dataset: "data.jsonl",
      promptMode: "chat",
      mode: "exact",
      earlyStop: true,
      skipInvalid: true,
      folder: "out",
    });
    const given = {
      model: "openai:gpt-4o-mini",
      modelArg: "topLogprobs=5",
      task: "cl,ACR",
      difficulty: "hard",
      force: true,
      baseUrl: "http://127.0.0.1:1/v1",
      apiKeyEnv: "KEY",
      concurrency: "3",
      language: "go",
      sample: "5",
      seed: "7",
      limit: "4",
      dataset: "data.jsonl",
      promptMode: "chat",
      mode: "exact",
      earlyStop: true,
      skipInvalid: true,
    };
    expect(askedFor(request)).toEqual(await askedBy(given));
    expect(chosen).toBe("out");
  });

  it("knows the aliases and prices of the working directory", async () => {
    const config = {
      models: { mine: { model: "scripted:oracle", settings: {} } },
      prices: { as_of: "2026-01-01", currency: "EUR", models: { mine: { input: 1, output: 2 } } },
    };
    await writeFile(folder.path("probe.config.json"), JSON.stringify(config));
    const { request } = await newSession({ model: "mine", workingDirectory: folder.path() });
    expect(request.model).toMatchObject({ label: "mine", provider: "scripted", name: "oracle" });
    expect(request.price).toMatchObject({ currency: "EUR", inputPerMillion: 1 });
  });

  it("refuses a model whose name means nothing, naming what is near", async () => {
    await expect(newSession({ model: "tyni" })).rejects.toThrow(/Did you mean tiny\?/);
  });

  it("is silent unless an observer is given, and tells that one what it listens to", async () => {
    const told: string[] = [];
    const { observer } = await newSession({ model: "tiny", observer: { onMessage: (message) => told.push(message) } });
    observer.onStart(6, 0, "answers");
    observer.onMessage("hello");
    expect(told).toEqual(["hello"]);
  });
});

const right = answersUnder(ORDERS_OF_THREE, (permutation) => pick(permutation, 0));
const unsure = answersUnder(ORDERS_OF_THREE, (permutation, i) => (i < 2 ? TIE : pick(permutation, 0))).map(
  (answer) => ({
    ...answer,
    questionIndex: 1,
    exampleId: "second",
  }),
);
const TWO: Partial<RunFile> = {
  questions: 2,
  planned_answers: 12,
  forms: [{ task: "CTR", difficulty: null, questions: 2, skipped: 0 }],
};

async function load(lines: readonly string[], changes: Partial<RunFile> = {}): Promise<LoadedRun> {
  await writeRunFile(folder.path(), makeRunFile(changes));
  await writeFile(folder.path("answers.jsonl"), lines.map((line) => `${line}\n`).join(""));
  return loadRun(folder.path());
}

const value = ({ summary }: LoadedRun, name: string) =>
  summary.find(({ metric, groupBy }) => metric === name && groupBy === "overall")?.value;

describe("loadRun", () => {
  it("gives answers and questions in the order of the run, as often as asked, whatever the order of the journal", async () => {
    const run = await load([...unsure, ...right].reverse().map(ANSWER_JOURNAL.encode), TWO);
    expect((await collect(run.answers())).map(({ exampleId }) => exampleId)).toEqual([
      ...Array<string>(6).fill("0123456789ab"),
      ...Array<string>(6).fill("second"),
    ]);
    expect(await collect(run.answers())).toEqual([...right, ...unsure]);
    expect(await collect(run.questions())).toMatchObject([
      { exampleId: "0123456789ab", invariantCorrect: true },
      { exampleId: "second", invariantCorrect: false, lost: true, undecided: 2 },
    ]);
    // One of two questions is right under all orders; 10 of 12 answers are.
    expect(value(run, "invariant_accuracy")).toBe(0.5);
    expect(value(run, "mean_accuracy")).toBeCloseTo((1 + 4 / 6) / 2, 12);
  });

  it("has the verdicts that scoring the folder finds, and writes nothing itself", async () => {
    const { verdicts } = await load([...right, ...unsure].map(ANSWER_JOURNAL.encode), TWO);
    expect((await readdir(folder.path())).sort()).toEqual(["answers.jsonl", "run.json"]);
    expect(verdicts).toEqual((await scoreFolder(suite, folder.path())).score.verdicts);
  });

  it("gives what an unfinished run has, without a torn last line", async () => {
    await writeRunFile(folder.path(), makeRunFile(TWO));
    const lines = right.slice(0, 3).map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`);
    await writeFile(folder.path("answers.jsonl"), lines.join("") + ANSWER_JOURNAL.encode(right[3]!).slice(0, 40));
    const run = await loadRun(folder.path());
    expect(await collect(run.answers())).toHaveLength(3);
    expect(await collect(run.questions())).toMatchObject([
      { answered: 3, invariantCorrect: false, meanAccuracy: null },
    ]);
    expect(run.run.status).toBe("running");
  });

  it("has no agreement after --early-stop, even of a question that got through", async () => {
    const run = await load(right.map(ANSWER_JOURNAL.encode), { parameters: { early_stop: true } });
    expect(await collect(run.questions())).toMatchObject([{ invariantCorrect: true, pluralityAgreement: null }]);
    expect(value(run, "plurality_agreement")).toBeNull();
  });

  it("gives the generations, scored in the summary; none of a run without", async () => {
    const generations = [makeGeneration(), makeGeneration({ generationIndex: 1, reference: "something else" })];
    await writeFile(
      folder.path("generations.jsonl"),
      generations.map((each) => `${GENERATION_JOURNAL.encode(each)}\n`).join(""),
    );
    const forms = [{ task: "ACR", difficulty: null, questions: 2, skipped: 0 }];
    const run = await load([], { questions: 0, planned_answers: 0, generations: 2, forms });
    expect(await collect(run.generations())).toEqual(generations);
    expect(await collect(run.answers())).toEqual([]);
    expect(value(run, "em_trim")).toBe(0.5);
    expect(await collect((await load([ANSWER_JOURNAL.encode(makeAnswer())])).generations())).toEqual([]);
  });

  it("refuses a folder without a run, and a damaged journal", async () => {
    await expect(loadRun(folder.path("nothing"))).rejects.toThrow(/found no run\.json/);
    await expect(load([ANSWER_JOURNAL.encode(makeAnswer()), "{}"])).rejects.toThrow(/answers\.jsonl:2: /);
    await expect(load(["{}"])).rejects.toThrow(
      /the answers of a run at .*answers\.jsonl, found another first line: \{\}/,
    );
  });
});
