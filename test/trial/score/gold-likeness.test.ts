import { expect, it } from "vitest";
import { goldBlocks, goldRows } from "../../../src/trial/score/gold-likeness.js";
import { trialReality } from "../../../src/trial/score/reality.js";
import type { GoldSimilarity, TrialRecord } from "../../../src/trial/trial-records.js";
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
