import { appendFile, open, writeFile } from "node:fs/promises";
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
import { openFiles } from "../disk.js";

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
    // Each answer counts once; a later failure is asked again.
    expect((await indexOf(1, [at(0, 0), at(0, 0, TIE)])).answeredCount()).toBe(1);
    expect((await indexOf(1, [at(0, 0), at(0, 0, UNAVAILABLE)])).answeredCount()).toBe(0);
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
    const foreign = [
      { answer: at(3, 0), found: "item 4 of 3" },
      { answer: at(0, 24), found: "place 25 of 24 of item 1" },
    ];
    for (const { answer, found } of foreign) {
      await write([ANSWER_JOURNAL.encode(at(2, 23)), ANSWER_JOURNAL.encode(answer)]);
      await expect(glanced()).rejects.toThrow(
        `answers.jsonl:3: expected an answer of a run that belongs to this work, found ${found}.`,
      );
    }
  });

  it("knows what it has a record of, failed or not", async () => {
    await write([at(2, 1), at(0, 5, UNAVAILABLE)].map(ANSWER_JOURNAL.encode));
    const index = await glanced();
    expect([index.has(2, 1), index.has(0, 5), index.has(0, 0), index.has(3, 0)]).toEqual([true, true, false, false]);
    expect([index.recordedCount, index.answeredCount()]).toEqual([2, 1]);
  });

  it("is refused where the journal is of other work", async () => {
    await write([]);
    const build = (fingerprint: string) =>
      JournalIndex.build(path(), ANSWER_JOURNAL, { plan: PLAN, identity: { fingerprint } });
    expect((await build("f")).recordedCount).toBe(0);
    await expect(build("g")).rejects.toThrow('fingerprint: the file has "f", this command "g"');
  });

  it("gives the records of an item of more than are read at once, and of more than a block, in order", async () => {
    const answers = Array.from({ length: 72 }, (_, i) => ({
      ...at(Math.floor(i / 24), i % 24),
      exampleId: "x".repeat(20_000),
    }));
    await write([...answers].reverse().map(ANSWER_JOURNAL.encode));
    const items = [0, 1, 2].map((item) => answers.slice(24 * item, 24 * (item + 1)));
    expect(await collect((await glanced()).byItem())).toEqual(items);
    expect(openFiles(folder.path())).toEqual([]);
  });
});

describe("JournalIndex of a journal that grows", () => {
  it("reads on behind what it has read, counts its lines on, and forgets a last line that was torn", async () => {
    const path = folder.path("answers.jsonl");
    const lineOf = (answer: Answer) => `${sealLine(ANSWER_JOURNAL.encode(answer))}\n`;
    const [second, third] = [lineOf(at(0, 1)), lineOf(at(1, 0))];
    await writeFile(path, `${headerLine("answers", { fingerprint: "f" })}\n${lineOf(at(0, 0))}${second.slice(0, 9)}`);
    const index = await JournalIndex.build(path, ANSWER_JOURNAL, { plan: { items: 2, places: 24 } });
    expect([index.answeredCount(), index.torn?.length]).toEqual([1, 9]);
    await appendFile(path, second.slice(9));
    await index.readOn();
    await index.readOn(true);
    expect([index.answeredCount(), index.torn]).toEqual([2, null]);
    await appendFile(path, third);
    await index.readOn(true);
    expect(await collect(index.byItem())).toEqual([[at(0, 0), at(0, 1)], [at(1, 0)]]);
    await appendFile(path, "{}\n");
    // What was read is not read again, be it damaged meanwhile.
    const file = await open(path, "r+");
    await file.write("x", 0);
    await file.close();
    // A header and three records stand before it.
    await expect(index.readOn()).rejects.toThrow("answers.jsonl:5: expected an answer of a run");
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
