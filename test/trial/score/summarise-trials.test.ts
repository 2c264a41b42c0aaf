import { describe, expect, it } from "vitest";
import { summarise } from "../../../src/trial/score/summarise-trials.js";
import { TRIAL_METRICS, trialsTable } from "../../../src/trial/score/trial-tables.js";
import type { TrialRecord } from "../../../src/trial/trial-records.js";
import { makeTrial } from "../../fixtures/trial-record.js";

const SCORES = [{ name: "right", kind: "share", description: "" }] as const;

function trial(task: string, index: number, right: boolean | null, rest: Partial<TrialRecord> = {}): TrialRecord {
  return makeTrial(task, { trial: index, scores: { right }, ...rest });
}

const rowsOf = (records: readonly TrialRecord[], trials: number, cluster: "task" | "group" = "task") => {
  const rows = summarise(records, { scores: SCORES, headline: "right", trials, cluster, seed: 0 });
  return new Map(rows.filter(({ groupBy }) => groupBy === "overall").map((row) => [row.metric, row]));
};

describe("the summary of trials", () => {
  it("has no metric but the scores, the numbers of trials.csv, and those that the data dictionary lists besides", () => {
    const known = new Set([...trialsTable(SCORES).columns.map(({ name }) => name), ...Object.keys(TRIAL_METRICS)]);
    const metrics = [...rowsOf([trial("t1", 0, true), trial("t1", 1, false)], 2).keys()];
    const named = metrics.map((metric) => metric.replace(/^(pass_(?:at|hat))_[12]$/, "$1_k"));
    expect(named.filter((metric) => !known.has(metric))).toEqual(["right_published"]);
  });

  it("has Wilson's interval over single trials, and no rate over what was not judged", () => {
    const rows = rowsOf(
      [
        trial("t1", 0, true),
        trial("t2", 0, false),
        trial("t3", 0, null),
        trial("t4", 0, true, { valid: false }),
        trial("t5", 0, null, { status: "unreachable", scores: {} }),
      ],
      1,
    );
    // 1 of 2: Wilson's interval is .5 ± z√(.25/2 + z²/16)/(1 + z²/2).
    expect(rows.get("right")).toMatchObject({ value: 0.5, interval: "wilson", n: 2, excluded: 1 });
    expect(rows.get("right")!.low).toBeCloseTo(0.0945, 4);
    // Three reported successes, one of which has no score; of two, one failed.
    expect(rows.get("false_confidence")).toMatchObject({ value: 0.5, n: 2 });
    expect(rows.get("cost_usd")).toMatchObject({ value: null, n: 0, excluded: 3 });
    expect(rows.get("trials_unreachable")).toMatchObject({ value: 1, n: 5 });
  });

  it("takes trials of a task together, shows the naive interval beside it, and Pass@k and Pass^k", () => {
    const rows = rowsOf([trial("t1", 0, true), trial("t1", 1, true), trial("t2", 0, false), trial("t2", 1, true)], 2);
    // Means 1 and .5: .75 ± t(.975, 1) · s/√2, s = .3536: 12.7062 · .25 = 3.1766, cut at 0 and 1.
    expect(rows.get("right")).toMatchObject({ value: 0.75, low: 0, high: 1, interval: "t_by_task", n: 4 });
    expect(rows.get("right_published")).toMatchObject({ value: 0.75, interval: "wilson", n: 4 });
    // Task 1: both 1. Task 2: one of two passes, so Pass@1 = Pass^1 = .5, Pass@2 = 1, Pass^2 = 0.
    const value = (metric: string) => rows.get(metric)?.value;
    expect([value("pass_at_1"), value("pass_hat_1"), value("pass_at_2"), value("pass_hat_2")]).toEqual([
      0.75, 0.75, 1, 0.5,
    ]);
  });

  it("of 36 trials of 12 tasks, all right or none, is as sure as 12 tasks can make it", () => {
    const trials = (right: boolean, tasks: number) =>
      Array.from({ length: 3 * tasks }, (_, i) =>
        trial(`t${i % tasks}`, Math.floor(i / tasks), right, { group: `g${i % 6}` }),
      );
    // Wilson at 12 of 12: 12/(12 + 3.8414588) = .7575; at 0 of 12 the same from the other side.
    const all = rowsOf(trials(true, 12), 3).get("right");
    expect(all).toMatchObject({ value: 1, high: 1, interval: "wilson_by_task", n: 36 });
    expect(all?.low).toBeCloseTo(0.7575, 4);
    expect(rowsOf(trials(false, 12), 3).get("right")?.high).toBeCloseTo(0.2425, 4);
    // Groups of two tasks, three trials each: Wilson at 2 of 2, 2/5.8414588 = .3424.
    const rows = summarise(trials(true, 12), {
      scores: SCORES,
      headline: "right",
      trials: 3,
      cluster: "task",
      seed: 0,
    });
    const group = rows.find(({ groupBy, metric }) => groupBy === "group" && metric === "right");
    expect(group).toMatchObject({ high: 1, interval: "wilson_by_task", n: 6 });
    expect(group?.low).toBeCloseTo(0.3424, 4);
    // Six groups that are alike: 6/9.8414588 = .6097.
    const byGroup = rowsOf(trials(true, 12), 3, "group").get("right");
    expect(byGroup).toMatchObject({ high: 1, interval: "wilson_by_group" });
    expect(byGroup?.low).toBeCloseTo(0.6097, 4);
    // Pass^3 is 1 of every task.
    expect(rowsOf(trials(true, 12), 3).get("pass_hat_3")?.low).toBeCloseTo(0.7575, 4);
  });

  it("takes false confidence by task, as its trials are no independent cases", () => {
    // Two tasks fail in both trials, two pass in both: p = 1/2, e = ±1; variance 4/3 · 4/64 = 1/12, over .25/8: deff 8/3.
    // Three effective cases, times (1.95996/3.18245)²: 1.13786. Wilson: half = z √(.25/1.13786 + z²/(4 · 1.2947))/(1 + z²/1.13786).
    const failing = [false, false, true, true].flatMap((right, i) => [
      trial(`t${i}`, 0, right),
      trial(`t${i}`, 1, right),
    ]);
    const row = rowsOf(failing, 2).get("false_confidence");
    expect(row).toMatchObject({ value: 0.5, interval: "wilson_by_task", n: 8 });
    expect(row?.low).toBeCloseTo(0.0609, 3);
    const never = rowsOf(
      failing.map((each) => ({ ...each, scores: { right: true } })),
      2,
    ).get("false_confidence");
    expect(never?.high).toBeCloseTo(3.8414588 / 7.8414588, 6);
  });

  it("may take whole groups together", () => {
    const group = (name: string) => ({ group: name });
    const rows = rowsOf(
      [trial("t1", 0, true, group("x")), trial("t2", 0, true, group("x")), trial("t3", 0, false, group("y"))],
      1,
      "group",
    );
    // Totals stray by ±2/3 from 2/3 a trial: SE = √(2 · 8/9)/3 = .44, times 12.7, cut at 0 and 1.
    expect(rows.get("right")).toMatchObject({ value: 2 / 3, low: 0, high: 1, interval: "t_by_group" });
  });
});
