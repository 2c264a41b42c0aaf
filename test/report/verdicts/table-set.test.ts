import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { renderHtml } from "../../../src/report/html.js";
import { STATE_WORDS } from "../../../src/report/judgement-words.js";
import { type LatexWidth, renderLatex } from "../../../src/report/latex.js";
import { renderMarkdown } from "../../../src/report/markdown.js";
import { renderTerminal } from "../../../src/report/terminal.js";
import {
  groupsSet,
  scoresSet,
  setBlocks,
  type TableSet,
  terminalBlocks,
} from "../../../src/report/verdicts/table-set.js";
import { tableCsv } from "../../../src/run/board-csv.js";
import type { JudgementState } from "../../../src/verdict/judgement.js";
import type { RunVerdicts } from "../../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeVerdict } from "../../fixtures/verdicts.js";

const FLOORS = [
  { id: "guessing", title: "guessing", value: 0.001, rule: null },
  { id: "no_read", title: "no-read rule", value: 0.5, rule: "longest_lines" },
];

function run(model: string, value: number, state: JudgementState): RunVerdicts {
  const judgement = makeJudgement({ state, score: value });
  const forms = ["CTR", "CL hard"].map((name) =>
    makeForm({
      name,
      judgement,
      floors: FLOORS,
      groupJudgements: { cpp: makeJudgement({ state: "unknown", floor: 0.25 }) },
      measures: [{ metric: "invariant_accuracy", value, ciLow: 0.1, ciHigh: 0.9, n: 2 }],
    }),
  );
  const verdicts = forms.flatMap(({ name }) =>
    Array.from({ length: 8 }, (_, i) =>
      makeVerdict({ form: name, item: `${i}`, groups: { language: "cpp" }, passed: value > 0.5 }),
    ),
  );
  return makeRunVerdicts({ model, runId: `run-${model}`, forms, verdicts });
}

const RUNS = [run("low & 50 %", 0.25, "at_floor"), run("high", 0.8125, "above_floor")];
const SCORES = scoresSet(RUNS);
const at80 = { width: 80, hasColours: false };

describe("the table of scores", () => {
  it("is on a terminal the best first, a sign behind each score, the floors below", () => {
    const lines = renderTerminal(terminalBlocks(SCORES), at80).text.split("\n");
    const cellsOf = (name: string) =>
      (lines.find((line) => line.includes(name)) ?? "")
        .split("│")
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "");
    // Means of two equal scores: themselves. 81.25 rounds to 81.3, as 0.8125 is exact in binary and ties go up.
    expect(cellsOf("high")).toEqual(["high", "81.3 ✓", "81.3 ✓", "81.3"]);
    expect(cellsOf("low & 50 %")).toEqual(["low & 50 %", "25.0 =", "25.0 =", "25.0"]);
    expect(cellsOf("Floor: no-read rule")).toEqual(["Floor: no-read rule", "50.0", "50.0"]);
    const order = ["high", "low", "Floor: guessing", "Floor: no-read"].map((name) =>
      lines.findIndex((line) => line.includes(name)),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(lines).toContain("Rules with the highest floors: CTR longest_lines, CL hard longest_lines.");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("is the same in Markdown, without intervals, the best in bold", () => {
    const lines = renderMarkdown(setBlocks(SCORES)).split("\n");
    expect(lines).toContain("| Model | CTR | CL hard | Mean |");
    expect(lines).toContain("| high | **81.3 ✓** | **81.3 ✓** | 81.3 |");
    expect(lines).toContain("| Floor: guessing | 0.1 | 0.1 |  |");
  });

  it("is the same in CSV: fractions, with bounds, verdicts and the rules of the floors", () => {
    const rows = parse(tableCsv(SCORES), { columns: true }) as Record<string, string>[];
    expect(rows[0]).toEqual({
      is_reference: "false",
      model: "high",
      mean: "0.8125",
      ctr: "0.8125",
      ctr_ci_low: "0.1",
      ctr_ci_high: "0.9",
      ctr_verdict: "above_floor",
      ctr_note: "",
      cl_hard: "0.8125",
      cl_hard_ci_low: "0.1",
      cl_hard_ci_high: "0.9",
      cl_hard_verdict: "above_floor",
      cl_hard_note: "",
    });
    expect(rows.map(({ is_reference }) => is_reference)).toEqual(["false", "false", "true", "true"]);
    expect(rows[3]).toMatchObject({ ctr: "0.5", ctr_verdict: "", ctr_note: "longest_lines", mean: "" });
  });

  it("is the same in LaTeX: escaped, verdicts as superscripts, floors behind a rule", () => {
    const text = latexOf(SCORES, "page");
    expect(text).toContain("\\begin{tabular}{lrrr}");
    expect(text).toContain("    high & \\textbf{81.3}$^{\\ast}$ & \\textbf{81.3}$^{\\ast}$ & 81.3 \\\\[-2pt]\n");
    expect(text).toContain("    low \\& 50 \\% & 25.0$^{=}$ & 25.0$^{=}$ & 25.0 \\\\[-2pt]\n");
    expect(text).toMatch(/\\midrule\n {4}Floor: guessing/);
    expect(text).toContain("CTR longest\\_lines");
  });

  it("has caption, label, intervals and legend within its float in LaTeX, and is no wider than a column or a page", () => {
    const [column, page] = [latexOf(SCORES, "column"), latexOf(SCORES, "page")];
    for (const text of [column, page]) {
      expect(text.indexOf("above floor")).toBeLessThan(text.indexOf("\\end{table"));
      expect(text).toMatch(/\\caption\{[^}]+\.\}\n {2}\\label\{tab:probe-scores\}/);
      expect(text).toContain(" & {\\scriptsize (10.0--90.0)} & ");
    }
    expect(column).toMatch(/\\begin\{table\}\[t\][\s\S]*\\resizebox\{\\ifdim\\width>\\columnwidth\\columnwidth/);
    expect(page).toMatch(/\\begin\{table\*\}\[t\][\s\S]*\\resizebox\{\\ifdim\\width>\\textwidth\\textwidth/);
    // Rules under the floors are where there is room.
    expect(page).toContain("{\\scriptsize longest\\_lines}");
    expect(column).not.toContain("{\\scriptsize longest\\_lines}");
  });

  it("has a label for each table of several in LaTeX", () => {
    expect(
      [...latexOf(groupsSet(RUNS), "page", "languages").matchAll(/\\label\{(.*)\}/g)].map(([, label]) => label),
    ).toEqual(["tab:probe-languages-ctr", "tab:probe-languages-cl-hard"]);
  });

  it("is the same on a page: a colour, a sign and a word a score, floors in a part that is not sorted", () => {
    const html = renderHtml(setBlocks(SCORES)).text;
    const { sign, text } = STATE_WORDS.above_floor;
    expect(html).toContain(
      `<td class="state good best" data-sort="0.8125">81.3<span class="sign" aria-hidden="true" title="${text}">${sign}</span>` +
        `<span class="unseen"> ${text}</span> <small>(10.0–90.0)</small>`,
    );
    expect(html).toContain('<tbody class="references"><tr><th scope="row">Floor: guessing</th>');
  });
});

function latexOf({ tables, notes }: TableSet, width: LatexWidth, name = "scores"): string {
  return renderLatex({ name, tables, notes, width });
}

describe("the tables of languages", () => {
  it("are one a form, languages by their names, each with its verdict and floor", () => {
    const lines = renderMarkdown(setBlocks(groupsSet(RUNS))).split("\n");
    expect(lines.filter((line) => line === "| Model | n | Overall | C++ |")).toHaveLength(2);
    expect(lines).toContain("| high | 8 | **81.3 (10.0–90.0) ✓** | 100.0 ? |");
    expect(lines).toContain("| Floor |  | 50.0 longest | 25.0 |");
  });

  it("stand on a terminal with a column a model, so that nine languages fit 80 characters", () => {
    const text = renderTerminal(terminalBlocks(groupsSet(RUNS)), at80).text;
    const line = text.split("\n").find((each) => each.includes("C++")) ?? "";
    expect(line.split("│").map((cell) => cell.trim())).toEqual(["", "C++", "100.0 ?", "0.0 ?", "25.0", ""]);
  });

  it("have the form's name before each row in CSV", () => {
    const rows = parse(tableCsv(groupsSet(RUNS)), { columns: true }) as Record<string, string>[];
    expect(rows.map(({ table, model }) => [table, model])).toEqual(
      ["CTR", "CL hard"].flatMap((table) => ["high", "low & 50 %", "Floor"].map((model) => [table, model])),
    );
    expect(rows[0]).toMatchObject({ cpp: "1", cpp_verdict: "unknown" });
  });
});

describe("renderLatex", () => {
  it("lets no name be a command, a comment, a column or an option", () => {
    const hostile = "\\input{/etc/passwd} % $x$ a_b^c ~ # & [x] {y} *z \u001b \n <|>";
    const text = latexOf(scoresSet([run(hostile, 0.25, "at_floor")]), "column");
    const line = text.split("\n").find((each) => each.includes("passwd")) ?? "";
    expect(line).toBe(
      "    \\textbackslash{}input\\{/etc/passwd\\} \\% \\$x\\$ a\\_b\\textasciicircum{}c \\textasciitilde{} \\# \\& {[}x{]} " +
        "\\{y\\} {*}z \\textbackslash{}u001b \\textbackslash{}u000a \\textless{}\\textbar{}\\textgreater{} & 25.0$^{=}$ & 25.0$^{=}$ & 25.0 \\\\[-2pt]",
    );
  });
});
