import type { ScoreColumn } from "../../../trial/adapter.js";

type Line = readonly [ScoreColumn["name"], ScoreColumn["kind"], ScoreColumn["description"]];

const LINES: readonly Line[] = [
  ["reward", "share", "All that the workflow asks for; empty: it is not known."],
  ["reward_published", "share", "Likewise by the released rules."],
  ["rubrics_pass", "share", "All must-haves that can be read pass; empty: none can, or nobody judged."],
  ["rubrics_pass_published", "share", "Likewise by the released rule of the workflow."],
  ["agg_score", "mean", "Share of the rubrics that can be read that pass."],
  ["manifest_pass", "share", "tw: the manifest names the tests that were added."],
  ["mutation_pass", "share", "tw: every test of the manifest fails once the code is gone."],
  ["tests_reward", "share", "rf: nothing relevant broke or is gone, and all that is listed ran."],
  ["tests_reward_published", "share", "rf: nothing relevant broke; a patch after which nothing runs passes."],
  ["gold_jaccard", "mean", "Of rewarded trials: similarity of the added lines with the right solution's, 0–1."],
];

/** What no judge has a part in. */
const BY_TESTS = new Set(["mutation_pass", "tests_reward", "tests_reward_published"]);

/** What the suite adds to `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = LINES.map(([name, kind, description]) => ({
  ...{ name, kind, description },
  ...(!BY_TESTS.has(name) && { isJudged: true }),
}));
