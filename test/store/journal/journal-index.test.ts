import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../../src/store/journal/codec.js";
import { headerLine } from "../../../src/store/journal/header.js";
import { JournalIndex } from "../../../src/store/journal/journal-index.js";
import { ANSWER_JOURNAL, type Answer } from "../../../src/suites/codereviewqa/answer/answer.js";
import { GENERATION_JOURNAL } from "../../../src/suites/codereviewqa/answer/generation.js";
import { choice, makeAnswer, TIE, UNAVAILABLE } from "../../fixtures/answer.js";
import { collect } from "../../fixtures/collect.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { FAILED, makeGeneration } from "../../fixtures/generation.js";
import { A, B } from "../../fixtures/symbols.js";

const folder = useFreshFolder();

async function indexOf(questionCount: number, answers: readonly Answer[], rest = ""): Promise<JournalIndex<Answer>> {
  const path = folder.path("answers.jsonl");
  await writeFile(path, answers.map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`).join("") + rest);
  return await JournalIndex.build(path, ANSWER_JOURNAL, { plan: { items: questionCount, places: 24 } });
}

const at = (questionIndex: number, permutationIndex: number, outcome = choice("012", A)) =>
  makeAnswer({ questionIndex, permutationIndex, outcome, exampleId: `é${questionIndex}` });

describe("JournalIndex", () => {
  it("gives answers by question and order, whatever the order in which they came", async () => {
    const index = await indexOf(3, [at(2, 1), at(0, 5), at(2, 0), at(0, 0)]);
    expect(await collect(index.byItem())).toEqual([
      [at(0, 0), at(0, 5)],
      [at(2, 0), at(2, 1)],
    ]);
    expect(await index.recordsOf(2)).toEqual([at(2, 0), at(2, 1)]);
    expect(await index.recordsOf(1)).toEqual([]);
  });

  it("knows which orders are answered", async () => {
    const index = await indexOf(2, [at(0, 0), at(1, 23, TIE)]);
    expect(index.isAnswered(0, 0)).toBe(true);
    expect(index.isAnswered(1, 23)).toBe(true);
    expect(index.isAnswered(0, 1)).toBe(false);
    expect(index.isAnswered(1, 0)).toBe(false);
    expect(index.answeredCount()).toBe(2);
  });

  it("counts a failed answer as not answered, but gives it", async () => {
    const index = await indexOf(1, [at(0, 0, UNAVAILABLE)]);
    expect(index.isAnswered(0, 0)).toBe(false);
    expect(index.answeredCount()).toBe(0);
    expect(await collect(index.byItem())).toEqual([[at(0, 0, UNAVAILABLE)]]);
  });

  it("lets the last answer for an order win", async () => {
    const index = await indexOf(1, [at(0, 0, UNAVAILABLE), at(0, 1), at(0, 0, choice("012", B))]);
    expect(index.isAnswered(0, 0)).toBe(true);
    expect(index.answeredCount()).toBe(2);
    expect(await collect(index.byItem())).toEqual([[at(0, 0, choice("012", B)), at(0, 1)]]);
  });

  it("notes a torn last line and does without it", async () => {
    const index = await indexOf(1, [at(0, 0)], '{"kind":"ans');
    expect(index.torn).toEqual({ offset: Buffer.byteLength(ANSWER_JOURNAL.encode(at(0, 0))) + 1, length: 12 });
    expect(index.answeredCount()).toBe(1);
  });

  it("is empty without a file", async () => {
    const index = await JournalIndex.build(folder.path("none.jsonl"), ANSWER_JOURNAL, {
      plan: { items: 2, places: 24 },
    });
    expect(index.answeredCount()).toBe(0);
    expect(index.torn).toBeNull();
    expect(await collect(index.byItem())).toEqual([]);
  });
});

describe("JournalIndex of a journal that is read later", () => {
  const PLAN = { items: 3, places: 24 };
  const path = () => folder.path("answers.jsonl");

  async function write(lines: readonly string[]): Promise<void> {
    const sealed = lines.map((line) => `${sealLine(line)}\n`).join("");
    await writeFile(path(), `${headerLine("answers", { fingerprint: "f" })}\n${sealed}`);
  }

  const glanced = () => JournalIndex.build(path(), ANSWER_JOURNAL, { plan: PLAN, isReadLater: true });
  const whole = () => JournalIndex.build(path(), ANSWER_JOURNAL, { plan: PLAN });

  it("holds what it holds when its lines are read whole, however they stand", async () => {
    const spaced = ANSWER_JOURNAL.encode(at(1, 3)).replace('"task"', ' "task"');
    const answers = [at(2, 1), at(0, 5, UNAVAILABLE), at(0, 0), at(0, 5, TIE), at(1, 0, UNAVAILABLE)];
    await write([spaced, ...answers.map(ANSWER_JOURNAL.encode)]);
    const [first, second] = [await glanced(), await whole()];
    expect(await collect(first.byItem())).toEqual(await collect(second.byItem()));
    expect(first.answeredCount()).toBe(4);
    expect([first.recordedCount, first.answeredCount()]).toEqual([second.recordedCount, second.answeredCount()]);
    expect(await first.recordsOf(0)).toEqual([at(0, 0), at(0, 5, TIE)]);
  });

  it.each([
    ["whose place another takes", [at(0, 0, UNAVAILABLE), at(0, 0)]],
    ["that stands for itself", [at(0, 0)]],
  ])("refuses a damaged line %s, by its number", async (_, answers) => {
    const [first = "", ...rest] = answers.map(ANSWER_JOURNAL.encode);
    await write([ANSWER_JOURNAL.encode(at(1, 0)), first.replace('"duration_ms":0', '"duration_ms":-1'), ...rest]);
    const found = /answers\.jsonl:3: expected an answer of a run, found a damaged line .*duration_ms/s;
    await expect(glanced().then((index) => collect(index.byItem()))).rejects.toThrow(found);
    await expect(whole()).rejects.toThrow(found);
  });

  it("refuses a line that says in two ways where it belongs, or whether it failed", async () => {
    for (const twice of ['"question_index":1', '"status":"undecided","reason":"tie"']) {
      await write([ANSWER_JOURNAL.encode(at(0, 0)).replace('"extraction"', `${twice},"extraction"`)]);
      const index = await glanced();
      const isMoved = twice.startsWith('"question');
      if (isMoved) await expect(collect(index.byItem())).rejects.toThrow("answers.jsonl:2: expected");
      else expect(await collect(index.byItem())).toEqual([[at(0, 0, TIE)]]);
    }
    await write([
      ANSWER_JOURNAL.encode(at(0, 0)).replace(
        '"extraction"',
        '"status":"failed","failure":"x","detail":"","extraction"',
      ),
    ]);
    await expect(glanced().then((index) => collect(index.byItem()))).rejects.toThrow("says in two ways");
  });

  it("refuses a line whose checksum does not fit, and one that belongs nowhere, before any is read", async () => {
    await writeFile(
      path(),
      `${headerLine("answers", { fingerprint: "f" })}\n${ANSWER_JOURNAL.encode(at(0, 0)).slice(0, -1)},"crc":"00000000"}\n`,
    );
    await expect(glanced()).rejects.toThrow(/answers\.jsonl:2: .*its checksum is 00000000/);
    await write([ANSWER_JOURNAL.encode(at(3, 0))]);
    await expect(glanced()).rejects.toThrow(/answers\.jsonl:2: .*found item 4 of 3/);
  });
});

describe("JournalIndex of generations", () => {
  it("has one place a question, and lets the last generation win over a failure", async () => {
    const path = folder.path("generations.jsonl");
    const [first, failed, again] = [
      makeGeneration({ generationIndex: 1 }),
      makeGeneration({ generationIndex: 0, outcome: FAILED }),
      makeGeneration({ generationIndex: 0 }),
    ];
    const write = (...lines: (typeof first)[]) =>
      writeFile(path, lines.map((line) => `${GENERATION_JOURNAL.encode(line)}\n`).join(""));
    await write(first, failed);
    const before = await JournalIndex.build(path, GENERATION_JOURNAL, { plan: { items: 3, places: 1 } });
    expect([0, 1, 2].map((item) => before.isAnswered(item, 0))).toEqual([false, true, false]);
    await write(first, failed, again);
    const after = await JournalIndex.build(path, GENERATION_JOURNAL, { plan: { items: 3, places: 1 } });
    expect(after.answeredCount()).toBe(2);
    expect(await collect(after.byItem())).toEqual([[again], [first]]);
  });

  it("passes over a generation of a question that a run of version 1 does not have", async () => {
    const path = folder.path("generations.jsonl");
    await writeFile(path, `${GENERATION_JOURNAL.encode(makeGeneration({ generationIndex: 2 }))}\n`);
    expect(
      (await JournalIndex.build(path, GENERATION_JOURNAL, { plan: { items: 2, places: 1 } })).answeredCount(),
    ).toBe(0);
  });
});
