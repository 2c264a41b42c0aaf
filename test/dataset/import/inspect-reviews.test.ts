import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inspectReviews } from "../../../src/dataset/import/hub-import.js";
import { jsonl } from "../../fixtures/jsonl.js";
import { recordWith } from "../../fixtures/official-record.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const RAW = { pre_review_code: "a", code_review: "b?", post_review_code: "b", language: "py" };

function file(name: string, ...lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, jsonl(...lines));
  return path;
}

it("knows official records, and counts the lines that are none", async () => {
  const path = file("official.jsonl", recordWith(), recordWith({ lang: "go" }), { lang: "go" });
  const found = await inspectReviews(path);
  expect(found).toMatchObject({ form: "official", counts: { go: 1, python: 1 }, invalid: 1 });
  expect(found.problems.length).toBeGreaterThan(0);
});

it("knows raw triples; one in a language that no probe knows is not counted as one", async () => {
  const path = file("raw.jsonl", RAW, { ...RAW, language: "cobol" }, { ...RAW, code_review: 1 });
  expect(await inspectReviews(path)).toMatchObject({ form: "raw", counts: { python: 1 }, invalid: 2 });
});

it("says of other files that they are neither, and what was expected", async () => {
  const found = await inspectReviews(file("other.jsonl", { question: "?", answer: "!" }));
  expect(found).toMatchObject({ form: "neither", counts: {}, invalid: 1 });
  expect(found.problems[0]).toMatchObject({ line: 1, field: "lang" });
});
