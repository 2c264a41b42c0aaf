import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { meanOrNull } from "../../src/base/sums.js";
import { unanimity } from "../../src/stats/rater-agreement.js";
import { quantileEdges } from "../../src/trial/facts/size-bins.js";

/** Printed numbers of the papers, and what was recomputed of them. */
const ANNEX = join(import.meta.dirname, "../../../shared/suites-annex/golden2.json");
const isThere = existsSync(ANNEX);
if (!isThere) process.stdout.write("Skipping the papers' further numbers: they are not on this machine\n");

/** Numbers of many shapes, each looked at by name. */
type Numbers = ReturnType<typeof JSON.parse>;
const golden: Record<string, Numbers> = isThere ? JSON.parse(readFileSync(ANNEX, "utf8")) : {};

const ROWS = "the runs behind it are not published";
const FIGURE = "it is in a figure or a text alone, without the rows behind it";
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
    rubrics_by_section: {
      reason:
        "the 284 rubrics are read from a clone, none ships; rubricKind gives 1220 86, 784 291 290 174, 736 17 72 140",
    },
    gold_size_rf: { test: "below, and facts/fact-table.test.ts by the 70 sizes" },
    rf_release_facts: { reason: PIPELINE },
    subagents_qa: { test: "below" },
    language: { test: "below" },
    qa_categories_n: { test: "below" },
    category_text: { test: "below" },
    judges_pairwise: { reason: ROWS },
    judge_repeats: { test: "below" },
    judge_vs_human: { reason: "the labels are not published; `suite agreement RUN labels.csv` gives it of one's own" },
    gold_similarity: { reason: ROWS },
    solution_lookup: { reason: ROWS },
    cost: { reason: ROWS },
    failure_classes_qa: { reason: "told by a model whose prompt and counts are not published" },
    text_ranges: { reason: FIGURE },
  },
  codetaste: {
    table6: { test: "below" },
    table7: { reason: ROWS },
    table8: { test: "below" },
    six_plan_control: { test: "six-plans.test.ts" },
    dataset: { reason: PIPELINE },
    mining: { reason: PIPELINE },
    environment: { reason: PIPELINE },
    rule_registration: { reason: PIPELINE },
    cost: { reason: ROWS },
    plan_minus_direct_points: { reason: ROWS },
    plan_over_direct_pct: { reason: ROWS },
    multiplan_over_direct_gpt52: { reason: ROWS },
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
    const { bin_counts, edges_quantile, min, max } = atlas["gold_size_rf"];
    expect(bin_counts.reduce((sum: number, each: number) => sum + each, 0)).toBe(70);
    expect([edges_quantile[0], edges_quantile.at(-1)]).toEqual([min, max]);
    // Edges are quantiles of quantiles too: those of the edges themselves are the edges.
    expect(quantileEdges(edges_quantile)).toEqual(edges_quantile);
    const categories = Object.values<number>(atlas["qa_categories_n"]);
    expect(categories.reduce((sum, each) => sum + each, 0)).toBe(124);
  });

  it("of SWE Atlas: the mean of languages weighted by tasks is none of the printed ones", () => {
    const { columns, n_recomputed, task_weighted_mean_of_table3, printed_overall, ...rest } = atlas["language"];
    const rows = Object.values<unknown>(rest).filter(
      (row): row is number[] => Array.isArray(row) && row.length === columns.length,
    );
    const tasks = rows.reduce((sum, [n = 0]) => sum + n, 0);
    expect(tasks).toBe(284);
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
    for (const [model, { correct, evaluable, strict_of }] of Object.entries<Numbers>(derived_counts)) {
      expect(share(correct, evaluable)).toBe(accuracy_pct[model]);
      expect(share(correct, strict_of)).toBe(strict_pct[model]);
    }
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
