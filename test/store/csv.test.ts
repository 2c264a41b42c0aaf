import { readdir, readFile, writeFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formatRows, tableText, writeDataPackage, writeTable } from "../../src/store/csv.js";
import { type Cell, columnsOf, type Table } from "../../src/store/table.js";
import { ANSWERS, QUESTIONS } from "../../src/suites/codereviewqa/record/result-tables.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

/** Whether a text is one that the guard is for, told character by character. */
function isGuarded(text: string): boolean {
  return text.startsWith("\t") || text.startsWith("\r") || ["=", "-"].includes(text.trimStart().charAt(0));
}

/** The one row of these cells, read back by another library. */
function readBack(...cells: Cell[]): string[] {
  const [row] = parse(formatRows([cells])) as string[][];
  return row!;
}

describe("formatRows", () => {
  it("ends every record with CRLF", () => {
    expect(
      formatRows([
        ["a", "b"],
        ["c", "d"],
      ]),
    ).toBe("a,b\r\nc,d\r\n");
  });

  it("writes true, false, decimals with a point, and nothing for an absent value", () => {
    expect(formatRows([[true, false, null, 0.5, 0, 1e-7, 2013]])).toBe("true,false,,0.5,0,1e-7,2013\r\n");
  });

  it("never writes NaN or infinity: they are absent, not 0", () => {
    expect(formatRows([["x", Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]])).toBe("x,,,\r\n");
    expect(formatRows([[Number.NaN, Number.POSITIVE_INFINITY]])).toBe(",\r\n");
  });

  it("writes rows of plain cells as it writes those beside them", () => {
    const rows = [
      ["plain words", 1, null],
      ["a,b", "", true],
      ["plain/words:1.5-x", Number.NaN, false],
    ];
    expect(formatRows(rows)).toBe('plain words,1,\r\n"a,b",,true\r\nplain/words:1.5-x,,false\r\n');
  });

  it("quotes a cell that stands below the same", () => {
    expect(formatRows([1, 2, 3].map((n) => [n, "a,b"]))).toBe('1,"a,b"\r\n2,"a,b"\r\n3,"a,b"\r\n');
  });

  it("leaves a row of one absent cell, or of none, empty", () => {
    expect(formatRows([[null], [""], []])).toBe("\r\n\r\n\r\n");
  });

  it("quotes commas, quotes and line breaks, and doubles quotes (RFC 4180)", () => {
    expect(formatRows([['say "hi"']])).toBe('"say ""hi"""\r\n');
    expect(formatRows([["a,b"]])).toBe('"a,b"\r\n');
    expect(formatRows([["a\r\nb"]])).toBe('"a\r\nb"\r\n');
    expect(formatRows([["a\nb"]])).toBe('"a\nb"\r\n');
    expect(formatRows([["a\rb"]])).toBe('"a\rb"\r\n');
  });

  it.each(["=cmd()", "+1", "-x", "@x", "\tx", "\rx", "=1,2", '="a"'])("guards the text %j against formulas", (text) => {
    expect(readBack(text, "next")).toEqual([`'${text}`, "next"]);
  });

  it.each(["\n=cmd()", "\r\n+1", " -x", "  \n\t@x", "\u00A0=1", "\n\uFF1Dcmd()"])(
    "guards the text %j, whose formula stands behind blanks or line breaks",
    (text) => {
      expect(readBack(text, "next")).toEqual([`'${text}`, "next"]);
    },
  );

  it("leaves negative numbers as they are", () => {
    expect(formatRows([[-1.5, -1e-7, -3]])).toBe("-1.5,-1e-7,-3\r\n");
  });

  it("guards a negative number that is text", () => {
    expect(formatRows([["-1.5"]])).toBe("'-1.5\r\n");
  });

  it("leaves texts alone that only hold such characters further on", () => {
    expect(formatRows([["a=1", "2013", "0123", "x-y", "a\tb", " a=1"]])).toBe("a=1,2013,0123,x-y,a\tb, a=1\r\n");
  });

  it("is read back as it was written, whatever the text", () => {
    const part = fc.constantFrom(",", '"', "\n", "\r", "\r\n", "=", "-", "\t", " ", "'", "x", "é", "🦊", "</script>");
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
    const rows = fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, (texts) => {
        const guarded = texts.map((row) => row.map((cell) => (isGuarded(cell) ? `'${cell}` : cell)));
        expect(parse(formatRows(texts))).toEqual(guarded);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

interface Row {
  readonly n: number;
  readonly text: string | null;
}

describe("writeTable", () => {
  const folder = useFreshFolder();
  const TABLE: Table<Row> = {
    file: "t.csv",
    title: "A table.",
    primaryKey: ["n"],
    columns: columnsOf<Row>([
      ["n", "integer", "A number.", ({ n }) => n],
      ["text", "string", "A text.", ({ text }) => text],
    ]),
  };

  it("writes the header, then every row of a stream longer than a block", async () => {
    // 600 bytes a row: more than two blocks of 262,144.
    const text = "é".repeat(300);
    const rows = async function* (): AsyncGenerator<Row[]> {
      for (let n = 0; n < 1000; n += 2) yield [n, n + 1].map((own) => ({ n: own, text }));
      yield [{ n: 1000, text }];
    };
    await writeTable(folder.path("t.csv"), TABLE, rows());
    const lines = Array.from({ length: 1001 }, (_, n) => `${n},${text}\r\n`);
    expect(await readFile(folder.path("t.csv"), "utf8")).toBe(`n,text\r\n${lines.join("")}`);
  });

  it("writes cells that are longer than what is written at once, in their order", async () => {
    const long = "é".repeat(150_000);
    const rows = [1, 2, 3].map((n) => ({ n, text: n === 2 ? long : "x" }));
    await writeTable(folder.path("t.csv"), TABLE, rows);
    expect(await readFile(folder.path("t.csv"), "utf8")).toBe(`n,text\r\n1,x\r\n2,${long}\r\n3,x\r\n`);
  });

  it("writes the header of a table without rows", async () => {
    await writeTable(folder.path("t.csv"), TABLE, []);
    expect(await readFile(folder.path("t.csv"), "utf8")).toBe("n,text\r\n");
  });

  it("keeps the old table when the rows fail", async () => {
    await writeFile(folder.path("t.csv"), "old");
    const rows = function* (): Generator<Row> {
      yield { n: 1, text: "x" };
      throw new Error("no more");
    };
    await expect(writeTable(folder.path("t.csv"), TABLE, rows())).rejects.toThrow("no more");
    expect(await readFile(folder.path("t.csv"), "utf8")).toBe("old");
    expect(await readdir(folder.path())).toEqual(["t.csv"]);
  });
});

describe("tableText", () => {
  it("has the header first, and every row as wide", () => {
    const columns = columnsOf<Row>([
      ["n", "integer", "A number.", ({ n }) => n],
      ["text", "string", "A text.", ({ text }) => text],
    ]);
    const table: Table<Row> = { file: "t.csv", title: "A table.", primaryKey: ["n"], columns };
    expect(tableText(table, [{ n: 1, text: null }])).toBe("n,text\r\n1,\r\n");
  });
});

const folder = useFreshFolder();
const packageSchema = z.looseObject({ name: z.string(), resources: z.array(z.looseObject({ schema: z.unknown() })) });

async function describeRun(runId: string): Promise<z.infer<typeof packageSchema>> {
  await writeFile(folder.path("answers.csv"), "abc");
  await writeFile(folder.path("questions.csv"), "");
  await writeDataPackage(folder.path(), runId, [ANSWERS, QUESTIONS]);
  return packageSchema.parse(JSON.parse(await readFile(folder.path("datapackage.json"), "utf8")));
}

describe("writeDataPackage", () => {
  it("gives size and hash of each table", async () => {
    const { resources } = await describeRun("r");
    // SHA-256 of "abc" and of nothing (FIPS 180-2)
    expect(resources).toMatchObject([
      {
        name: "answers",
        path: "answers.csv",
        bytes: 3,
        hash: "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      },
      {
        name: "questions",
        path: "questions.csv",
        bytes: 0,
        hash: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      },
    ]);
  });

  it("describes every column with its type, and empty as missing", async () => {
    const { resources } = await describeRun("r");
    const correct = {
      name: "correct",
      type: "boolean",
      description: "True if option 0 was chosen; empty unless status is chosen.",
    };
    expect(resources[0]?.schema).toMatchObject({
      fields: expect.arrayContaining([correct]),
      missingValues: [""],
      primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id", "permutation_index", "repeat"],
    });
  });

  it("has a name that Frictionless allows: lower case letters, digits, point, hyphen, underscore", async () => {
    const { name } = await describeRun("20260102T030405Z-My Model:1");
    expect(name).toMatch(/^[a-z0-9._-]+$/);
    expect(name).toBe("20260102t030405z-my-model-1");
  });
});
