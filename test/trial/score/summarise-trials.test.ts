import { describe, expect, it } from "vitest";
import { summarise } from "../../../src/trial/score/summarise-trials.js";
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

  it("may take whole groups together", () => {
    const group = (name: string) => ({ group: name });
    const rows = rowsOf(
      [trial("t1", 0, true, group("x")), trial("t2", 0, true, group("x")), trial("t3", 0, false, group("y"))],
      1,
      "group",
    );
    // Resamples are xx, xy, yx, yy: means 1, 2/3, 2/3, 0.
    expect(rows.get("right")).toMatchObject({ value: 2 / 3, low: 0, high: 1, interval: "bootstrap_by_group" });
  });
});
