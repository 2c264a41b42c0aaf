import { z } from "zod";
import type { Opinion } from "../../../judge/opinion.js";
import type { ScoreValue } from "../../../trial/adapter.js";
import type { TrialRecord } from "../../../trial/records.js";
import { rubricScore } from "../rubric/rubric-score.js";
import { WORKFLOWS } from "../task/task.js";

/** The criterion of a manifest, beside the rubrics. */
export const MANIFEST = "manifest";

const measuredSchema = z.object({
  workflow: z.enum(WORKFLOWS),
  /** What tables are grouped by besides the repository. */
  category: z.string(),
  language: z.string(),
  /** Whether anything was handed in that could pass: an answer, tests, a change. */
  submitted: z.boolean(),
  rubrics_listed: z.int().nonnegative(),
  has_manifest: z.boolean().nullable(),
  mutation_pass: z.boolean().nullable(),
  tests_reward: z.boolean().nullable(),
  tests_reward_published: z.boolean().nullable(),
  /** Whether the trial passes or not. */
  jaccard: z.number().nullable(),
});

/** What a trial came to before anybody judged it; `null`: not of its workflow, or not known. */
export type Measured = z.infer<typeof measuredSchema>;

/** As the journal of trials has it. */
export function measuredScores(measured: Measured): Readonly<Record<string, ScoreValue>> {
  return { ...measured };
}

/** What the journal of trials has of a trial. */
export function measuredIn({ scores }: Pick<TrialRecord, "scores">): Measured {
  return measuredSchema.parse(scores);
}

/** All scores of a trial. @param opinions `null`: nobody judged */
export function trialScores(
  record: Pick<TrialRecord, "scores">,
  opinions: readonly Opinion[] | null,
): Record<string, ScoreValue> {
  const measured = measuredIn(record);
  const { submitted, mutation_pass, tests_reward, tests_reward_published, category, language, workflow } = measured;
  const rubrics = rubricsOf(measured, opinions);
  const manifest = manifestOf(measured, opinions);
  const parts = {
    qa: { strict: [rubrics.pass], published: [rubrics.passPublished] },
    tw: {
      strict: [rubrics.pass, manifest.pass, mutation_pass],
      published: [rubrics.passPublished, manifest.passPublished, mutation_pass],
    },
    // What the released rule cannot tell is no reward.
    rf: { strict: [tests_reward, rubrics.pass], published: [tests_reward_published ?? false, rubrics.passPublished] },
  }[workflow];
  const reward = submitted ? all(parts.strict) : false;
  return {
    ...{ workflow, category, language, reward },
    reward_published: submitted || workflow === "rf" ? all(parts.published) : false,
    rubrics_pass: rubrics.pass,
    rubrics_pass_published: rubrics.passPublished,
    agg_score: rubrics.agg,
    manifest_pass: manifest.pass,
    ...{ mutation_pass, tests_reward, tests_reward_published },
    gold_jaccard: reward === true ? measured.jaccard : null,
  };
}

function rubricsOf({ workflow, submitted, rubrics_listed }: Measured, opinions: readonly Opinion[] | null) {
  if (opinions === null) return { pass: submitted ? null : false, passPublished: submitted ? null : false, agg: null };
  const own = opinions.filter(({ criterion }) => criterion !== MANIFEST);
  const score = rubricScore(workflow, own, rubrics_listed);
  // Where nothing was handed in the released rules fail without a judge, but for refactorings.
  return submitted ? score : { ...score, pass: false, passPublished: workflow === "rf" && score.passPublished };
}

function manifestOf({ workflow, has_manifest }: Measured, opinions: readonly Opinion[] | null) {
  if (workflow !== "tw") return { pass: null, passPublished: null };
  if (has_manifest !== true) return { pass: false, passPublished: false };
  const opinion = opinions?.find(({ criterion }) => criterion === MANIFEST);
  if (opinion === undefined) return { pass: null, passPublished: null };
  return { pass: opinion.score === null ? null : opinion.score === 1, passPublished: opinion.scorePublished === 1 };
}

/** All hold: not if one does not, not known if of one it is not known. */
export function all(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}
