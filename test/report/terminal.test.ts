import { describe, expect, it } from "vitest";
import type { Block } from "../../src/report/block.js";
import { heading, notice, numberCell, sentence, tableOf, textCell } from "../../src/report/make-block.js";
import { plainText, renderTerminal, wrappedLine } from "../../src/report/terminal.js";

interface Row {
  readonly name: string;
  readonly value: number;
}

const TABLE = tableOf<Row>(
  "Scores",
  [
    { id: "probe", label: "probe", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
    {
      id: "score",
      label: "a score with a long name",
      shortLabel: "score",
      align: "right",
      importance: 1,
      cell: ({ value }) => numberCell(value, "fraction", { interval: { low: 0.1, high: 0.9 } }),
    },
    {
      id: "second",
      label: "second",
      align: "right",
      importance: 2,
      cell: ({ value }) => numberCell(value, "fraction"),
    },
    { id: "third", label: "third", align: "right", importance: 3, cell: ({ value }) => numberCell(value, "fraction") },
    { id: "last", label: "last", align: "right", importance: 3, cell: ({ value }) => numberCell(value, "fraction") },
  ],
  [{ name: "CTR", value: 0.5 }],
);

const textAt = (width: number | null, blocks: readonly Block[] = [TABLE]) =>
  renderTerminal(blocks, { width, hasColours: false }).text;
const headOf = (text: string) =>
  text
    .split("\n")
    .find((line) => line.includes("probe"))
    ?.split("│")
    .map((cell) => cell.trim())
    .slice(1, -1);
const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

describe("a table on a terminal", () => {
  it("has every column where nothing says how wide it is", () => {
    expect(headOf(textAt(null))).toEqual(["probe", "a score with a long name", "second", "third", "last"]);
    expect(textAt(null)).toMatch(/^Scores\n┌/);
  });

  it("takes short labels before it leaves a column out", () => {
    // Cells with a blank on either side: 7 + 20 + 8 + 8 + 8, and six borders: 57.
    const text = textAt(57);
    expect(headOf(text)).toEqual(["probe", "score", "second", "third", "last"]);
    expect(text).not.toContain("Left out");
  });

  it("leaves the least important out first, from the right, and says so", () => {
    const text = textAt(56);
    expect(headOf(text)).toEqual(["probe", "score", "second", "third"]);
    expect(text).toContain("Left out, as there is little room (--wide): last\n");
    expect(headOf(textAt(40))).toEqual(["probe", "score", "second"]);
    expect(headOf(textAt(35))).toEqual(["probe", "score"]);
    expect(textAt(35)).toContain("(--wide): second, third, last");
  });

  it("tells a mark once below before it leaves columns that matter out, where all numbers of a column have it", () => {
    const marked = (badges: readonly (string | undefined)[]) => {
      const ids = ["one", "two", "three"];
      const cellOf = (text: string | undefined) =>
        numberCell(1, "count", { ...(text !== undefined && { badge: { text, tone: "warning" } }) });
      const columns = ids.map((id) => ({ id, label: id, align: "right" as const, importance: 1 as const }));
      return tableOf<string | undefined>(
        null,
        columns.map((column) => ({ ...column, cell: cellOf })),
        badges,
      );
    };
    // "judge? 1" and two blanks: 10 a column, and four borders: 34. Without marks 5 + 5 + 7 + 4 = 21.
    const alike = marked(["judge?", "judge?"]);
    expect(textAt(34, [alike])).toContain("│ judge? 1 │ judge? 1 │ judge? 1 │");
    expect(textAt(33, [alike])).toContain("│   1 │   1 │     1 │");
    expect(textAt(33, [alike])).toContain("judge?: one, two, three\n");
    expect(textAt(33, [alike])).not.toContain("Left out");
    // Rows that differ keep theirs: which of them are in doubt would be lost.
    const unlike = textAt(33, [marked(["judge?", undefined])]);
    expect(unlike).toContain("judge? 1 │");
    expect(unlike).toMatch(/Left out, as there is little room\s\(--wide\): three\n/);
  });

  it("never leaves the most important out, and breaks their text into lines", () => {
    const words = "many words that do not fit into a narrow terminal by far";
    const table = tableOf<Row>(
      null,
      [
        { id: "probe", label: "probe", align: "left", importance: 1, cell: () => textCell(words) },
        { id: "n", label: "n", align: "right", importance: 1, cell: ({ value }) => numberCell(value, "fraction") },
      ],
      [{ name: "", value: 1 }],
    );
    const text = textAt(40, [table]);
    expect(widest(text)).toBeLessThanOrEqual(40);
    expect(text.replace(/[^a-z]+/g, " ")).toContain(words.slice(0, 20));
    for (const word of words.split(" ")) expect(text).toContain(word);
  });

  it("breaks a word that is longer than its column, and leaves no character of it out", () => {
    const label = (end: string) => `scripted:a-long-name-${end}`;
    const column = { id: "model", label: "model", align: "left", importance: 1 } as const;
    const number = { id: "n", label: "n", align: "right", importance: 1 } as const;
    const table = tableOf<Row>(
      null,
      [
        { ...column, cell: ({ name }) => textCell(label(name)) },
        { ...number, cell: ({ value }) => numberCell(value, "fraction") },
      ],
      [{ name: "x", value: 1 }],
    );
    // A column of text is at least 10 characters wide: with that of the number and the borders 10 + 2 + 9 + 3 = 24.
    expect(textAt(24, [table]).match(/(?<=^│ )[^│]+?(?= +│)/gm)).toEqual(["model", "scripted:a", "-long-name", "-x"]);
  });

  it("leaves numbers out from the right where broken text makes too little room", () => {
    const names = ["a", "b", "c", "d"];
    const numbers = names.map((id) => ({ id, label: id, align: "right", importance: 1 }) as const);
    const table = tableOf<Row>(
      null,
      [
        { id: "model", label: "model", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
        ...numbers.map((column) => ({ ...column, cell: ({ value }: Row) => numberCell(value, "fraction") })),
      ],
      [{ name: "a rather long name", value: 1 }],
    );
    // The first border, 13 characters of the text and 10 of each number (100.0 %) with theirs: 54.
    expect(textAt(54, [table])).not.toContain("Left out");
    const text = textAt(53, [table]);
    expect(text).toContain("(--wide): d");
    expect(widest(text)).toBeLessThanOrEqual(53);
  });

  it("shows control characters of a cell as escapes, and keeps one row one row", () => {
    const table = tableOf<Row>(
      null,
      [{ id: "probe", label: "a\u001b[2Jb", align: "left", importance: 1, cell: ({ name }) => textCell(name) }],
      [{ name: "x\ny\u0007", value: 1 }],
    );
    const text = plainText([table]);
    expect(text).toContain("│ x\\u000ay\\u0007 │");
    expect(text).toContain("a\\u001b[2Jb");
  });
});

describe("blocks on a terminal", () => {
  it("are lines, with a blank one before each heading but the first", () => {
    const text = plainText([
      heading(2, "One"),
      sentence("has ", { value: 0.5, format: "fraction" }),
      heading(2, "Two"),
      { kind: "list", items: [["first"], [{ kind: "strong", text: "second" }]] },
      { kind: "facts", facts: [{ name: "run", parts: ["r"] }] },
      { kind: "code", text: "a\n\tb\u001b" },
    ]);
    expect(text).toBe("One\nhas 50.0 %\n\nTwo\n  first\n  second\nrun: r\na\n\tb\\u001b\n");
  });

  it("have no picture", () => {
    expect(plainText([{ kind: "chart", title: "t", chart: { type: "intervals", points: [] } }])).toBe("");
  });

  it("have colours where they are asked for, and nowhere else", () => {
    const blocks = [notice("bad", "Mind \u001b[2J this")];
    expect(textAt(null, blocks)).toBe("Mind \\u001b[2J this\n");
    expect(renderTerminal(blocks, { width: null, hasColours: true }).text).toBe(
      "\u001b[31mMind \\u001b[2J this\u001b[39m\n",
    );
  });

  it("are no wider for their colours", () => {
    const table = tableOf<Row>(
      null,
      [{ id: "p", label: "p", align: "left", importance: 1, cell: ({ name }) => textCell(name, "good") }],
      [{ name: "fine", value: 1 }],
    );
    // "fine" with blanks and borders: 8.
    const { text } = renderTerminal([table], { width: 8, hasColours: true });
    expect(text.split("\n")[0]).toBe("┌──────┐");
    expect(text).toContain("\u001b[32mfine\u001b[39m");
  });
});

describe("a line that is too long", () => {
  it("breaks between words", () => {
    expect(wrappedLine("one two three four", 9)).toEqual(["one two", "three", "four"]);
  });

  it("keeps a path whole, however long", () => {
    expect(wrappedLine("Results: /a/path/of/many/characters/in/all here", 20)).toEqual([
      "Results:",
      "/a/path/of/many/characters/in/all",
      "here",
    ]);
  });

  it("keeps a percent sign beside its number", () => {
    // "this is 12.5" has 12 characters, so that the sign would begin the next line.
    expect(wrappedLine("this is 12.5 % of", 12)).toEqual(["this is", "12.5 % of"]);
  });

  it("keeps its blanks at the beginning, and indents what follows", () => {
    expect(wrappedLine("  one two three", 10, "    ")).toEqual(["  one", "    two", "    three"]);
  });

  it("has its colours on every line of it", () => {
    const [red, off] = ["\u001b[31m", "\u001b[39m"];
    expect(wrappedLine(`${red}one two${off}`, 4)).toEqual([`${red}one${off}`, `${red}two${off}`]);
  });

  it("stays one where nothing says how wide it may be", () => {
    expect(wrappedLine("one two three four", null)).toEqual(["one two three four"]);
  });
});
