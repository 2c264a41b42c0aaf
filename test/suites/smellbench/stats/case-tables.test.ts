import { describe, expect, it } from "vitest";
import { PER_CASE_TABLE } from "../../../../src/suites/smellbench/per-case.js";
import { rowTables, statsBlocks } from "../../../../src/suites/smellbench/stats/case-tables.js";
import { readRows } from "../../../../src/suites/smellbench/stats/smell-stats-handler.js";

const HEAD = PER_CASE_TABLE.columns.map(({ name }) => name).join(",");
// run, agent, model, project, case, smell, difficulty, setting, trial, tpr, la, la_file, four marks
const ROWS = [
  "r,loop,m,p,a,data_clumps,easy,guided,0,true,true,true,1,0.5,0.5,0",
  "r,loop,m,p,b,data_clumps,easy,guided,0,true,,true,,,,",
  "r,loop,m,q,c,god_classes,hard,guided,0,false,false,false,0.4,,,",
];

describe("rows of per_case.csv", () => {
  const rows = readRows("per_case.csv", `${[HEAD, ...ROWS].join("\r\n")}\r\n`);
  const [agents, cells] = rowTables(rows);

  it("come to shares with what is excluded, and to the mean of the marks of those that were judged", () => {
    // TPR 2 of 3; LA 1 of the 2 that are known; marks (2 / 4 + 0.4) / 2 = 0.45 of two trials.
    expect(agents?.rows[0]).toMatchObject({ label: ["m"], n: 3, la_excluded: 1, judged: 2 });
    expect(agents?.rows[0]?.tpr?.value).toBeCloseTo(2 / 3, 12);
    expect(agents?.rows[0]?.la?.value).toBe(0.5);
    expect(agents?.rows[0]?.marks).toBeCloseTo(0.45, 12);
    expect(cells?.rows.map(({ label, n }) => [...label, n])).toEqual([
      ["m", "guided", "easy", 2],
      ["m", "guided", "hard", 1],
    ]);
  });

  it("stand from easy to hard under each setting, in whatever order they are read", () => {
    const order = rowTables([...rows.toReversed(), ...rows.map((row) => ({ ...row, setting: "targeted" }))]);
    expect(order[1]?.rows.map(({ label }) => label.slice(1))).toEqual([
      ["guided", "easy"],
      ["guided", "hard"],
      ["targeted", "easy"],
      ["targeted", "hard"],
    ]);
  });

  it("say where nobody judged, and how many trials have no marks", () => {
    const text = (own: typeof rows) =>
      JSON.stringify(statsBlocks({ printed: [], trials: own.length, tables: rowTables(own), sizes: [] }));
    expect(text(rows)).toContain("1 trials have no marks: they are left out.");
    expect(text(rows.slice(1, 2))).toContain("Nobody judged: no trial has marks.");
    expect(text(rows.slice(0, 1))).not.toContain("marks: they");
  });

  it("may lack what is not asked for, and are refused by line and column", () => {
    expect(readRows("few.csv", "model,setting,difficulty,tpr\nm,guided,easy,1\n")[0]).toMatchObject({
      tpr: true,
      la: null,
      code_quality: null,
    });
    expect(() => readRows("bad.csv", "model,setting,difficulty,tpr\nm,guided,easy,perhaps\n")).toThrow(
      'found "perhaps" in column tpr, line 2',
    );
    expect(() => readRows("bad.csv", "model,setting,tpr\nm,guided,1\n")).toThrow("no such column in column difficulty");
    expect(() => readRows("bad.csv", `${HEAD}\n${ROWS[0]?.replace(",1,0.5,", ",1,5,")}\n`)).toThrow(
      "in column cross_file_coordination",
    );
  });
});
