import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tableOf } from "../../../../src/report/make-block.js";
import { plainText } from "../../../../src/report/terminal.js";
import {
  armsOf,
  languageRows,
  readTrials,
  type ScoredRow,
  valuesOf,
} from "../../../../src/suites/codetaste/outputs/output-arms.js";
import { type OutputRow, readOutputs } from "../../../../src/suites/codetaste/outputs/read-outputs.js";
import { pairedTests, shareColumn, standings } from "../../../../src/suites/codetaste/outputs/tables-of-arms.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const data = temporaryFolder();
const outputs = join(data, "outputs");
const ID = "own/repo/01234567";

function put(path: string, content: string | object): void {
  const file = join(data, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

const sarif = (...results: readonly (readonly [rule: string, line: number])[]) => ({
  runs: [
    {
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [{}] }],
      results: results.map(([ruleId, startLine]) => ({
        ruleId: `rules.${ruleId}`,
        locations: [{ physicalLocation: { artifactLocation: { uri: "a.js" }, region: { startLine } } }],
      })),
    },
  ],
});

/** Line 2 goes, lines 2 and 3 come. */
const PATCH = "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,3 +1,4 @@\n x\n-old\n+new\n+more\n y\n";

let rows: OutputRow[];
const row = (agent: string, condition = "instructed/direct") =>
  rows.find((each) => each.agent === agent && each.condition === condition)!;

beforeAll(async () => {
  put(`assets/rules/${ID}/rules_positive.yml`, "rules: [{id: new, pattern: n}, {id: newer, pattern: m}]");
  put(`assets/rules/${ID}/rules_negative.yml`, "rules: [{id: old, pattern: o}, {id: older, pattern: p}]");
  put(`baseline_results/${ID}/golden_agent.jsonl`, '{"passed": 9, "failed": 1, "total": 10}\nnull\n');
  put(`baseline_results/${ID}/null_agent.jsonl`, '{"passed": 8, "failed": 0, "total": 8}\n');
  const base = `outputs/pseudo_agents/direct/${ID}/null_agent/evaluation`;
  put(`${base}/rules_negative.sarif`, sarif(["old", 2], ["older", 3]));
  const own = `outputs/instructed/direct/${ID}`;
  put(`${own}/good/prediction.diff`, PATCH);
  put(`${own}/good/inference_metadata.json`, { cost_usd: 0.5 });
  put(`${own}/good/evaluation/rules_positive.sarif`, sarif(["new", 2]));
  put(`${own}/good/evaluation/rules_negative.sarif`, sarif());
  put(`${own}/good/evaluation/test_output.txt`, 'log\n{"passed": 8, "failed": 1, "total": 9}\n');
  put(`${own}/lost/prediction.diff`, "");
  put(`${own}/lost/inference_metadata.json`, { cost_usd: 0.5 });
  put(`${own}/lost/plan_metadata.json`, { cost_usd: -1 });
  put(`${own}/lost/evaluation/rules_positive.sarif`, sarif());
  put(`${own}/lost/evaluation/test_output.txt`, "killed");
  put(`outputs/open/direct/${ID}/good/prediction.diff`, PATCH);
  put(`outputs/open/direct/${ID}/good/evaluation/evaluation_result.json`, {
    agent_test_metrics: { passed: 7, failed: 0, total: 7 },
  });
  rows = await readOutputs(outputs, data);
});

describe("released outputs", () => {
  it("are scored by what lies beside each patch", () => {
    const { scores, tests, costUsd, tallies } = row("good");
    // One of two additive rules, both reductive: 3 of 4. Of the lines that came one of two, of those that went one of one.
    expect(scores).toMatchObject({
      ifr: 0.75,
      ifr_additive: 0.5,
      ifr_reductive: 1,
      ifr_supported: 0.75,
      rules_supported: 4,
      pass: true,
      alignment: 0.75,
      alignment_additive: 0.5,
      alignment_reductive: 1,
      refactored: false,
      precision: 2 / 3,
      precision_added: 0.5,
      precision_removed: 1,
    });
    expect([tests, costUsd]).toEqual(["told", 0.5]);
    // One fault in either file.
    expect(tallies.additive.errors + tallies.reductive.errors).toBe(2);
  });

  it("have no score where a file of results is missing, and 0 where a report of tests is lost", () => {
    const { scores, missing, tests, costUsd } = row("lost");
    expect(missing).toEqual([{ side: "reductive", detail: "there is no SARIF file" }]);
    expect(scores).toMatchObject({
      ifr: null,
      ifr_additive: 0,
      ifr_reductive: null,
      ifr_supported: 0,
      rules_supported: 2,
      pass: false,
      alignment: null,
      alignment_additive: 0,
      alignment_reductive: null,
      precision: null,
      precision_added: null,
      precision_removed: null,
    });
    // As released: no match in the missing file, so both old patterns are gone: 2 of 4. Nothing changed: precision 0.
    expect(scores.published).toEqual({
      ifr: 0.5,
      ifr_additive: 0,
      ifr_reductive: 1,
      alignment: 0,
      alignment_additive: 0,
      alignment_reductive: 0,
      precision: 0,
      precision_added: 0,
      precision_removed: 0,
    });
    // The cost of the plan is not known.
    expect([tests, costUsd]).toEqual(["lost", null]);
  });

  it("count tests as the released evaluation recorded them", () => {
    // 7 passed are fewer than the 8 of the weakest baseline.
    expect(row("good", "open/direct").scores).toMatchObject({ pass: false, ifr: null, precision_removed: 1 });
    expect(row("good", "open/direct").missing).toHaveLength(2);
  });

  it("come to a mean an arm, with what is left out", () => {
    const arms = armsOf(rows.map((each) => ({ ...each, values: valuesOf(each.scores, each.costUsd) })));
    expect(arms.map(({ condition, agent }) => `${agent} ${condition}`)).toEqual([
      "good instructed/direct",
      "lost instructed/direct",
      "good open/direct",
      "null_agent pseudo_agents/direct",
    ]);
    expect(arms[0]!.values.ifr).toEqual({ estimate: { value: 0.75, low: null, high: null }, n: 1, excluded: 0 });
    expect(arms[1]!.values.ifr).toEqual({ estimate: null, n: 0, excluded: 1 });
  });

  it("are refused where there are none", async () => {
    await expect(readOutputs(join(data, "assets"), data)).rejects.toThrow("Expected outputs in ");
  });
});

/** A row of which only what is compared matters. */
function made(agent: string, task: number, value: number | null, condition = "open/direct"): ScoredRow {
  const scores = { ...row("good").scores, pass: value === null ? null : value === 1, ifr: value };
  return { condition, agent, task: `t${task}`, language: "Go", values: valuesOf(scores, null) };
}

describe("tests of every two arms", () => {
  it("pair instances, and are adjusted over all pairs of a metric", () => {
    const tasks = Array.from({ length: 8 }, (_, i) => i);
    const arms = armsOf([
      ...tasks.map((task) => made("a", task, 0)),
      ...tasks.map((task) => made("b", task, 1)),
      ...tasks.map((task) => made("c", task, task === 0 ? 1 : 0)),
      ...tasks.map((task) => made("a", task, task < 4 ? null : 0, "open/plan")),
    ]);
    const tests = pairedTests(arms).filter(({ metric }) => metric === "ifr");
    // b against c differs in the agent; a plan against a direct in the condition; b direct against a plan in both.
    expect(tests.map(({ first, second, n }) => [first.agent, second.agent, second.condition, n])).toEqual([
      ["a", "b", "open/direct", 8],
      ["a", "c", "open/direct", 8],
      ["a", "a", "open/plan", 4],
      ["b", "c", "open/direct", 8],
    ]);
    // Eight of one sign: 2/2^8. One: 1. None: 1. Seven of one sign: 2/2^7.
    expect(tests.map(({ p }) => p)).toEqual([2 / 256, 1, 1, 2 / 128]);
    // Benjamini–Hochberg of four: 4/1 · 1/128, then 4/2 · 1/64 — both 1/32.
    expect(tests.map(({ q }) => q)).toEqual([1 / 32, 1, 1, 1 / 32]);
    expect(tests.map(({ difference }) => difference)).toEqual([1, 1 / 8, 0, -7 / 8]);
    expect(pairedTests(arms).find(({ metric }) => metric === "pass")).toMatchObject({ p: 2 / 256, n: 8 });
  });
});

describe("a share in a table", () => {
  const cell = (values: readonly number[]) => {
    const arms = armsOf(values.map((value, task) => made("a", task, value)));
    const text = plainText([tableOf(null, [shareColumn("ifr", "IFR")], arms)]);
    return text
      .split("\n")
      .find((line) => /\d/.test(line))
      ?.replaceAll(/[│\s]+/g, " ")
      .trim();
  };
  const passing = (n: number, all: number) => Array.from({ length: all }, (_, i) => Number(i < n));

  it("has half of its t interval, also where that passes 100 %", () => {
    // s = √(.97 · .03 · 100/99) = .17145, t(.975, 99) = 1.9842: 1.9842 · .17145 / 10 = .0340; 97 + 3.4 > 100.
    expect(cell(passing(97, 100))).toBe("97 ±3.4");
    // s = 1/√2, t(.975, 1) = 12.706: 12.706 / 2 = 6.353.
    expect(cell([0, 1])).toBe("50 ±635.3");
  });

  it("has the bounds where all values are alike, and nothing of one", () => {
    // Wilson's lower bound of 100 of 100: 100/(100 + 1.96²) = .963.
    expect(cell(passing(100, 100))).toBe("100 (96.3–100)");
    expect(cell([1])).toBe("100");
  });
});

describe("wins and losses", () => {
  const tasks = Array.from({ length: 8 }, (_, i) => i);
  const all = (agent: string, value: number, condition?: string) =>
    tasks.map((task) => made(agent, task, value, condition));
  const cells = (rows: readonly ScoredRow[]) =>
    standings(armsOf(rows))
      .filter(({ metric }) => metric === "ifr")
      .map(({ agent, condition, wins, losses, rivals }) => [agent, condition, wins, losses, rivals]);

  it("are counted between agents under the same condition, and every win is another's loss", () => {
    // p = 2/2^8 of a against b and of b against c, 1 of a against c: q = 3/2 · 1/128 of the first two.
    expect(cells([...all("a", 0), ...all("b", 1), ...all("c", 0), ...all("scripted:gold", 1)])).toEqual([
      ["a", "open/direct", 0, 1, 2],
      ["b", "open/direct", 2, 0, 2],
      ["c", "open/direct", 0, 1, 2],
    ]);
  });

  it("are adjusted over the pairs of all conditions, and not over pairs of an agent with itself", () => {
    // All six tasks differ the same way: p = 2/2^6 = 1/32, and q as much, as there is one pair.
    const six = (agent: string, value: number, condition: string) => all(agent, value, condition).slice(0, 6);
    const one = [...six("a", 0, "open/plan"), ...six("b", 1, "open/plan")];
    expect(cells(one)).toEqual([
      ["a", "open/plan", 0, 1, 1],
      ["b", "open/plan", 1, 0, 1],
    ]);
    // A second pair, without a difference (p = 1): q of the first is 2 · 1/32 = 1/16 > .05, and nobody wins.
    const other = [...six("a", 1, "open/direct"), ...six("b", 1, "open/direct")];
    expect(cells([...one, ...other]).map(([, , wins, losses]) => [wins, losses])).toEqual(
      Array.from({ length: 4 }, () => [0, 0]),
    );
  });

  it("have the alignment by language beside them, with its standard error", () => {
    const rows = [made("a", 0, 1), made("b", 0, 0), { ...made("a", 1, 1), language: null }];
    // alignment of "good" is .75 in both rows: no error; the third has no language.
    expect(languageRows(armsOf(rows))).toEqual([
      { condition: "open/direct", language: "Go", alignment: 0.75, standard_error: 0, n: 2 },
    ]);
  });
});

describe("trials of runs", () => {
  const head = "run_id,suite,model,agent,condition,task_id,trial,status,valid,pass,ifr,precision_filtered,language";
  const table = (...lines: readonly string[]) => [{ name: "trials.csv", text: [head, ...lines].join("\n") }];

  it("are one row an agent, condition and instance: the mean of what is graded and valid", () => {
    const rows = readTrials(
      table(
        "r,codetaste,m,loop,open/plan,t,0,graded,true,true,0.5,,Go",
        "r,codetaste,m,loop,open/plan,t,1,graded,,false,1,0.25,Go",
        "r,codetaste,m,loop,open/plan,t,2,unreachable,,,,,",
        "r,codetaste,m,my-agent,open/plan,t,0,graded,true,true,1,,Go",
        "r,codetaste,m,loop,open/plan,u,0,invalid_task,false,true,1,,Go",
      ),
    );
    expect(rows.map(({ agent, task, language }) => [agent, task, language])).toEqual([
      ["m", "t", "Go"],
      ["my-agent, m", "t", "Go"],
    ]);
    expect(rows[0]?.values).toMatchObject({ pass: 0.5, ifr: 0.75, precision_filtered: 0.25, alignment: null });
  });

  it("are refused by line and column where they are others", () => {
    expect(() => readTrials(table("r,harbor,m,loop,open/plan,t,0,graded,true,true,1,,"))).toThrow(
      'found "harbor" in column suite, line 2',
    );
    expect(() => readTrials(table("r,codetaste,m,loop,open/plan,t,0,graded,true,true,high,,"))).toThrow(
      'found "high" in column ifr, line 2',
    );
  });
});
