import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toExample } from "../../src/dataset/official-record.js";
import { readReviewExamples } from "../../src/review/review-examples.js";
import { collect } from "../fixtures/collect.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { jsonl } from "../fixtures/jsonl.js";
import { recordWith } from "../fixtures/official-record.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";

const folder = useFreshFolder();

function read(...values: readonly unknown[]) {
  writeFileSync(folder.path("data.jsonl"), jsonl(...values));
  return collect(readReviewExamples(folder.path("data.jsonl")));
}

describe("what can be reviewed", () => {
  it("are raw triples and records without options, which have no questions", async () => {
    const { lang, old, new: fresh, review } = recordWith();
    const lines = await read(rawTripleWith({ id: "raw" }), { lang, old, new: fresh, review, id: "bare" });
    expect(lines).toMatchObject([
      { status: "example", example: { id: "raw", options: { status: "none" } } },
      { status: "example", example: { id: "bare", options: { status: "none" } } },
    ]);
  });

  it("are records with options, under the id that their answers have", async () => {
    const record = recordWith();
    const [line] = await read(record);
    expect(line).toMatchObject({
      status: "example",
      example: { id: toExample(record).id, options: { status: "ready" } },
    });
  });

  it("are records whose options are wrong: the problem is shown, the review goes on", async () => {
    const [line] = await read(recordWith({ id: "r", loc_correct: [99, 100] }));
    expect(line).toMatchObject({ status: "example", example: { id: "r", options: { status: "invalid" } } });
    expect(JSON.stringify(line)).toMatch(/loc_correct: expected line numbers from 1 to 6, found 99/);
  });

  it("are not: invalid lines, languages of no probe, repetitions; each says where and why", async () => {
    const lines = await read(rawTripleWith(), { nothing: 1 }, rawTripleWith({ language: "cobol" }), rawTripleWith());
    expect(lines.slice(1)).toMatchObject([
      { status: "skipped", reason: "invalid line", detail: expect.stringContaining(":2:") },
      { status: "skipped", reason: "language of no probe", detail: expect.stringContaining('"cobol"') },
      { status: "skipped", reason: "repeats an earlier line", detail: expect.stringContaining("the same as line 1") },
    ]);
  });

  it("do not share an id when they differ: a decision could not tell them apart", async () => {
    const other = rawTripleWith({ id: "x", code_review: "Another." });
    await expect(read(rawTripleWith({ id: "x" }), other)).rejects.toThrow(
      /data\.jsonl:2: expected an id of its own, found "x" of line 1 again/,
    );
  });
});
