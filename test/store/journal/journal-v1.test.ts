import { readFileSync } from "node:fs";
import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ProbeError } from "../../../src/base/errors.js";
import { sealLine } from "../../../src/store/journal/codec.js";
import { JournalWriter } from "../../../src/store/journal/journal-writer.js";
import { readJournal, type TornLine } from "../../../src/store/journal/read-journal.js";
import { ANSWER_JOURNAL, type Answer } from "../../../src/suites/codereviewqa/answer/answer.js";
import { makeAnswer } from "../../fixtures/answer.js";
import { collect } from "../../fixtures/collect.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const WORK = { fingerprint: "0a" };
/** The first line of a journal of today. */
const HEADER = Buffer.from('{"journal":"answers","version":2,"identity":{"fingerprint":"0a"}}\n');
const ANSWERS = [0, 1, 2].map((questionIndex) => makeAnswer({ questionIndex, exampleId: `é日本🦊${questionIndex}` }));
const SEALED = ANSWERS.map((answer) => Buffer.from(`${sealLine(ANSWER_JOURNAL.encode(answer))}\n`));
const LINES = ANSWERS.map((answer) => Buffer.from(`${ANSWER_JOURNAL.encode(answer)}\n`));

async function writeJournal(...lines: (string | Buffer)[]): Promise<string> {
  const path = folder.path("answers.jsonl");
  await writeFile(path, Buffer.concat(lines.map((line) => Buffer.from(line))));
  return path;
}

async function read(path: string): Promise<{ answers: Answer[]; torn: TornLine | null }> {
  let torn: TornLine | null = null;
  const entries = await collect(
    readJournal(path, ANSWER_JOURNAL, {
      onTorn: (found) => {
        torn = found;
      },
    }),
  );
  return { answers: entries.map(({ record }) => record), torn };
}

describe("a journal of version 1", () => {
  it("gives the answers in the order in which they were written, and where they stand", async () => {
    const path = await writeJournal(...LINES);
    const [first, second] = LINES as [Buffer, Buffer];
    expect(await collect(readJournal(path, ANSWER_JOURNAL))).toMatchObject([
      { record: ANSWERS[0], number: 1, offset: 0, length: first.length - 1 },
      { record: ANSWERS[1], number: 2, offset: first.length, length: second.length - 1 },
      { record: ANSWERS[2], number: 3, offset: first.length + second.length, length: LINES[2]!.length - 1 },
    ]);
  });

  it("gives none when there is no file, or an empty one", async () => {
    expect(await collect(readJournal(folder.path("none.jsonl"), ANSWER_JOURNAL))).toEqual([]);
    expect(await read(await writeJournal(""))).toEqual({ answers: [], torn: null });
  });

  it("says what has the place of a file that cannot be read", async () => {
    const beginnings = {
      [folder.path()]: `Expected to read ${folder.path()}, found a folder. Name the file.`,
      "/dev/null": "Expected a plain file at /dev/null, found",
    };
    for (const [path, beginning] of Object.entries(beginnings)) {
      const error: unknown = await read(path).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "bad_input" });
      expect(String(error)).toContain(`ProbeError: ${beginning}`);
    }
  });

  it("drops a last line torn at any of its bytes, and keeps all before it", async () => {
    const path = await writeJournal(...LINES);
    const start = LINES[0]!.length + LINES[1]!.length;
    // From the last byte, the line end, back to the first: each cut leaves the last line one byte shorter.
    for (let length = LINES[2]!.length - 1; length >= 1; length--) {
      await truncate(path, start + length);
      expect(await read(path)).toEqual({ answers: ANSWERS.slice(0, 2), torn: { offset: start, length } });
    }
    await truncate(path, start);
    expect(await read(path)).toEqual({ answers: ANSWERS.slice(0, 2), torn: null });
  });

  it("takes answers again after a torn line was cut off", async () => {
    const path = await writeJournal(...LINES.slice(0, 2), LINES[2]!.subarray(0, 40));
    const journal = await JournalWriter.open(path, ANSWER_JOURNAL, WORK);
    expect(journal.torn).toEqual({ offset: LINES[0]!.length + LINES[1]!.length, length: 40 });
    expect((await stat(path)).size).toBe(LINES[0]!.length + LINES[1]!.length);
    await journal.append(ANSWERS[2]!);
    await journal.close();
    expect(await read(path)).toEqual({ answers: ANSWERS, torn: null });
  });

  it.each([
    ["half a record", LINES[1]!.subarray(0, 40)],
    ["an empty line", ""],
    ["something else", '{"kind":"note"}'],
    ["two records run together", Buffer.concat([LINES[1]!.subarray(0, -1), LINES[1]!.subarray(0, -1)])],
  ])("refuses a damaged line in the middle, naming its number: %s", async (_, damaged) => {
    const path = await writeJournal(LINES[0]!, damaged, "\n", LINES[2]!);
    const error: unknown = await read(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProbeError);
    expect(error).toMatchObject({ code: "bad_input", message: expect.stringContaining(`${path}:2:`) });
  });

  it("quotes a damaged line as it is: the console makes visible what a terminal would obey", async () => {
    const path = await writeJournal("\u001b[31mred\n");
    const error: unknown = await read(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining("\u001b[31mred") });
  });

  it("refuses a damaged last line that has its line end: it was not torn by a kill", async () => {
    const path = await writeJournal(...LINES, "{}\n");
    await expect(read(path)).rejects.toThrow(":4:");
  });
});

describe("JournalWriter", () => {
  it("has the answer in the file when the append resolves", async () => {
    const path = folder.path("answers.jsonl");
    const journal = await JournalWriter.open(path, ANSWER_JOURNAL, WORK);
    for (const [i, answer] of ANSWERS.entries()) {
      await journal.append(answer);
      expect(await readFile(path)).toEqual(Buffer.concat([HEADER, ...SEALED.slice(0, i + 1)]));
    }
    await journal.close();
  });

  it("appends to what is there, in the version in which it is written", async () => {
    const path = await writeJournal(LINES[0]!);
    const journal = await JournalWriter.open(path, ANSWER_JOURNAL, WORK);
    await journal.append(ANSWERS[1]!);
    await journal.close();
    expect((await read(path)).answers).toEqual(ANSWERS.slice(0, 2));
    expect(await readFile(path)).toEqual(Buffer.concat(LINES.slice(0, 2)));
  });

  it("lands every answer of many concurrent callers whole, once, and each caller's in order", async () => {
    const path = folder.path("answers.jsonl");
    const journal = await JournalWriter.open(path, ANSWER_JOURNAL, WORK);
    const [callers, each] = [40, 25];
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let i = 0; i < each; i++) {
          // Some come in one turn of the event loop, some while a write is under way, some between two.
          if ((caller + i) % 3 === 0) await wait((caller * i) % 4);
          const exampleId = "é".repeat((caller * 37 + i * 11) % 300);
          await journal.append(makeAnswer({ questionIndex: caller, permutationIndex: i, exampleId }));
        }
      }),
    );
    await journal.close();
    const { answers, torn } = await read(path);
    expect(torn).toBeNull();
    expect(answers).toHaveLength(callers * each);
    for (let caller = 0; caller < callers; caller++) {
      const own = answers.filter(({ questionIndex }) => questionIndex === caller);
      expect(own.map(({ permutationIndex }) => permutationIndex)).toEqual(Array.from({ length: each }, (_, i) => i));
    }
  });

  it("has each concurrent caller's own answer in the file when its append resolves", async () => {
    const path = folder.path("answers.jsonl");
    const journal = await JournalWriter.open(path, ANSWER_JOURNAL, WORK);
    await Promise.all(
      Array.from({ length: 50 }, async (_, caller) => {
        const answer = makeAnswer({ questionIndex: caller });
        await journal.append(answer);
        expect(readFileSync(path, "utf8")).toContain(`${sealLine(ANSWER_JOURNAL.encode(answer))}\n`);
      }),
    );
    await journal.close();
  });

  it("lands answers appended without waiting", async () => {
    const path = folder.path("answers.jsonl");
    const journal = await JournalWriter.open(path, ANSWER_JOURNAL, WORK);
    await Promise.all(ANSWERS.map((answer) => journal.append(answer)));
    await journal.close();
    expect((await read(path)).answers).toEqual(ANSWERS);
  });

  it("tells the caller when the file cannot be written", async () => {
    const path = folder.path("answers.jsonl");
    const journal = await JournalWriter.open(path, ANSWER_JOURNAL, WORK);
    await journal.close();
    await expect(journal.append(ANSWERS[0]!)).rejects.toThrow();
    expect(await readFile(path)).toEqual(HEADER);
  });
});
