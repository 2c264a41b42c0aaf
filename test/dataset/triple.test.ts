import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTriples, type TripleLine } from "../../src/dataset/triple.js";
import { collect } from "../fixtures/collect.js";
import { recordWith } from "../fixtures/official-record.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const file = join(temporaryFolder(), "reviews.jsonl");
const RAW = { pre_review_code: "a\nb\n", code_review: "why?", post_review_code: "a\nc\n", language: "py" };

async function read(...values: unknown[]): Promise<TripleLine[]> {
  writeFileSync(file, values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join(""));
  return await collect(readTriples(file));
}

describe("readTriples", () => {
  it("reads raw triples: lines without their ends, the language by its alias", async () => {
    const [line] = await read(RAW);
    expect(line).toMatchObject({
      status: "valid",
      form: "raw",
      text: JSON.stringify(RAW),
      triple: { language: "python", preReviewLines: ["a", "b"], postReviewLines: ["a", "c"], review: "why?" },
    });
  });

  it("reads official records, with their options or without: code without its marker column", async () => {
    const { lang, old, new: fresh, review } = recordWith({ lang: "go", old: " a\n-b\n", new: " a\n+c", review: "so" });
    for (const record of [recordWith({ lang, old, new: fresh, review }), { lang, old, new: fresh, review }]) {
      const [line] = await read(record);
      expect(line).toMatchObject({
        status: "valid",
        form: "official",
        triple: { language: "go", preReviewLines: ["a", "b"], postReviewLines: ["a", "c"], review: "so" },
      });
    }
  });

  it("gives the same review the same id, in either form, and another review another", async () => {
    const official = { lang: "python", old: " a\n-b", new: " a\n+c", review: "why?" };
    const lines = await read(RAW, { ...RAW, language: ".py" }, official, { ...RAW, code_review: "why" });
    const ids = lines.map((line) => (line.status === "valid" ? line.triple.id : null));
    expect(ids[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(ids.slice(1, 3)).toEqual([ids[0], ids[0]]);
    expect(ids[3]).not.toBe(ids[0]);
  });

  it("keeps id, repository, source and licence where they are given", async () => {
    const origin = { id: "r1", repo: "o/n", source: "somewhere", license: "MIT" };
    const [line] = await read({ ...RAW, ...origin });
    expect(line).toMatchObject({ triple: origin });
    const [bare] = await read(RAW);
    expect(bare?.status === "valid" && Object.keys(bare.triple).sort()).toEqual(
      ["id", "language", "postReviewLines", "preReviewLines", "review"], // nothing undefined or null
    );
  });

  it("tells a language that no probe knows from a broken line", async () => {
    const lines = await read({ ...RAW, language: "cobol" }, { ...RAW, code_review: 7 }, "{", { review: "x" });
    expect(lines.map(({ status, line }) => `${line} ${status}`)).toEqual([
      "1 unsupported",
      "2 invalid",
      "3 invalid",
      "4 invalid",
    ]);
    expect(lines[1]).toMatchObject({ problems: [{ line: 2, field: "code_review", expected: "a string", found: "7" }] });
  });

  it("takes empty code for no lines, and keeps a blank line within", async () => {
    const lines = await read({ ...RAW, pre_review_code: "" }, { ...RAW, pre_review_code: "a\r\n\r\nb\r\n" });
    expect(lines).toMatchObject([{ triple: { preReviewLines: [] } }, { triple: { preReviewLines: ["a", "", "b"] } }]);
  });

  it("leaves git's note of a missing line end out, wherever it stands in an official record", async () => {
    const note = "\\ No newline at end of file";
    const official = { lang: "python", old: `-a\n${note}`, new: `${note}\n+b\n+c\n${note}`, review: "r" };
    expect(await read(official)).toMatchObject([{ triple: { preReviewLines: ["a"], postReviewLines: ["b", "c"] } }]);
  });
});
