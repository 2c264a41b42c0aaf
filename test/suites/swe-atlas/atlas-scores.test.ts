import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Opinion } from "../../../src/judge/rating-records.js";
import {
  all,
  MANIFEST,
  type Measured,
  measuredScores,
  trialScores,
} from "../../../src/suites/swe-atlas/atlas-scores.js";
import type { Workflow } from "../../../src/suites/swe-atlas/atlas-task.js";

const PUBLISHED = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/suites/swe-atlas/published.json"), "utf8"),
);

function measured(workflow: Workflow, more: Partial<Measured> = {}): Measured {
  return {
    workflow,
    category: "c",
    language: "l",
    submitted: true,
    rubrics_listed: 2,
    has_manifest: workflow === "tw" ? true : null,
    mutation_pass: workflow === "tw" ? true : null,
    tests_reward: workflow === "rf" ? true : null,
    tests_reward_published: workflow === "rf" ? true : null,
    jaccard: 0.5,
    ...more,
  };
}

const opinion = (criterion: string, score: number | null, importance = "must have"): Opinion => ({
  criterion,
  title: criterion,
  polarity: "positive",
  importance,
  score,
  scorePublished: score,
  breaksPublished: false,
  justification: null,
  scale: null,
  votes: [],
});

/** Two must-haves and, of tests, a manifest that is right unless told otherwise. */
function scored(
  workflow: Workflow,
  scores: readonly (number | null)[],
  more: Partial<Measured> = {},
  manifest: number | null = 1,
) {
  const rubrics = scores.map((score, i) => opinion(`r${i}`, score));
  const opinions = workflow === "tw" ? [...rubrics, opinion(MANIFEST, manifest, MANIFEST)] : rubrics;
  return trialScores({ scores: { ...measuredScores(measured(workflow, more)) } }, opinions);
}

describe("the reward of a trial", () => {
  // [strict, published] of each workflow; a rubric that cannot be read counts neither way.
  it.each([
    ["all pass", [1, 1], { qa: [true, true], tw: [true, true], rf: [true, true] }],
    ["a must-have fails", [1, 0], { qa: [false, false], tw: [false, false], rf: [false, false] }],
    ["one cannot be read", [1, null], { qa: [true, true], tw: [true, true], rf: [true, true] }],
    ["one cannot be read, one fails", [0, null], { qa: [false, false], tw: [false, false], rf: [false, false] }],
    ["none can be read", [null, null], { qa: [null, false], tw: [null, true], rf: [null, false] }],
  ] as const)("by its rubrics: %s", (_, scores, expected) => {
    for (const workflow of ["qa", "tw", "rf"] as const) {
      const found = scored(workflow, scores);
      expect([workflow, found["reward"], found["reward_published"]]).toEqual([workflow, ...expected[workflow]]);
    }
  });

  it.each(PUBLISHED.tw.reward as Record<string, boolean | number>[])(
    "of tests needs rubrics $rubrics_pass, manifest $manifest_pass and mutation $mutation_pass",
    ({ rubrics_pass, manifest_pass, mutation_pass, reward }) => {
      const more = { mutation_pass: mutation_pass === true };
      const found = scored("tw", [Number(rubrics_pass), 1], more, Number(manifest_pass));
      expect(found).toMatchObject({
        reward: reward === 1,
        reward_published: reward === 1,
        manifest_pass,
        mutation_pass,
      });
    },
  );

  it.each(PUBLISHED.rf.reward as { tests_reward: number | null; must_have_pass: boolean | null; reward: number }[])(
    "of a refactoring needs tests $tests_reward and must-haves $must_have_pass",
    ({ tests_reward: tests, must_have_pass: must, reward }) => {
      const tests_reward_published = tests === null ? null : tests === 1;
      const score = must === null ? null : Number(must);
      const found = scored("rf", [score, score], { tests_reward: tests_reward_published, tests_reward_published });
      expect(found["reward_published"]).toBe(reward === 1);
    },
  );

  it("of a refactoring behind which nothing runs is one by the released rule alone", () => {
    const found = scored("rf", [1, 1], { tests_reward: false, tests_reward_published: true });
    expect(found).toMatchObject({ reward: false, reward_published: true, gold_jaccard: null });
  });

  it("is none where nothing was handed in, judged or not", () => {
    for (const workflow of ["qa", "tw"] as const) {
      const empty = { submitted: false, has_manifest: workflow === "tw" ? false : null };
      expect(scored(workflow, [1, 1], empty)).toMatchObject({ reward: false, reward_published: false });
      const unjudged = trialScores({ scores: { ...measuredScores(measured(workflow, empty)) } }, null);
      expect(unjudged).toMatchObject({ reward: false, reward_published: false, rubrics_pass: null });
    }
  });

  it("is not known without a judge, but where tests decide alone", () => {
    const unjudged = (workflow: Workflow, more: Partial<Measured> = {}) =>
      trialScores({ scores: { ...measuredScores(measured(workflow, more)) } }, null);
    expect(unjudged("qa")).toMatchObject({ reward: null, reward_published: null, agg_score: null });
    expect(unjudged("tw")).toMatchObject({ reward: null, manifest_pass: null, mutation_pass: true });
    expect(unjudged("tw", { mutation_pass: false })).toMatchObject({ reward: false, reward_published: false });
    expect(unjudged("tw", { has_manifest: false })).toMatchObject({ reward: false, manifest_pass: false });
    expect(unjudged("rf", { tests_reward: false })).toMatchObject({ reward: false, reward_published: null });
  });

  it("is not known where the tests cannot be run here, but for rubrics that fail", () => {
    const untested = { tests_reward: null, tests_reward_published: null };
    expect(scored("rf", [1, 1], untested)).toMatchObject({ reward: null, reward_published: false });
    expect(scored("rf", [0, 1], untested)).toMatchObject({ reward: false });
  });

  it("tells how like the right solution a rewarded change is", () => {
    expect(scored("rf", [1, 1])["gold_jaccard"]).toBe(0.5);
    expect(scored("rf", [0, 1])["gold_jaccard"]).toBeNull();
  });

  it.each([
    [[true, null], null],
    [[null, false], false],
    [[true, true], true],
    [[], true],
  ])("takes all of %j for %s", (parts, expected) => {
    expect(all(parts)).toBe(expected);
  });
});
