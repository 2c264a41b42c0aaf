import { execFileSync } from "node:child_process";
import { createWriteStream, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MAX_ROW_BYTES, openReviewTable, readRows } from "../../../src/dataset/import/review-table.js";
import { collect } from "../../fixtures/collect.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const HEADER = "language,pre_review_code,code_review,post_review_code";

function write(content: string | Buffer, name = "reviews.csv"): string {
  writeFileSync(folder.path(name), content);
  return folder.path(name);
}

async function linesOf(content: string | Buffer, name?: string) {
  return collect((await openReviewTable(write(content, name))).lines);
}

it("reads quoted line breaks, doubled quotation marks and separators in cells", async () => {
  const rows = [HEADER, 'py,"a\nb","Say ""why"", please","a\nc"', "go,x,y,z", ""].join("\n");
  const lines = await linesOf(rows);
  // The first row stands on lines 2 to 4.
  expect(lines.map(({ line }) => line)).toEqual([2, 5]);
  expect(lines[0]).toMatchObject({
    form: "raw",
    triple: {
      language: "python",
      preReviewLines: ["a", "b"],
      review: 'Say "why", please',
      postReviewLines: ["a", "c"],
    },
  });
});

it("reads a byte order mark, the line ends of Windows and a last line without one", async () => {
  const lines = await linesOf(`\ufeff${HEADER}\r\npy,"a\r\nb",c,d\r\n\r\njs,e,f,g`);
  expect(lines.map((line) => line.status === "valid" && [line.line, line.triple.preReviewLines])).toEqual([
    [2, ["a", "b"]],
    [5, ["e"]],
  ]);
});

it("names the line on which a row at fault begins, behind cells with the line ends of Windows", async () => {
  // The header, a row on lines 2 to 4, and one on line 5 that has text behind its quotation mark.
  const rows = `${HEADER}\r\npy,"a\r\nb\r\nc",d,e\r\npy,"a"b,c,d\r\n`;
  await expect(linesOf(rows)).rejects.toThrow(/reviews\.csv:5,.*--skip-invalid does not leave such a row out/s);
});

it("reads the columns in any order, and leaves out others and what is empty of those that may be", async () => {
  const { unused, lines } = await openReviewTable(
    write(`who, post_review_code ,code_review,pre_review_code,language,id,repo\nada,b,why?,a,rb,,o/r\n`),
  );
  expect(unused).toEqual(["who"]);
  const [line] = await collect(lines);
  expect(line?.status === "valid" && JSON.parse(line.text)).toEqual({
    language: "rb",
    pre_review_code: "a",
    code_review: "why?",
    post_review_code: "b",
    repo: "o/r",
  });
});

it("reads tabs in a .tsv file, and the columns of official records", async () => {
  const [line] = await linesOf("lang\told\tnew\treview\npy\t- a, b\t+ c\twhy?\n", "reviews.tsv");
  expect(line).toMatchObject({ status: "valid", form: "official", triple: { preReviewLines: [" a, b"] } });
});

it("names the line of a row with too few or too many cells, and goes on behind it", async () => {
  const lines = await linesOf(`${HEADER}\npy,"a\nb",c\ngo,a,b,c,d\ngo,a,b,c\n`);
  const file = folder.path("reviews.csv");
  const problem = { file, field: "", expected: "4 cells, as the first line has" };
  expect(lines.slice(0, 2)).toEqual([
    { status: "invalid", line: 2, problems: [{ ...problem, line: 2, found: "3" }] },
    { status: "invalid", line: 4, problems: [{ ...problem, line: 4, found: "5" }] },
  ]);
  expect(lines[2]).toMatchObject({ status: "valid", line: 5 });
});

it.each([
  ["other columns, naming them", "language;code\n", /found "language;code" \(missing: pre_review_code, code_review/],
  ["a column twice", `${HEADER},language\n`, /every column of .* once, found "language" twice/],
  ["an empty file", "", /a header in .*, found an empty file\. The first line names the columns: pre_review_code/],
  ["a quotation mark within a cell", `${HEADER}\npy,a"b,c,d\n`, /csv:2, found: Invalid Opening Quote/],
  [
    "a quotation mark that is not closed",
    `${HEADER}\npy,a,b,c\npy,"a,b,c\n`,
    /csv:3, found: Quote Not Closed: the parsing is finished with an opening quote\. A cell/,
  ],
  ["a row that never ends", `${HEADER}\npy,"${"a\n".repeat(MAX_ROW_BYTES / 2)}`, /rows of at most 4194304 bytes/],
  ["a line that never ends", `${HEADER}\npy,${"a".repeat(MAX_ROW_BYTES + 1)}`, /a longer one at .*csv:2/],
  ["bytes that are not UTF-8", Buffer.from(`${HEADER}\npy,a,b,c\npy,\xff,b,c\n`, "latin1"), /UTF-8 text at .*csv:3/],
])("refuses %s", async (_, content, says) => {
  await expect(linesOf(content)).rejects.toMatchObject({ code: "bad_input", message: expect.stringMatching(says) });
});

it("refuses a file that is not there", async () => {
  await expect(openReviewTable(folder.path("none.csv"))).rejects.toThrow(/a CSV or TSV file at .* found no such file/);
});

it("gives a row before the file has come to its end, and lets go of the file", async () => {
  const pipe = folder.path("pipe.csv");
  execFileSync("mkfifo", [pipe]);
  const writer = createWriteStream(pipe);
  writer.on("error", () => {});
  writer.write(`${HEADER}\npy,a,b,c\ngo,d,e,f\n`);
  const rows = readRows(pipe);
  expect((await rows.next()).value).toMatchObject({ line: 1 });
  expect((await rows.next()).value).toEqual({ line: 2, cells: ["py", "a", "b", "c"] });
  const closed = new Promise<void>((resolve) => writer.once("close", () => resolve()));
  await rows.return(undefined);
  writer.write("x".repeat(1 << 20));
  await closed;
});
