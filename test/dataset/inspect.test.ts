import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspectDataset, readExamples } from "../../src/dataset/dataset-file.js";
import { collect } from "../fixtures/collect.js";
import { jsonl } from "../fixtures/jsonl.js";
import { recordWith } from "../fixtures/official-record.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const file = join(temporaryFolder(), "data.jsonl");

async function inspect(content: string) {
  writeFileSync(file, content);
  return await inspectDataset(file);
}

describe("inspectDataset", () => {
  it("lists language and line of every valid record, in file order", async () => {
    const content = `${jsonl(recordWith({ id: "a", lang: "go" }))}\n{}\n${jsonl(recordWith({ id: "b", lang: "c" }))}`;
    const inspection = await inspect(content);
    expect(inspection).toMatchObject({ path: file, languages: ["go", "c"], lines: [1, 4], invalidLines: 1 });
    // An object without any field: the seven fields that every record has.
    expect(inspection.problems.map(({ line, field }) => `${line} ${field}`)).toEqual(
      "lang old new review type_correct type_wrong loc_correct".split(" ").map((field) => `3 ${field}`),
    );
  });

  it("hashes the bytes of the file", async () => {
    const content = jsonl(recordWith({ id: "a" }), recordWith({ id: "b" }));
    const inspection = await inspect(content);
    expect(inspection.sha256).toBe(createHash("sha256").update(content).digest("hex"));
  });

  it("finds an id that is used again, and keeps the first", async () => {
    const records = ["a", "b", "a"].map((id, i) => recordWith({ id, review: `Review ${i}` }));
    expect(await inspect(jsonl(...records))).toMatchObject({
      lines: [1, 2],
      invalidLines: 1,
      problems: [{ file, line: 3, field: "id", expected: "an id of its own", found: "the id of line 1 again" }],
    });
  });

  it("finds a record without an id that is there twice", async () => {
    expect(await inspect(jsonl(recordWith(), recordWith()))).toMatchObject({
      lines: [1],
      problems: [{ file, line: 2, field: "id", expected: "an id of its own", found: "the id of line 1 again" }],
    });
  });

  it("knows hunks of tasks by what their records say, and no pull request for one", async () => {
    const hunk = recordWith({ id: "owner/name#1", source: "codetaste owner/name src/a.ts (gold)" });
    expect(await inspect(jsonl(hunk))).toMatchObject({ hasHunksOfTasks: true });
    expect(await inspect(jsonl(recordWith({ id: "owner/name#1" })))).toMatchObject({ hasHunksOfTasks: false });
  });

  it("lets a record take the id of an invalid one", async () => {
    const inspection = await inspect(jsonl({ ...recordWith({ id: "a" }), lang: "rust" }, recordWith({ id: "a" })));
    expect(inspection).toMatchObject({ lines: [2], invalidLines: 1 });
  });

  it.each(["", "\n\r\n  \n"])("finds a file without a record: %j", async (content) => {
    expect(await inspect(content)).toMatchObject({
      languages: [],
      invalidLines: 0,
      problems: [{ file, line: 1, field: "", expected: "at least one record" }],
    });
  });

  it("says that an empty file is empty", async () => {
    const { problems } = await inspect("");
    expect(problems.map(({ found }) => found)).toEqual(["an empty file"]);
  });

  it("counts a record with many problems once", async () => {
    const { invalidLines, problems } = await inspect(jsonl({ ...recordWith(), lang: "rust", review: "" }, []));
    // Two problems of the first line, one of the second.
    expect([invalidLines, problems.length]).toEqual([2, 3]);
  });

  it("tells the first hundred of a line: an item of a list may have one each", async () => {
    const { problems } = await inspect(
      jsonl({ ...recordWith(), loc_correct: Array.from({ length: 200_000 }, () => "a") }),
    );
    expect(problems).toHaveLength(100);
    expect(problems[99]).toMatchObject({ line: 1, field: "loc_correct[99]", found: '"a"' });
  });

  it("has one problem for a raw triple, however many fields of a record it lacks", async () => {
    const raw = { line: 2, field: "", expected: "a record with questions", found: "a raw triple, which has none yet" };
    expect(await inspect(jsonl(recordWith(), rawTripleWith()))).toMatchObject({
      invalidLines: 1,
      rawTriples: 1,
      problems: [raw],
    });
  });

  it("finds nothing wrong with the six hand-written records", async () => {
    expect(await inspectDataset(MINI)).toMatchObject({
      languages: ["python", "go", "java", "javascript", "csharp", "cpp"],
      lines: [1, 2, 3, 4, 5, 6],
      problems: [],
    });
  });

  it("fails when there is no file", async () => {
    await expect(inspectDataset(`${file}.missing`)).rejects.toMatchObject({ code: "bad_input" });
  });
});

describe("readExamples", () => {
  it("gives the examples of the chosen lines, in file order", async () => {
    const examples = await collect(readExamples(MINI, new Set([6, 2, 4])));
    expect(examples.map(({ id }) => id)).toEqual(["mini-go", "mini-js", "mini-cpp"]);
  });

  it("passes over a chosen line that is invalid", async () => {
    writeFileSync(file, `${jsonl(recordWith({ id: "a" }))}broken\n`);
    expect(await collect(readExamples(file, new Set([1, 2])))).toMatchObject([{ id: "a" }]);
  });
});
