import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../../src/suites/codereviewqa/example/answer.js";
import { bestOf, leaderboardTables } from "../../../../src/suites/codereviewqa/report/leaderboard.js";
import { leaderboardMarkdown } from "../../../../src/suites/codereviewqa/report/leaderboard-blocks.js";
import { leaderboardCsv } from "../../../../src/suites/codereviewqa/report/leaderboard-csv.js";
import { answersUnder, choice, ORDERS_OF_THREE, pick } from "../../../fixtures/answer.js";
import { makeReportData } from "../../../fixtures/report-model.js";
import { A } from "../../../fixtures/symbols.js";

const about = (answers: Answer[], exampleId: string, language: Answer["language"]) =>
  answers.map((answer) => ({ ...answer, exampleId, language }));
const right = () => answersUnder(ORDERS_OF_THREE, (order) => pick(order, 0));
const alwaysA = () => answersUnder(ORDERS_OF_THREE, (order) => choice(order, A));
/** One question in C, one in Python. */
const both = (make: () => Answer[]) => [about(make(), "one", "c"), about(make(), "two", "python")];

const data = () =>
  makeReportData({
    oracle: both(right),
    half: [about(right(), "one", "c"), about(alwaysA(), "two", "python")],
    "always-A": both(alwaysA),
  });

describe("a leaderboard", () => {
  it("has PPA with its distance from 1/N and from guessing, as in the paper's Table 8", async () => {
    const [table] = leaderboardTables(await data());
    expect(table).toMatchObject({ paperTable: "Table 8", languages: ["c", "python"] });
    expect(table!.floor).toBeCloseTo(1 / 3, 12);
    // The oracle agrees in 6 of 6 orders, always-A puts each option first in 2 of 6: 1/3, no more than the floor.
    expect(table!.rows.map(({ agreement }) => agreement)).toEqual([
      1,
      expect.closeTo(2 / 3, 12),
      expect.closeTo(1 / 3, 12),
    ]);
    expect(table!.rows.map(({ aboveFloor }) => aboveFloor)).toEqual([
      expect.closeTo(2 / 3, 12),
      expect.closeTo(1 / 3, 12),
      expect.closeTo(0, 12),
    ]);
    // Guessing three options over six orders gives 0.5391 on average (paper's k, Monte Carlo in plurality-null.test).
    expect(table!.rows[2]!.aboveGuessing).toBeCloseTo(1 / 3 - 0.5391, 3);
  });

  it("has a score a language and overall, with its interval", async () => {
    const [table] = leaderboardTables(await data());
    const [oracle, half] = table!.rows;
    expect(Object.fromEntries(half!.byLanguage)).toEqual({ c: 1, python: 0 });
    expect(half!.overall.value).toBe(0.5);
    // Wilson for 2 of 2: 1/(1 + z²/n) with z² = 3.8415, n = 2: 0.3424.
    expect(oracle!.overall).toMatchObject({ value: 1, ciHigh: 1 });
    expect(oracle!.overall.ciLow).toBeCloseTo(0.3424, 3);
  });

  it("marks all that tie for the best, and none where there is one model or no value", async () => {
    const [table] = leaderboardTables(await data());
    const inC = (row: { byLanguage: ReadonlyMap<string, number | null> }) => row.byLanguage.get("c") ?? null;
    expect(bestOf(table!.rows, inC)).toBe(1);
    expect(table!.rows.filter((row) => inC(row) === 1).map(({ model }) => model)).toEqual(["oracle", "half"]);
    expect(bestOf(table!.rows.slice(0, 1), inC)).toBeNull();
    expect(bestOf(table!.rows, () => null)).toBeNull();
  });

  it("is a Markdown table a probe, the best in bold", async () => {
    const lines = leaderboardMarkdown(leaderboardTables(await data()), ["Mind this."]).split("\n");
    expect(lines).toContain("Mind this.");
    expect(lines).toContain("| Model | n | PPA (floor 33.3) | Binds | C | Python | Overall |");
    const [oracle, half, letter] = lines.filter((line) => /^\| (oracle|half|always-A) /.test(line));
    expect(oracle).toMatch(
      /^\| oracle \| 2 \| \*\*100\.0\*\* \(\+66\.7; \+46\.1\) \| \w+ \| \*\*100\.0\*\* \| \*\*100\.0\*\* \|/,
    );
    expect(half).toMatch(
      /^\| half \| 2 \| 66\.7 \(\+33\.3; \+12\.8\) \| \*\*NO\*\* \| \*\*100\.0\*\* \| 0\.0 \| 50\.0 \(/,
    );
    expect(letter).toMatch(/^\| always-A \| 2 \| 33\.3 \(0\.0; −20\.6\) \| \*\*NO\*\* \| 0\.0 \| 0\.0 \| 0\.0 \(/);
  });

  it("is a CSV row a model and probe, fractions, empty for what was not measured", async () => {
    const rows = parse(leaderboardCsv(leaderboardTables(await data())), { columns: true }) as Record<string, string>[];
    expect(rows.map(({ model }) => model)).toEqual(["oracle", "half", "always-A"]);
    expect(rows[1]).toMatchObject({
      task: "CTR",
      difficulty: "",
      n: "2",
      c: "1",
      python: "0",
      ruby: "",
      overall: "0.5",
    });
    expect(rows[2]).toMatchObject({ binds_letters: "false", paper_em: "" });
  });
});

describe("hostile model names", () => {
  const NAME = "=cmd()|`x`<img src=x onerror=alert(1)>\n| new | row |\u202e[a](https://b.c) **d** ![e](f) www.g.h @i";

  it("cannot leave their cell of the Markdown table, nor become markup, HTML or a link", async () => {
    const text = leaderboardMarkdown(leaderboardTables(await makeReportData({ [NAME]: both(right) })), []);
    const [row] = text.split("\n").filter((line) => line.includes("cmd"));
    // 7 columns: 8 bars that are not escaped.
    expect(row!.match(/(?<!\\)\|/g)).toHaveLength(8);
    expect(text).not.toMatch(/<img|(?<!\\)`|\u202e|\]\(https:|(?<!\\)!\[|www\.g|(?<!\\)@i/);
    expect(row).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });

  it("are no formula in the CSV, and stay one cell", async () => {
    const csv = leaderboardCsv(leaderboardTables(await makeReportData({ [NAME]: both(right) })));
    const rows = parse(csv, { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(1);
    expect(rows[0]!["model"]).toMatch(/^'=cmd\(\)/);
    expect(csv).not.toContain("\u202e");
  });
});
