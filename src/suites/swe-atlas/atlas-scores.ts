import { mean } from "simple-statistics";
import { z } from "zod";
import type { Opinion } from "../../judge/rating-records.js";
import type { ScoreValue, TrialRecord } from "../../trial/trial-records.js";
import { WORKFLOWS, type Workflow } from "./atlas-task.js";

/** The criterion of a manifest, beside the rubrics. */
export const MANIFEST = "manifest";

const measuredSchema = z.object({
  workflow: z.enum(WORKFLOWS),
  /** Groups of tables besides the repository. */
  category: z.string(),
  language: z.string(),
  /** True if anything was handed in that could pass: an answer, tests, a change. */
  submitted: z.boolean(),
  rubrics_listed: z.int().nonnegative(),
  has_manifest: z.boolean().nullable(),
  /** Absent in trials that were made before they were counted. */
  answer_words: z.int().nullable().optional(),
  tests_written: z.int().nullable().optional(),
  mutation_pass: z.boolean().nullable(),
  tests_reward: z.boolean().nullable(),
  tests_reward_published: z.boolean().nullable(),
  /** Similarity to the right solution, whether the trial passes or not. */
  jaccard: z.number().nullable(),
});

/** Scores of a trial before anybody judged it; `null`: not of its workflow, or not known. */
export type Measured = z.infer<typeof measuredSchema>;

/** Scores as the journal of trials has them. */
export function measuredScores(measured: Measured): Readonly<Record<string, ScoreValue>> {
  const { answer_words = null, tests_written = null, ...others } = measured;
  return { ...others, answer_words, tests_written };
}

/** Scores of a trial, read from its journal. */
function measuredIn({ scores }: Pick<TrialRecord, "scores">): Measured {
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
    // A trial that the released rule cannot tell has no reward.
    rf: { strict: [tests_reward, rubrics.pass], published: [tests_reward_published ?? false, rubrics.passPublished] },
  }[workflow];
  const reward = submitted ? all(parts.strict) : false;
  return {
    workflow,
    category,
    language,
    reward,
    reward_published: submitted || workflow === "rf" ? all(parts.published) : false,
    rubrics_pass: rubrics.pass,
    rubrics_pass_published: rubrics.passPublished,
    agg_score: rubrics.agg,
    manifest_pass: manifest.pass,
    mutation_pass,
    tests_reward,
    tests_reward_published,
    ...(measured.answer_words !== undefined && { answer_words: measured.answer_words }),
    ...(measured.tests_written !== undefined && { tests_written: measured.tests_written }),
    gold_jaccard: reward === true ? measured.jaccard : null,
  };
}

function rubricsOf({ workflow, submitted, rubrics_listed }: Measured, opinions: readonly Opinion[] | null) {
  // Where nothing was handed in the released rules fail without a judge, but for refactorings.
  const isAsked = submitted || workflow === "rf";
  if (opinions === null) return { pass: null, passPublished: isAsked ? null : false, agg: null };
  const own = opinions.filter(({ criterion }) => criterion !== MANIFEST);
  const score = rubricScore(workflow, own, rubrics_listed);
  return { ...score, passPublished: isAsked && score.passPublished };
}

function manifestOf({ workflow, has_manifest }: Measured, opinions: readonly Opinion[] | null) {
  if (workflow !== "tw") return { pass: null, passPublished: null };
  if (has_manifest !== true) return { pass: false, passPublished: false };
  const opinion = opinions?.find(({ criterion }) => criterion === MANIFEST);
  if (opinion === undefined) return { pass: null, passPublished: null };
  const isPublished = opinion.scorePublished === 1 && !opinion.breaksPublished;
  return { pass: opinion.score === null ? null : opinion.score === 1, passPublished: isPublished };
}

/** All hold: not if one does not, not known if of one it is not known. */
export function all(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

/** Score of the rubrics of a task, from a judge's opinions. */
interface RubricScore {
  /** All must-haves that can be read pass; `null`: none can. */
  readonly pass: boolean | null;
  /** Passed by the released rule of the workflow. */
  readonly passPublished: boolean;
  /** Share passed of those that can be read; `null`: none can. */
  readonly agg: number | null;
}

type Verdicts = readonly Pick<Opinion, "importance" | "score" | "scorePublished" | "breaksPublished">[];

/**
 * @param opinions on rubrics alone: headings are none
 * @param listed rubrics of the task's file, headings too
 */
export function rubricScore(workflow: Workflow, opinions: Verdicts, listed: number): RubricScore {
  const read = opinions.filter(({ score }) => score !== null);
  const musts = read.filter(isMust);
  return {
    pass: musts.length === 0 ? null : musts.every(({ score }) => score === 1),
    passPublished: !opinions.some(({ breaksPublished }) => breaksPublished) && PUBLISHED[workflow](opinions, listed),
    agg: read.length === 0 ? null : mean(read.map(({ score }) => score ?? 0)),
  };
}

function isMust({ importance }: Verdicts[number]): boolean {
  return importance === "must have";
}

/** The released rules, with their traps. */
const PUBLISHED: Readonly<Record<Workflow, (opinions: Verdicts, listed: number) => boolean>> = {
  // Reads the importance where the data have none: every rubric is a must-have.
  qa: (opinions) => somePass(readable(opinions)),
  // Passes without any must-have that can be read.
  tw: (opinions) => opinions.length > 0 && readable(opinions).filter(isMust).every(passes),
  // Passes without any rubric at all, not with headings alone.
  rf: (opinions, listed) => listed === 0 || somePass(readable(opinions).filter(isMust)),
};

function readable(opinions: Verdicts): Verdicts {
  return opinions.filter(({ scorePublished }) => scorePublished !== null);
}

function somePass(opinions: Verdicts): boolean {
  return opinions.length > 0 && opinions.every(passes);
}

function passes({ scorePublished }: Verdicts[number]): boolean {
  return scorePublished === 1;
}
