import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ProbeError } from "../../src/base/errors.js";
import { readDataset } from "../../src/dataset/dataset-file.js";
import { collect } from "../fixtures/collect.js";
import { jsonl } from "../fixtures/jsonl.js";
import { recordWith } from "../fixtures/official-record.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const file = join(folder, "data.jsonl");

async function read(content: string | Uint8Array) {
  writeFileSync(file, content);
  return await collect(readDataset(file));
}

/** The problems of a file whose second record is this one. */
async function problemsOf(record: unknown) {
  const lines = await read(jsonl(recordWith(), record));
  return lines.flatMap((line) => (line.status === "invalid" ? line.problems : []));
}

async function idsOf(content: string | Uint8Array) {
  return (await read(content)).map((line) => (line.status === "valid" ? [line.line, line.example.id] : line));
}

describe("a valid file", () => {
  it("gives each record with the line it stands on", async () => {
    expect(await idsOf(jsonl(recordWith({ id: "a" }), recordWith({ id: "b" })))).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
  });

  it("may begin with a byte order mark", async () => {
    expect(await idsOf(`\ufeff${jsonl(recordWith({ id: "a" }))}`)).toEqual([[1, "a"]]);
  });

  it("may hold blank lines, which count as lines", async () => {
    const [a, b] = [jsonl(recordWith({ id: "a" })), jsonl(recordWith({ id: "b" }))];
    expect(await idsOf(`\n${a}  \t\n\r\n${b}\n`)).toEqual([
      [2, "a"],
      [5, "b"],
    ]);
  });

  it("may have Windows line ends, or none after the last record", async () => {
    const [a, b] = [recordWith({ id: "a" }), recordWith({ id: "b" })].map((record) => JSON.stringify(record));
    expect(await idsOf(`${a}\r\n${b}`)).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
  });

  it("may hold U+2028 inside a JSON string, which ends no line", async () => {
    const review = "one\u2028two\u2029three";
    const content = JSON.stringify(recordWith({ review }));
    expect(content).toContain("\u2028");
    expect(await read(content)).toMatchObject([{ status: "valid", line: 1, example: { review } }]);
  });

  it("may hold absent solutions as null, an empty text or an empty list when lines are only deleted", async () => {
    const record = {
      ...recordWith({ type_correct: "remove_only", type_wrong: ["modify", "add_only"] }),
      solution_correct: "",
      solution_wrong_easy: [],
      solution_wrong_hard: null,
    };
    expect(await problemsOf(record)).toEqual([]);
  });

  it("is empty when there is nothing in it", async () => {
    expect(await read("")).toEqual([]);
  });
});

describe("hostile text", () => {
  it.each([
    ["a CDATA end", "]]>"],
    ["a script end", "</script><script>alert(1)</script>"],
    ["a formula", "=cmd()|'/C calc'!A0"],
    ["terminal escapes", "\u001b[2J\u001b]0;owned\u0007\u009b31m"],
    ["tabs", "\tif (a)\t{\t}"],
    ["placeholders", "{code_review} {option_a} $& $1"],
    ["quotes and backslashes", "\"'\\n\\"],
    ["NUL and direction overrides", "\u0000\u202e"],
    ["a lone carriage return", "a\rb"],
  ])("%s stays as it is in code, review and solution", async (_, text) => {
    const record = recordWith({
      old: ` ${text}\n-two\n three\n-four\n five\n ${text}`,
      new: `+${text}`,
      review: text,
      solution_correct: text,
    });
    expect(await read(jsonl(record))).toMatchObject([
      {
        status: "valid",
        example: {
          preReviewLines: [text, "two", "three", "four", "five", text],
          postReviewLines: [text],
          review: text,
          solution: text,
        },
      },
    ]);
  });

  it("a lone surrogate becomes U+FFFD", async () => {
    const record = recordWith({ review: "a\udc00b", old: recordWith().old.replace("one", "\ud83d") });
    expect(await read(jsonl(record))).toMatchObject([
      {
        status: "valid",
        example: { review: "a\ufffdb", preReviewLines: ["\ufffd", "two", "three", "four", "five", "six"] },
      },
    ]);
  });

  it("Windows line ends inside a field become line feeds", async () => {
    const { old, review } = recordWith();
    const record = recordWith({ old: old.replaceAll("\n", "\r\n"), review: `${review}\r\nBye.` });
    expect(await read(jsonl(record))).toMatchObject([
      {
        status: "valid",
        example: { review: `${review}\nBye.`, preReviewLines: ["one", "two", "three", "four", "five", "six"] },
      },
    ]);
  });

  it("a hunk of 120 lines may name line 120 and no line after it", async () => {
    const old = Array.from({ length: 120 }, (_, i) => ` line ${i + 1}`).join("\n");
    const record = recordWith({ old, loc_correct: [99, 120] });
    expect(await problemsOf(record)).toEqual([]);
    expect(await problemsOf({ ...record, loc_correct: [99, 121] })).toEqual([
      { file, line: 2, field: "loc_correct", expected: "line numbers from 1 to 120", found: "121" },
    ]);
  });
});

describe("a bad line", () => {
  it("is named when it is broken JSON, without stopping the lines after it", async () => {
    const good = jsonl(recordWith({ id: "a" }));
    const lines = await read(`${good}{"lang": "go",\u001b[31m\n${good.replace('"a"', '"b"')}`);
    expect(lines).toMatchObject([
      { status: "valid", line: 1 },
      {
        status: "invalid",
        line: 2,
        problems: [{ file, line: 2, field: "", expected: "one JSON object" }],
      },
      { status: "valid", line: 3 },
    ]);
    const found = lines.flatMap((line) => (line.status === "invalid" ? line.problems.map((p) => p.found) : []));
    // As it is: the console makes visible what a terminal would obey.
    expect(found).toEqual([expect.stringContaining('{"lang": "go",\u001b[31m (')]);
    expect(found[0]).toMatch(/JSON.*\)$/);
  });

  it("is named when a byte order mark stands before a record that is not the first", async () => {
    expect(await read(`${jsonl(recordWith())}\ufeff${jsonl(recordWith())}`)).toMatchObject([
      { status: "valid", line: 1 },
      { status: "invalid", line: 2, problems: [{ file, line: 2, field: "", expected: "one JSON object" }] },
    ]);
  });

  it("is named when it is cut short", async () => {
    const whole = JSON.stringify(recordWith());
    expect(await read(whole.slice(0, -1))).toMatchObject([
      { status: "invalid", line: 1, problems: [{ file, line: 1, field: "", expected: "one JSON object" }] },
    ]);
  });

  it("is named when it is not UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from(jsonl(recordWith())), Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])]);
    expect(await read(bytes)).toMatchObject([
      { status: "valid" },
      {
        status: "invalid",
        line: 2,
        problems: [{ file, line: 2, field: "", expected: "UTF-8 text", found: "bytes that are not UTF-8" }],
      },
    ]);
  });

  it.each([
    ["a list", [1, 2], "[1,2]"],
    ["a text", "record", '"record"'],
    ["a number", 7, "7"],
    ["null", null, "null"],
  ])("is named when it is %s", async (_, value, found) => {
    expect(await problemsOf(value)).toEqual([{ file, line: 2, field: "", expected: "an object", found }]);
  });

  it("is named when it is nested deeper than it can be shown", async () => {
    const depth = 200_000;
    const lines = await read("[".repeat(depth) + "]".repeat(depth));
    expect(lines).toMatchObject([{ status: "invalid", line: 1, problems: [{ field: "", expected: "an object" }] }]);
  });
});

describe("a bad field", () => {
  const languages = "one of c, cpp, csharp, go, java, javascript, php, python, ruby";
  const types = "one of add_only, remove_only, modify";
  it.each([
    ["an unknown language", { lang: "rust" }, "lang", languages, '"rust"'],
    ["a language by its alias", { lang: "py" }, "lang", languages, '"py"'],
    ["a language as a number", { lang: 3 }, "lang", languages, "3"],
    ["a missing language", { lang: undefined }, "lang", languages, "nothing"],
    ["code as a list of lines", { old: [" a"] }, "old", "a string", '[" a"]'],
    ["missing code", { new: undefined }, "new", "a string", "nothing"],
    ["code that is null", { new: null }, "new", "a string", "null"],
    ["no code", { old: "" }, "old", "at least 1 characters", '""'],
    ["no review", { review: "" }, "review", "at least 1 characters", '""'],
    ["a review as a number", { review: 1 }, "review", "a string", "1"],
    ["an unknown change type", { type_correct: "rename" }, "type_correct", types, '"rename"'],
    ["one wrong type", { type_wrong: ["add_only"] }, "type_wrong", "exactly 2 items", '["add_only"]'],
    ["a location as a number", { loc_correct: 2 }, "loc_correct", "a list", "2"],
    ["no location", { loc_correct: [] }, "loc_correct", "at least 1 items", "[]"],
    ["a line number as text", { loc_correct: [2, "4"] }, "loc_correct[1]", "a number", '"4"'],
    ["half a line number", { loc_correct: [2, 3.5] }, "loc_correct[1]", "a whole number", "3.5"],
    ["a negative line number", { loc_correct: [2, -1] }, "loc_correct[1]", "a number of at least 0", "-1"],
    [
      "two wrong locations",
      {
        loc_wrong_easy: [
          [1, 3],
          [5, 6],
        ],
      },
      "loc_wrong_easy",
      "exactly 3 items",
      "[[1,3],[5,6]]",
    ],
    ["a wrong location as a number", { loc_wrong_hard: [[2, 3], 1, [4, 5]] }, "loc_wrong_hard[1]", "a list", "1"],
    ["a solution as a number", { solution_correct: 5 }, "solution_correct", "a string", "5"],
    ["two wrong solutions", { solution_wrong_hard: ["a", "b"] }, "solution_wrong_hard", "exactly 3 items", '["a","b"]'],
    [
      "an empty wrong solution",
      { solution_wrong_easy: ["a", "", "b"] },
      "solution_wrong_easy[1]",
      "at least 1 characters",
      '""',
    ],
    ["an id as a number", { id: 12 }, "id", "a string", "12"],
    ["an empty id", { id: "" }, "id", "at least 1 characters", '""'],
  ])("%s", async (_, change, field, expected, found) => {
    expect(await problemsOf({ ...recordWith(), ...change })).toEqual([{ file, line: 2, field, expected, found }]);
  });

  it("code without a marker column is named with its line", async () => {
    expect(await problemsOf(recordWith({ old: " one\n-two\nthree\n four\n five\n six" }))).toEqual([
      {
        file,
        line: 2,
        field: "old",
        expected: "every line to start with a marker column (' ', '-' or '+')",
        found: "line 3 without",
      },
    ]);
  });

  it("a code line of 100,000 characters is named with its length, not shown", async () => {
    expect(await problemsOf(recordWith({ old: ` ${"x".repeat(99_999)}\n-b\n c\n-d\n e\n f` }))).toEqual([
      {
        file,
        line: 2,
        field: "old",
        expected: "lines of at most 20000 characters",
        found: "one of 100000",
      },
    ]);
  });

  it("every problem of a record is named", async () => {
    const problems = await problemsOf({ ...recordWith(), lang: "rust", review: 5, loc_correct: [] });
    expect(problems.map(({ field }) => field)).toEqual(["lang", "review", "loc_correct"]);
  });

  it("a bad value is shown cut", async () => {
    const [problem] = await problemsOf({ ...recordWith(), lang: `\u009b31m\u202e${"x".repeat(1000)}` });
    // 80 of the 1007 characters (1000 + 5 before them + 2 quotes).
    expect(problem?.found).toBe(`"\u009b31m\u202e${"x".repeat(74)}… (1007 characters)`);
  });

  it("the checks that need more than one field name file and line too", async () => {
    expect(await problemsOf(recordWith({ loc_correct: [0, 4] }))).toEqual([
      { file, line: 2, field: "loc_correct", expected: "line numbers from 1 to 6", found: "0" },
    ]);
  });
});

describe("a file that cannot be read", () => {
  async function failureOf(path: string): Promise<unknown> {
    return await collect(readDataset(path)).catch((error: unknown) => error);
  }

  it("is refused as bad input when it is missing", async () => {
    const path = join(folder, "missing.jsonl");
    const failure = await failureOf(path);
    expect(failure).toBeInstanceOf(ProbeError);
    expect(failure).toMatchObject({
      code: "bad_input",
      message: `Expected a JSONL file at ${path}, found no such file. Check the path.`,
    });
  });

  it("is refused as bad input when it is a directory", async () => {
    const path = join(folder, "directory.jsonl");
    mkdirSync(path);
    expect(await failureOf(path)).toMatchObject({
      code: "bad_input",
      message: `Expected a JSONL file at ${path}, found a directory. Name the file.`,
    });
  });

  it("is refused with a message that names it", async () => {
    writeFileSync(file, "");
    const failure = await failureOf(join(file, "\u001b[31m.jsonl"));
    expect(failure).toMatchObject({ code: "bad_input", message: expect.stringContaining("\u001b[31m.jsonl") });
  });
});
