import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { leaderboardCsv } from "../../src/run/board-csv.js";
import { leaderboardTables } from "../../src/verdict/leaderboard.js";
import type { RunVerdicts } from "../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeVerdict, makeWrittenForm } from "../fixtures/verdicts.js";

const rowsOf = (...runs: RunVerdicts[]) =>
  parse(leaderboardCsv(leaderboardTables(runs)), { columns: true }) as Record<string, string>[];

const RUN = makeRunVerdicts({
  forms: [
    makeForm({
      columns: [
        { id: "plurality_agreement", label: "PPA", value: 0.75, distances: [{ id: "above_one_of_n", value: 0.5 }] },
      ],
    }),
    makeWrittenForm({
      columns: [{ id: "paper_em", label: "Paper's script", value: null, distances: [] }],
      judgement: makeJudgement({ state: "unknown", floor: null, floorRule: null }),
      measures: [],
    }),
  ],
  verdicts: [
    makeVerdict({ item: "one", groups: { language: "c" } }),
    makeVerdict({ item: "two", groups: { language: "python" }, passed: false }),
    makeVerdict({ item: "one", form: "ACR", groups: { language: "ruby" } }),
  ],
});

describe("leaderboardCsv", () => {
  it("tells scores under fewer orders from those under all", () => {
    const fewer = { ...RUN, runId: "fewer", forms: [makeForm({ orders: { asked: 3, all: 6 } })] };
    expect(rowsOf(RUN, fewer).map(({ task, run_id: run, orders }) => [task, run, orders])).toEqual([
      ["CTR", "run", ""],
      ["ACR", "run", ""],
      ["CTR", "fewer", "3"],
    ]);
  });

  it("is a row a run and form, fractions, empty for what was not measured", () => {
    const [questions, written] = rowsOf(RUN);
    expect(questions).toEqual({
      task: "CTR",
      difficulty: "",
      ablation: "none",
      model: "scripted:oracle",
      run_id: "run",
      n: "2",
      overall: "1",
      ci_low: "0.3424",
      ci_high: "1",
      verdict: "above_floor",
      floor: "0.5",
      floor_rule: "longest",
      orders: "",
      plurality_agreement: "0.75",
      above_one_of_n: "0.5",
      paper_em: "",
      c: "1",
      python: "0",
      ruby: "",
    });
    expect(written).toMatchObject({
      task: "ACR",
      n: "1",
      overall: "",
      ci_low: "",
      verdict: "unknown",
      floor: "",
      floor_rule: "",
      plurality_agreement: "",
      above_one_of_n: "",
      paper_em: "",
      c: "",
      ruby: "1",
    });
  });

  it("keeps a hostile name in one cell, and lets it be no formula", () => {
    const model = "=cmd()|`x`\n| new | row |\u202e[a](https://b.c)";
    const rows = rowsOf({ ...RUN, model, forms: RUN.forms.slice(0, 1) });
    expect(rows).toHaveLength(1);
    expect(rows[0]!["model"]).toMatch(/^'=cmd\(\)/);
    expect(leaderboardCsv(leaderboardTables([{ ...RUN, model }]))).not.toContain("\u202e");
  });
});
