import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { meanOrNull } from "../../src/base/sums.js";
import { unanimity } from "../../src/stats/rater-agreement.js";
import { armsOf, METRIC_NAMES, type MetricValues } from "../../src/suites/codetaste/outputs/output-arms.js";
import { standings } from "../../src/suites/codetaste/outputs/tables-of-arms.js";
import { ALL_BUT, MOST_ALIKE } from "../../src/suites/codetaste/rules/rules-handler.js";
import { codetasteAdapter } from "../../src/suites/codetaste/taste-adapter.js";
import { rubricKind } from "../../src/suites/swe-atlas/atlas-suite.js";
import type { Workflow } from "../../src/suites/swe-atlas/atlas-task.js";
import { quantileEdges } from "../../src/trial/facts/fact-table.js";
import { costSets } from "../../src/verdict/cost-front.js";
import { makeForm, makeRunVerdicts, makeVerdict } from "../fixtures/verdicts.js";

/** Printed numbers of the papers, and what was recomputed of them. */
const ANNEX = join(import.meta.dirname, "../../../shared/suites-annex/golden2.json");
const isThere = existsSync(ANNEX);
if (!isThere) process.stdout.write("Skipping the papers' further numbers: they are not on this machine\n");

/** Numbers of many shapes, each looked at by name. */
type Numbers = ReturnType<typeof JSON.parse>;
const golden: Record<string, Numbers> = isThere ? JSON.parse(readFileSync(ANNEX, "utf8")) : {};
const first: Numbers = isThere ? JSON.parse(readFileSync(join(ANNEX, "../golden.json"), "utf8")).swe_atlas : {};
const TASKS: Readonly<Record<Workflow, number>> = { qa: 124, tw: 90, rf: 70 };

const ROWS = "the runs behind it are not published";
const FIGURE = "it is in a figure or a text alone, without the rows behind it";
const TABLE_5 =
  "printed beside what the annex recomputed from cells of Table 5, which it does not hold; no rows behind them are published";
const PIPELINE = "a fact of how the data were made, which is not done here";

/** Each part of the annex: a test that gives its numbers, or the reason why none can. */
const PARTS: Record<string, Record<string, { readonly test: string } | { readonly reason: string }>> = {
  refactorbench: {
    table10: { test: "published/annex.test.ts" },
    table11: { test: "published/annex.test.ts" },
    table12: { test: "published/annex.test.ts" },
    corpus_categories: { test: "published/annex.test.ts" },
    zero_pass_outcomes: { test: "published/annex.test.ts" },
    tool_calls: { reason: "no published column has them; of our own runs: facts.csv" },
    tool_calls_note: { reason: "a note" },
  },
  swe_atlas: {
    rubrics_by_section: { test: "below; of the 284 rubrics, which are read from a clone, none ships" },
    gold_size_rf: { test: "below, and facts/fact-table.test.ts by the 70 sizes" },
    rf_release_facts: { test: "below, as far as they are counts" },
    subagents_qa: { test: "below" },
    language: { test: "below" },
    qa_categories_n: { test: "below" },
    category_text: { test: "below" },
    judges_pairwise: { reason: ROWS },
    judge_repeats: { test: "below" },
    judge_vs_human: { reason: "the labels are not published; `suite agreement RUN labels.csv` gives it of one's own" },
    gold_similarity: { reason: ROWS },
    solution_lookup: { reason: ROWS },
    cost: { test: "below: its front; the costs themselves are approximate" },
    failure_classes_qa: { reason: "told by a model whose prompt and counts are not published" },
    text_ranges: { reason: FIGURE },
  },
  codetaste: {
    table6: { test: "below" },
    table7: { reason: ROWS },
    table8: { test: "below" },
    six_plan_control: { test: "six-plans.test.ts" },
    dataset: { test: "below: its sums; of data at hand there are no more" },
    mining: { reason: PIPELINE },
    environment: { reason: PIPELINE },
    rule_registration: { test: "below" },
    cost: { test: "below: the budget; what was spent has no rows" },
    plan_minus_direct_points: { reason: TABLE_5 },
    plan_over_direct_pct: { reason: TABLE_5 },
    multiplan_over_direct_gpt52: { reason: TABLE_5 },
  },
  smellbench: {
    table2: { test: "below; of cases at hand: stats/case-sizes.test.ts" },
    table3: { test: "below, and stats/printed-tables.test.ts" },
    files: { reason: ROWS },
    errors: { reason: "classes are told by a model whose prompt is not published; by rule: errorClass" },
    generation: { reason: PIPELINE },
    min_files: { reason: PIPELINE },
  },
};

describe.skipIf(!isThere)("the papers' further numbers", () => {
  it("are each given by a test, or have a reason why not", () => {
    for (const [suite, parts] of Object.entries(PARTS))
      expect([suite, Object.keys(golden[suite] ?? {}).sort()]).toEqual([suite, Object.keys(parts).sort()]);
    expect(
      Object.keys(golden)
        .filter((name) => name !== "note")
        .sort(),
    ).toEqual(Object.keys(PARTS).sort());
  });

  const { swe_atlas: atlas = {}, codetaste: taste = {}, smellbench: smells = {} } = golden;
  const share = (part: number, all: number, digits = 1) => Number(((100 * part) / all).toFixed(digits));

  it("of SWE Atlas: shares are those of whole counts, and bins hold all 70 refactorings", () => {
    const rows = Object.values<[number, number]>(atlas["subagents_qa"].rows);
    const counts: number[] = atlas["subagents_qa"].derived_of_372;
    expect(counts.map((count) => share(count, 372))).toEqual(rows.map(([, percent]) => percent));
    for (const [text, [part, all]] of Object.entries<[number, number]>(atlas["category_text"].derived))
      expect(share(part, all)).toBe(Number(text.split(" ").at(-1)));
    const { bin_counts, bin_ranges, bins_inferred, edges_quantile, min, max, printed_edge } = atlas["gold_size_rf"];
    expect(bin_counts.reduce((sum: number, each: number) => sum + each, 0)).toBe(70);
    expect([edges_quantile[0], edges_quantile.at(-1)]).toEqual([min, max]);
    // Edges are quantiles of quantiles too: those of the edges themselves are the edges.
    expect(quantileEdges(edges_quantile)).toEqual(edges_quantile);
    expect(bin_ranges).toHaveLength(bins_inferred);
    // Every edge stands between the end of its bin and the beginning of the next; so does the printed one, in the last gap.
    for (const [i, [, end]] of bin_ranges.slice(0, -1).entries()) {
      const edge = i === bins_inferred - 2 ? printed_edge : edges_quantile[i + 1];
      expect([i, edge >= end, edge < bin_ranges[i + 1][0]]).toEqual([i, true, true]);
    }
    const categories = Object.values<number>(atlas["qa_categories_n"]);
    expect(categories.reduce((sum, each) => sum + each, 0)).toBe(TASKS.qa);
  });

  it("of SWE Atlas: rubrics by kind are those of the first annex, by the names that a run has, and so are means a task", () => {
    const { rf_headings, mean_per_task, source: _, ...kinds } = atlas["rubrics_by_section"];
    const all = (counts: Record<string, number>) => Object.values(counts).reduce((sum, each) => sum + each, 0);
    for (const [workflow, counts] of Object.entries<Record<string, number>>(kinds)) {
      for (const name of Object.keys(counts)) expect(rubricKind({ title: `${name[0]}.1: x` }, workflow)).toBe(name);
      const every = all(counts) + (workflow === "rf" ? all(rf_headings) : 0);
      expect([workflow, every]).toEqual([workflow, first.rubrics[workflow]]);
      expect((every / TASKS[workflow as Workflow]).toFixed(1)).toBe(mean_per_task[workflow].toFixed(1));
    }
    expect(kinds.qa["2 Negative Rubrics"] + kinds.rf["4 Negative Rubrics"]).toBe(
      first.by_type["qa negative"] + first.by_type["rf negative must"],
    );
    const { with_interface_block, listed_tests_mean } = atlas["rf_release_facts"];
    // 54 of 70 are 77 %, not the printed 64; 1,404 tests of 70 tasks are 20.06 each, not 18.
    expect([share(with_interface_block[0], with_interface_block[1], 0), (1404 / TASKS.rf).toFixed(2)]).toEqual([
      77,
      listed_tests_mean.toFixed(2),
    ]);
  });

  it("of SWE Atlas: the printed front of costs is the one that runs of such passes and costs have", () => {
    const { frontier, dominated_by, trials, workflows } = atlas["cost"];
    expect(trials).toBe(workflows.qa + workflows.tw);
    expect([workflows.qa, workflows.tw]).toEqual([3 * TASKS.qa, 3 * TASKS.tw]);
    // Of 20 trials 5 % each; one that is dominated costs a cent more and passes no more often than who dominates it.
    const run = (model: string, [cost_usd = 0, pass = 0]: readonly number[]) =>
      makeRunVerdicts({
        model,
        runId: model,
        suite: "swe-atlas",
        forms: [makeForm({ name: "qa", kind: "trial" })],
        verdicts: Array.from({ length: 20 }, (_, i) =>
          makeVerdict({ form: "qa", item: `task-${i}`, passed: 5 * i < pass, values: { cost_usd } }),
        ),
      });
    const runs = Object.entries<number[]>(frontier).map(([model, place]) => run(model, place));
    const beaten = Object.entries<string>(dominated_by).map(([model, by]) => {
      const [cost, pass] = frontier[by];
      return run(model, [cost + 0.01, pass]);
    });
    const [set] = costSets([...runs, ...beaten]);
    const onFront = set?.rows
      .filter(({ isOnFront }) => isOnFront)
      .map(({ model, costUsd, passed }) => [model, [Number(costUsd?.toFixed(2)), share(passed, 1, 0)]]);
    expect(Object.fromEntries(onFront ?? [])).toEqual(frontier);
  });

  it("of SWE Atlas: the mean of languages weighted by tasks is none of the printed ones", () => {
    const { columns, n_recomputed, task_weighted_mean_of_table3, printed_overall, ...rest } = atlas["language"];
    const rows = Object.values<unknown>(rest).filter(
      (row): row is number[] => Array.isArray(row) && row.length === columns.length,
    );
    const tasks = rows.reduce((sum, [n = 0]) => sum + n, 0);
    expect(tasks).toBe(284);
    const byLanguage = Object.entries<Numbers>(rest).flatMap(([name, row]) =>
      Array.isArray(row) && row.length === columns.length ? [[name, row[0]]] : [],
    );
    const short: Record<string, string> = { "TypeScript / JavaScript": "TS/JS", "C / C++": "C/C++" };
    for (const [name, n] of byLanguage) {
      const counts = Object.values<Numbers>(n_recomputed).map((each) => each[short[name] ?? name]);
      expect([name, counts.reduce((sum, each) => sum + each, 0)]).toEqual([name, n]);
    }
    const means = [1, 2, 3].map((i) => rows.reduce((sum, row) => sum + (row[0] ?? 0) * (row[i] ?? 0), 0) / tasks);
    expect(means.map((mean) => Number(mean.toFixed(2)))).toEqual(task_weighted_mean_of_table3);
    expect(task_weighted_mean_of_table3).not.toEqual(printed_overall);
  });

  it("of SWE Atlas: 506 of 510 rubrics that five repeats agree on are the printed share", () => {
    const { rubrics, unanimous_derived, unanimous_pct } = atlas["judge_repeats"];
    const votes = Array.from({ length: rubrics }, (_, i) => ["1", "1", "1", "1", i < unanimous_derived ? "1" : "0"]);
    expect(share(unanimity(votes).share?.value ?? 0, 1)).toBe(unanimous_pct);
  });

  it("of CodeTaste: added and removed lines are the edited ones, wins are losses, and one set of counts fits six shares", () => {
    for (const [model, settings] of Object.entries<Numbers>(taste["table6"].rows)) {
      const rows = "edited" in settings ? [settings] : Object.values<Numbers>(settings);
      for (const { edited, added, removed } of rows) {
        expect([model, Math.abs(added + removed - edited) < 0.11]).toEqual([model, true]);
      }
    }
    for (const settings of Object.values<Numbers>(taste["table8"].rows))
      for (const pairs of Object.values<[number, number][]>(settings))
        expect(pairs.reduce((sum, [wins, losses]) => sum + wins - losses, 0)).toBe(0);
    const { accuracy_pct, strict_pct, derived_counts } = taste["six_plan_control"];
    const { additive_rules, reductive_rules, rules, lines_added, lines_removed, lines_edited } = taste["dataset"];
    expect((additive_rules[0] + reductive_rules[0]).toFixed(2)).toBe(rules[0].toFixed(2));
    expect((lines_added[0] + lines_removed[0]).toFixed(2)).toBe(lines_edited[0].toFixed(2));
    for (const [model, { correct, evaluable, strict_of }] of Object.entries<Numbers>(derived_counts)) {
      expect(share(correct, evaluable)).toBe(accuracy_pct[model]);
      expect(share(correct, strict_of)).toBe(strict_pct[model]);
    }
  });

  it("of CodeTaste: rules are doubles, and witnesses asked for, from the printed bounds on; a trial may cost the printed budget", () => {
    const { jaccard_max, witness_factor } = taste["rule_registration"];
    expect([MOST_ALIKE, ALL_BUT]).toEqual([jaccard_max, witness_factor]);
    expect(codetasteAdapter.budgetUsd).toBe(taste["cost"].budget_usd);
  });

  it("of CodeTaste: five models under four settings are the printed family of pairs", () => {
    const { models, rows, family_size } = taste["table8"];
    const values = Object.fromEntries(METRIC_NAMES.map((name) => [name, 1])) as MetricValues;
    const made = Object.keys(rows.A).flatMap((condition) =>
      (models as string[]).map((agent) => ({ condition, agent, task: "t", language: "Go", values })),
    );
    const found = standings(armsOf(made)).filter(({ metric }) => metric === "ifr");
    // Each pair is seen by both of its agents.
    expect(found.reduce((sum, { rivals }) => sum + rivals, 0) / 2).toBe(family_size);
  });

  it("of SmellBench: Table 2's last row is the plain mean of the projects, but for a rounded line count", () => {
    const { Overall: overall, ...projects } = smells["table2"].rows;
    const mean = (column: string) => meanOrNull(Object.values<Numbers>(projects).map((row) => row[column])) ?? 0;
    for (const column of ["files", "methods", "tests"]) expect(Number(mean(column).toFixed(1))).toBe(overall[column]);
    // 232.57, printed 232.5.
    expect(mean("lines")).toBeCloseTo(232.57, 2);
    const tokens = (setting: string) =>
      meanOrNull(
        smells["table3"].rows
          .filter((row: Numbers) => row["setting"] === setting)
          .map((row: Numbers) => row["tokens_million"]),
      );
    expect([tokens("Guided")?.toFixed(2), tokens("Targeted")?.toFixed(2)]).toEqual(["1.77", "1.53"]);
  });
});
