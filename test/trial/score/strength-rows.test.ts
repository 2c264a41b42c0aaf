import { expect, it } from "vitest";
import { strengthRows } from "../../../src/trial/score/strength-rows.js";
import type { PlacedCheck } from "../../../src/trial/trial-records.js";
import { makeTrial as trial } from "../../fixtures/trial-record.js";

function check(task: string, mutants: number | null, killed = 0): PlacedCheck {
  const strength = mutants === null ? {} : { strength: { asked: 40, seed: 0, mutants, killed } };
  return {
    item: 0,
    task_id: task,
    group: task,
    valid: true,
    reason: null,
    runtime_sha256: "",
    checks: [],
    ...strength,
  };
}

it("has no row where no task was checked with mutants", () => {
  expect(strengthRows([trial("t1")], [check("t1", null), check("t2", 0)])).toEqual([]);
});

it("is the share of a task's mutants with Wilson's interval, and of more the mean of their shares, of tasks in the rates alone", () => {
  const checks = [check("t1", 4, 1), check("t2", 10, 10), check("t3", 10, 0), check("t4", null)];
  // Wilson of 1 of 4: (.25 + z²/8 ± z √(.1875/4 + z²/64))/(1 + z²/4), z² = 3.8415.
  expect(strengthRows([trial("t1")], checks)).toMatchObject([
    { value: 0.25, low: expect.closeTo(0.0456, 4), high: expect.closeTo(0.6994, 4), interval: "wilson", n: 1 },
  ]);
  const trials = [trial("t1"), trial("t1", { trial: 1 }), trial("t2"), trial("t3", { valid: false }), trial("t4")];
  // Means .25 and 1: .625 ± t(.975, 1) · s/√2 = 12.7062 · .375, cut at 0 and 1; one of three tasks was not checked.
  expect(strengthRows(trials, checks)).toMatchObject([
    { metric: "mutants_killed", value: 0.625, low: 0, high: 1, interval: "t_by_task", n: 2, excluded: 1 },
  ]);
});
