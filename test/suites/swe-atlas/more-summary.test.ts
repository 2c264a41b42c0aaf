import { describe, expect, it } from "vitest";
import { proportion } from "../../../src/stats/interval.js";
import { moreSummary, SCORE_COLUMNS } from "../../../src/suites/swe-atlas/atlas-adapter.js";
import { NOT_MADE } from "../../../src/trial/make/run-trial.js";
import type { TrialRecord } from "../../../src/trial/trial-records.js";

const OPTIONS = { scores: SCORE_COLUMNS, headline: "reward", trials: 3, cluster: "task", seed: 0 } as const;

function trial(task: string, number: number, reward: boolean, more: Partial<TrialRecord> = {}): TrialRecord {
  const place = { item: 0, agent: "loop", condition: "qa", task_id: task, group: "a/b", trial: number };
  const scores = { reward, category: "startup", language: "go" };
  return { ...NOT_MADE, ...place, status: "graded", valid: true, detail: null, scores, ...more };
}

const rowOf = (records: TrialRecord[], metric: string, by = "overall", group = "", options = OPTIONS) =>
  moreSummary(records, options).find((row) => row.metric === metric && row.groupBy === by && row.group === group);

describe("the summary of all workflows", () => {
  it("weighs workflows by their tasks, as the paper's overall column", () => {
    // 124, 90 and 70 tasks at 30.00, 36.08 and 29.61 %: trials of 1000 a task would be unwieldy, so the mean is taken by hand.
    expect((124 * 30 + 90 * 36.08 + 70 * 29.61) / 284).toBeCloseTo(31.83, 2);
    // The same weights of trials: of 124 + 90 + 70 tasks with one trial each 37, 32 and 21 pass.
    const of = (workflow: string, tasks: number, passed: number) =>
      Array.from({ length: tasks }, (_, i) => trial(`${workflow}${i}`, 0, i < passed, { condition: workflow }));
    const records = [...of("qa", 124, 37), ...of("tw", 90, 32), ...of("rf", 70, 21)];
    expect(rowOf(records, "reward")).toMatchObject({ condition: "all", value: 90 / 284, n: 284 });
  });

  it("has the half-widths of the paper at 852 trials by Wilson's interval", () => {
    const half = (percent: number) => {
      const { low, high } = proportion(Math.round(8.52 * percent), 852)!;
      return (((high ?? 0) - (low ?? 0)) / 2) * 100;
    };
    expect(half(43.49)).toBeCloseTo(3.32, 2);
    expect(half(41.89)).toBeCloseTo(3.31, 2);
    expect(half(15.2)).toBeCloseTo(2.41, 2);
  });

  // Of task a two of three trials pass, of task b none: Pass@1 is (2/3 + 0)/2, Pass@3 (1 + 0)/2, Pass^3 0.
  const records = [
    ...[true, true, false].map((reward, i) => trial("a", i, reward)),
    ...[false, false, false].map((reward, i) =>
      trial("b", i, reward, { group: "c/d", scores: { reward, category: "tests", language: "go" } }),
    ),
  ];

  it("has Pass@1, Pass@3 and Pass^3 of all, and by category, language and repository", () => {
    expect(rowOf(records, "pass_at_1")?.value).toBeCloseTo(1 / 3, 12);
    expect(rowOf(records, "pass_at_3")?.value).toBeCloseTo(1 / 2, 12);
    expect(rowOf(records, "pass_hat_3")?.value).toBe(0);
    expect(rowOf(records, "pass_at_3", "category", "startup")).toMatchObject({ value: 1, n: 1 });
    expect(rowOf(records, "pass_at_3", "group", "c/d")).toMatchObject({ value: 0, n: 1 });
    expect(rowOf(records, "pass_at_3", "language", "go")).toMatchObject({ n: 2, interval: "t_by_task" });
  });

  it("has intervals over repositories where these are the clusters", () => {
    const byGroup = { ...OPTIONS, cluster: "group" } as const;
    const row = moreSummary(records, byGroup).find(
      ({ metric, groupBy }) => metric === "pass_at_3" && groupBy === "overall",
    );
    // Two repositories at 1 and 0: .5 ± 12.7 · .5, cut at both ends.
    expect(row).toMatchObject({ value: 0.5, low: 0, high: 1, interval: "t_by_group" });
  });
});
