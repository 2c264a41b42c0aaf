import { once } from "node:events";
import { createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const importing = (...args: string[]) => runProbe(["dataset", "import", ...args], { cwd: folder.path() });
const read = (name: string) => readFileSync(folder.path(name), "utf8");

/** All 100,000 with PROBE_SLOW_TESTS=1. */
const ROWS = process.env["PROBE_SLOW_TESTS"] === "1" ? 100_000 : 25_000;

const HEADER = "id,language,pre_review_code,code_review,post_review_code,who";
const SOUND = [HEADER, 'a,py,"x = 1\nprint(x)","Say ""why"", please",x = 2,ada', ",cobol,a,b,c,ada", ""].join("\r\n");
const BROKEN = `${HEADER}\r\na,,x,why?,y,ada\r\nb,,x,why?,y,ada\r\nc,go,x,why?,y\r\nd,go,x,why?,y,ada\r\n`;

describe("probe dataset import FILE.csv", () => {
  it("writes raw triples that the next command reads, and says what became of every row", async () => {
    writeFileSync(folder.path("reviews.csv"), SOUND);
    const { code, stdout, stderr } = await importing("reviews.csv");
    expect([code, stderr]).toEqual([0, "Left out 1 column of reviews.csv: who\n"]);
    expect(stdout).toMatch(/- unsupported language +│ +1 │/);
    expect(stdout).toContain("1 of 2 rows became raw triples: reviews.jsonl\nNext: probe dataset filter reviews.jsonl");
    expect(JSON.parse(read("reviews.jsonl"))).toEqual({
      id: "a",
      language: "py",
      pre_review_code: "x = 1\nprint(x)",
      post_review_code: "x = 2",
      code_review: 'Say "why", please',
    });
    expect(JSON.parse(read("reviews.jsonl.source.json"))).toMatchObject({ source: "reviews.csv" });
    const next = await runProbe(["dataset", "validate", "reviews.jsonl"], { cwd: folder.path() });
    expect([next.code, next.stdout]).toEqual([0, "reviews.jsonl: 1 valid code review (raw triples)\n"]);
  });

  it("tells the problems of its rows in groups and writes nothing, unless invalid ones are to be left out", async () => {
    writeFileSync(folder.path("reviews.csv"), BROKEN);
    const refused = await importing("reviews.csv", "--out", "raw.jsonl", "-q");
    expect([refused.code, refused.stdout, existsSync(folder.path("raw.jsonl"))]).toEqual([2, "", false]);
    expect(refused.stderr).toContain("reviews.csv:2: language: expected at least 1 characters");
    expect(refused.stderr).toContain("(2 ×: lines 2, 3)");
    expect(refused.stderr).toContain("reviews.csv:4: expected 6 cells, as the first line has, found 5");
    expect(refused.stderr).toContain("Found 3 invalid records; nothing was written.");
    const kept = await importing("reviews.csv", "--out", "raw.jsonl", "--skip-invalid", "--json");
    expect(kept.code).toBe(0);
    expect(JSON.parse(kept.stdout)).toMatchObject({
      out: "raw.jsonl",
      funnel: { kept: { go: 1 }, read: { other: 3 } },
    });
  });

  it(`holds one row in memory, not the table: ${ROWS} rows of 2,000 characters in a heap of 48 MB`, async () => {
    const file = createWriteStream(folder.path("large.csv"));
    file.write("language,pre_review_code,code_review,post_review_code\n");
    const code = "x = 1\n".repeat(160);
    for (let row = 1; row <= ROWS; row++) {
      if (!file.write(`py,"${code}","Row ${row}, please","${code}y"\n`)) await once(file, "drain");
    }
    file.end();
    await once(file, "close");
    const env = { NODE_OPTIONS: "--max-old-space-size=48" };
    const args = ["dataset", "import", "large.csv", "--out", "large.jsonl", "--json"];
    const result = await runProbe(args, { cwd: folder.path(), env });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ funnel: { kept: { python: ROWS } } });
  });

  it("is what other commands name when they are given a table", async () => {
    writeFileSync(folder.path("reviews.csv"), SOUND);
    const { code, stderr } = await runProbe(["dataset", "stats", "reviews.csv"], { cwd: folder.path() });
    expect([code, stderr]).toEqual([2, expect.stringContaining("probe dataset import reviews.csv --out FILE")]);
  });

  it.each([
    [
      ["reviews.csv", "--max-pulls", "3"],
      /Expected --max-pulls with another kind of source, found it with a FILE\.csv/,
    ],
    [["reviews.csv", "--out", "reviews.csv", "--overwrite"], /a file of its own for --out/],
    [["other.csv"], /Expected a CSV or TSV file at other\.csv, found no such file/],
    [["hf:o/n", "--skip-invalid"], /Expected --skip-invalid with another kind of source, found it with an hf: one/],
  ])("refuses %j", async (args, says) => {
    writeFileSync(folder.path("reviews.csv"), SOUND);
    const { code, stderr } = await importing(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(read("reviews.csv")).toBe(SOUND);
  });
});
