import { expect, it } from "vitest";
import { goldBlocks, goldRows, strengthRows, trialReality } from "../../../src/trial/score/reality.js";
import type { GoldSimilarity, PlacedCheck, TrialRecord } from "../../../src/trial/trial-records.js";
import type { TrialRun } from "../../../src/trial/trial-run.js";
import { makeTrial } from "../../fixtures/trial-record.js";

const similarity = (jaccard: number): GoldSimilarity => ({ jaccard, copy: 0.25, other: null });

function trial(task: string, passes: boolean | null, likeness: GoldSimilarity | null): TrialRecord {
  return makeTrial(task, { scores: { passes }, ...(likeness && { gold_similarity: likeness }) });
}

const share = (name: string) => ({ name, kind: "share", description: "" }) as const;
const options = { scores: [share("passes")], headline: "passes", trials: 1, cluster: "task", seed: 0 } as const;
const TRIALS = [
  trial("t1", true, similarity(0.5)),
  trial("t2", true, similarity(0.1)),
  trial("t3", false, similarity(1)),
  trial("t4", true, null),
  { ...trial("t5", true, similarity(1)), valid: false },
];
const RUN = { agents: [{ name: "a" }], conditions: ["c"] } as unknown as TrialRun;

it("is the mean over passing trials of valid tasks that have a right solution, with its baselines beside it", () => {
  expect(goldRows(TRIALS, options)).toMatchObject([
    { metric: "gold_jaccard", value: 0.3, n: 2, excluded: 0 },
    { metric: "gold_jaccard_copy", value: 0.25, n: 2 },
    { metric: "gold_jaccard_other", value: null, n: 0, excluded: 2 },
  ]);
  expect(goldRows([trial("t3", false, similarity(1)), trial("t4", true, null)], options)).toEqual([]);
});

it("leaves the similarity to a suite that scores it itself, and adds what it is held against", () => {
  const scores = [...options.scores, { name: "gold_jaccard", kind: "mean", description: "" } as const];
  const metrics = goldRows(TRIALS, { ...options, scores }).map(({ metric }) => metric);
  expect(metrics).toEqual(["gold_jaccard_copy", "gold_jaccard_other"]);
});

it("is shown with its baselines in one row, or not at all, and told with them as a fact", () => {
  const summary = goldRows(TRIALS, options);
  const [, table] = goldBlocks(RUN, summary);
  expect(
    table?.kind === "table" && table.rows.map((row) => row.map((cell) => ("value" in cell ? cell.value : ""))),
  ).toEqual([["", 2, 0.3, 0.25, ""]]);
  expect(goldBlocks(RUN, [])).toEqual([]);
  expect(trialReality(RUN, [], summary).at(-1)).toMatchObject({
    title: "passing patches like the right solution",
    share: { value: 0.3 },
    text: "a copy of the original: 25.0 %; another task's: –",
  });
  expect(trialReality(RUN, [], [])).toHaveLength(2);
});

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
  expect(strengthRows([makeTrial("t1")], [check("t1", null), check("t2", 0)])).toEqual([]);
});

it("is the share of a task's mutants with Wilson's interval, and of more the mean of their shares, of tasks in the rates alone", () => {
  const checks = [check("t1", 4, 1), check("t2", 10, 10), check("t3", 10, 0), check("t4", null)];
  // Wilson of 1 of 4: (.25 + z²/8 ± z √(.1875/4 + z²/64))/(1 + z²/4), z² = 3.8415.
  expect(strengthRows([makeTrial("t1")], checks)).toMatchObject([
    { value: 0.25, low: expect.closeTo(0.0456, 4), high: expect.closeTo(0.6994, 4), interval: "wilson", n: 1 },
  ]);
  const trials = [
    makeTrial("t1"),
    makeTrial("t1", { trial: 1 }),
    makeTrial("t2"),
    makeTrial("t3", { valid: false }),
    makeTrial("t4"),
  ];
  // Means .25 and 1: .625 ± t(.975, 1) · s/√2 = 12.7062 · .375, cut at 0 and 1; one of three tasks was not checked.
  expect(strengthRows(trials, checks)).toMatchObject([
    { metric: "mutants_killed", value: 0.625, low: 0, high: 1, interval: "t_by_task", n: 2, excluded: 1 },
  ]);
});
