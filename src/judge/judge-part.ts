import { modelName } from "../model/vendor/model-name.js";
import type { PlannedJournal, StoredRun } from "../run/suite.js";
import type { BenchTask } from "../trial/bench-task.js";
import { missingText } from "../trial/score/trial-verdicts.js";
import { NO_SCORE, type PartPlan, type PartScore, type SuitePart, type TrialPlan } from "../trial/suite-part.js";
import { recordsOf, type TrialRecord } from "../trial/trial-records.js";
import { askJudge } from "./ask-judge.js";
import { judgeControl } from "./judge-controls.js";
import { JUDGE_OPTIONS, type JudgedValues } from "./judge-options.js";
import { previewJudge } from "./judge-preview.js";
import { agreementNotices, judgeDoubt, judgeReality, selfAgreement, uncontrolled } from "./judge-worth.js";
import {
  type JudgedRequest,
  type JudgedRun,
  judgedRunSchema,
  plannedRatings,
  questionsOf,
  ratingPlan,
  ratingsByTrial,
} from "./judged-run.js";
import type { Judging } from "./judging.js";
import { judgeFacts, judgeRecord, namedJudge, type OpenJudge, openJudge } from "./open-judge.js";
import { type Opinion, opinionsOf, RATINGS, type RatingRecord } from "./rating-records.js";
import { judgeBlocks, justificationBlocks } from "./show/rating-blocks.js";
import { kindBlocks, kindRows, kindTable } from "./show/rating-kinds.js";
import { ratingTables } from "./show/rating-tables.js";

/** The part of a suite whose trials a model rates, criterion by criterion, once they are made. */
export function judgePart<Task extends BenchTask>(judging: Judging<Task>): SuitePart<Task, JudgedValues, JudgedRun> {
  return {
    schema: judgedRunSchema,
    options: JUDGE_OPTIONS,
    manner: ["judge_votes", "judge_think", "judge_temperature"],
    data: judgeFacts,
    journals: ratingJournal,
    plan: (trials, request) => planJudge(judging, trials, request),
    score: (stored, records) => scoreRatings(judging, stored, records),
    sections: [
      {
        id: "verdicts",
        title: (model) => `What the judge said of ${model}`,
        blocks: async (stored) => justificationBlocks(stored.run, await recordsOf(stored, RATINGS)),
      },
    ],
  };
}

function ratingJournal(run: JudgedRun): PlannedJournal[] {
  if (run.judge === null) return [];
  const plan = ratingPlan(run, run.judge.votes);
  return [{ codec: RATINGS, plan, records: plannedRatings(run), name: "verdicts" }];
}

async function planJudge<Task extends BenchTask>(
  judging: Judging<Task>,
  { tasks, own: trials, shard }: TrialPlan<Task>,
  request: JudgedRequest,
): Promise<PartPlan<JudgedRun>> {
  const own = { ...trials, judge: null, criteria: tasks.map((task) => judging.criteria(task).length) };
  const run = { ...own, shard };
  const named = await namedJudge(request);
  const plan = { own, preview: () => previewJudge({ judging, tasks, run, request, named }) };
  if (named === null) return plan;
  let judge: OpenJudge | null = null;
  return {
    ...plan,
    async open(opening) {
      const open = await openJudge(named, request, opening);
      judge = open;
      const votes = request.values.judgeVotes;
      return {
        own: { judge: { ...judgeRecord(named, open), votes } },
        close: () => open.close(),
      };
    },
    async perform(session) {
      if (judge !== null) await askJudge({ judging, tasks, run, request, session, judge });
    },
  };
}

async function scoreRatings<Task extends BenchTask>(
  judging: Judging<Task>,
  stored: StoredRun<JudgedRun>,
  records: readonly TrialRecord[],
): Promise<PartScore> {
  const { run, folder } = stored;
  const { judge } = run;
  if (judge === null)
    return {
      ...NO_SCORE,
      scored: (record) => (record.status === "graded" ? { ...record, scores: judging.scores(record, null) } : record),
      blocks: judgeBlocks(run, [], null),
    };
  const ratings = await recordsOf(stored, RATINGS);
  const ratingsOf = ratingsByTrial(ratings);
  const name = modelName(judge);
  const control = judgeControl(name, ratings);
  const agreement = selfAgreement(ratings);
  const { planned, missing } = countRatings(records, run, judge.votes, ratingsOf);
  const kinds = judging.kindOf === undefined ? [] : kindRows(ratings, judging.kindOf);
  const lacking = `${missing} of ${planned} verdicts`;
  return {
    scored: (record) => judgedRecord(record, run, judging, ratingsOf(record)),
    tables: [...ratingTables(run, name, ratings), ...(judging.kindOf === undefined ? [] : [kindTable(run, kinds)])],
    faultOf: (record) => firstFault(opinionsOf(ratingsOf(record))),
    unfinished: missing === 0 ? null : `${lacking} that are not asked for yet`,
    warnings: [
      ...(missing > 0 && run.status === "complete" ? [missingText(run, folder, lacking)] : []),
      ...uncontrolled(name, control),
    ],
    reality: judgeReality(name, control, agreement),
    doubt: judgeDoubt(control, agreement),
    blocks: [...judgeBlocks(run, ratings, control), ...kindBlocks(run, kinds), ...agreementNotices(name, agreement)],
    document: { judge: { label: name, control, self_agreement: agreement } },
  };
}

type RatingsOf = ReturnType<typeof ratingsByTrial>;

/** Ratings of the trials that were made: those there are to be, and those that are not there. */
function countRatings(
  records: readonly TrialRecord[],
  run: JudgedRun,
  votes: number,
  ratingsOf: RatingsOf,
): { readonly planned: number; readonly missing: number } {
  const counts = { planned: 0, missing: 0 };
  for (const record of records.filter(({ status }) => status === "graded")) {
    const planned = questionsOf(run, record.item, votes);
    counts.planned += planned;
    counts.missing += planned - ratingsOf(record).length;
  }
  return counts;
}

/** A trial with all its scores; without any where the judge could not be asked all there is to ask. */
function judgedRecord<Task extends BenchTask>(
  record: TrialRecord,
  run: JudgedRun,
  judging: Judging<Task>,
  ratings: readonly RatingRecord[],
): TrialRecord {
  if (record.status !== "graded") return record;
  const lost = ratings.find(({ status }) => status === "lost");
  const isWhole = ratings.length === questionsOf(run, record.item, run.judge?.votes ?? 1);
  if (lost === undefined && isWhole) return { ...record, scores: judging.scores(record, opinionsOf(ratings)) };
  const detail = lost === undefined ? "not judged yet" : `the judge could not be asked: ${lost.detail ?? ""}`;
  return { ...record, status: "grader_failed", scores: {}, detail };
}

/** First criterion that a trial fails, musts before others, with the judge's reason; marks: the lowest below the middle. */
function firstFault(opinions: readonly Opinion[]): string | null {
  const failed = opinions.filter(
    ({ score, scale }) => score !== null && (scale === "points" ? score < 0.5 : score < 1),
  );
  const worst = failed.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  if (worst === undefined) return null;
  const { title, justification, scale, score } = worst;
  const mark = scale === "points" ? ` (${(score ?? 0) * 10} of 10)` : "";
  return `First failing rubric: ${title}${mark}${justification === null ? "" : `: ${justification}`}`;
}

function rankOf({ scale, score, importance }: Opinion): number {
  return scale === "points" ? (score ?? 0) : Number(importance !== "must have");
}
