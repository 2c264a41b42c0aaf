import { noopAgent } from "../agent/scripted-agents.js";
import { ProbeError } from "../base/errors.js";
import { isInShard } from "../base/shard.js";
import { sumOf } from "../base/sums.js";
import type { Model } from "../model/model.js";
import { openModel } from "../model/open-model.js";
import { knownCost } from "../model/prices.js";
import { modelName } from "../model/vendor/model-name.js";
import { notice, sentence } from "../report/make-block.js";
import { money } from "../report/number-text.js";
import type { PlannedJournal, Preview, StoredRun } from "../run/suite.js";
import { PlaceNumbers } from "../store/journal/slots.js";
import type { BenchTask } from "../trial/bench-task.js";
import { missingText } from "../trial/score/trial-verdicts.js";
import { NO_SCORE, type PartPlan, type PartScore, type SuitePart, type TrialPlan } from "../trial/suite-part.js";
import { recordsOf, type TrialRecord } from "../trial/trial-records.js";
import { askJudge } from "./ask-judge.js";
import {
  agreementNotices,
  judgeControl,
  judgeDoubt,
  judgeReality,
  selfAgreement,
  uncontrolled,
} from "./judge-controls.js";
import { JUDGE_OPTIONS, type JudgedValues } from "./judge-options.js";
import {
  type JudgedArms,
  type JudgedRequest,
  type JudgedRun,
  judgedRunSchema,
  plannedRatings,
  questionsOf,
  ratingPlan,
  ratingsByTrial,
} from "./judged-run.js";
import { type JudgePrompt, type Judging, MOST_RATING_TOKENS } from "./judging.js";
import { judgeFacts, judgeRecord, type NamedJudge, namedJudge, type OpenJudge, openJudge } from "./open-judge.js";
import { judgeBlocks, justificationBlocks, ratingTables } from "./rating-blocks.js";
import { kindBlocks, kindRows, kindTable } from "./rating-kinds.js";
import { type Opinion, opinionsOf, RATINGS, type RatingRecord } from "./rating-records.js";

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

interface Previewed<Task extends BenchTask> {
  readonly judging: Judging<Task>;
  readonly tasks: readonly Task[];
  readonly run: JudgedArms;
  readonly request: JudgedRequest;
  readonly named: NamedJudge | null;
}

/** Characters a token, where the model has no tokenizer here. */
const CHARACTERS_A_TOKEN = 4;

/**
 * Preview of a judge's questions, their number and their size: nobody is asked. Submissions are not known yet, so gold
 * stands for them.
 */
async function previewJudge<Task extends BenchTask>(previewed: Previewed<Task>): Promise<Preview> {
  const { run, request, named } = previewed;
  if (named === null)
    return { blocks: [notice("warning", "Nobody judges: --judge is not given.")], document: { judge: { calls: 0 } } };
  const tokenizer = await openTokenizer(named, request);
  try {
    const votes = request.values.judgeVotes;
    const plan = ratingPlan(run, votes);
    const places = new PlaceNumbers(plan);
    const perTask = await Promise.all(previewed.tasks.map((task) => questionsAbout(previewed, task, tokenizer)));
    const counts = Array.from({ length: plan.items }, (_, item) => {
      const own = run.criteria[item % run.tasks.length] ?? 0;
      const times = own === 0 ? 0 : places.placesOf(item) / own;
      const { calls, prompt } = perTask[item % run.tasks.length]?.each ?? NO_QUESTIONS;
      return { calls: times * calls, prompt: times * prompt };
    });
    const own = perTask.filter((_, i) => isInShard(run.shard, i));
    const all = [...counts, ...own.map(({ first }) => first)];
    const calls = sumOf(all.map((count) => count.calls));
    const prompt = sumOf(all.map((count) => count.prompt));
    return shown(named, { calls, prompt, completion: calls * MOST_RATING_TOKENS, isCounted: tokenizer !== null });
  } finally {
    await tokenizer?.close();
  }
}

async function openTokenizer(
  { model, connection }: NamedJudge,
  { values, warn, promptMode }: JudgedRequest,
): Promise<Model | null> {
  if (model === null) return null;
  try {
    const opening = { promptMode, mode: "fast", needs: [], onMessage: warn } as const;
    const open = await openModel(model, { ...opening, seed: values.seed, connection });
    if (open.countTokens !== undefined) return open;
    await open.close();
    return null;
  } catch (error) {
    if (error instanceof ProbeError && error.code === "model_unavailable") return null;
    throw error;
  }
}

/** Calls, and tokens of their prompts. */
type Questions = Pick<Counted, "calls" | "prompt">;

const NO_QUESTIONS: Questions = { calls: 0, prompt: 0 };

/** Questions about a task before its trials, and about each of them: criteria with the same prompt are one question. */
async function questionsAbout<Task extends BenchTask>(
  { judging, request }: Previewed<Task>,
  task: Task,
  tokenizer: Model | null,
): Promise<{ readonly first: Questions; readonly each: Questions }> {
  const submitted = await judging.sample(task);
  const prompts = judging.criteria(task).map((criterion) => judging.prompt(task, criterion, submitted, null));
  const first = judging.first?.(task, { ...request.values }) ?? null;
  const distinct = [...new Set(prompts.map((prompt, i) => (prompt === null ? String(i) : textOf(prompt))))];
  return {
    first: first === null ? NO_QUESTIONS : await questions([textOf(first)], tokenizer),
    each: await questions(distinct, tokenizer),
  };
}

async function questions(texts: readonly string[], tokenizer: Model | null): Promise<Questions> {
  let prompt = 0;
  for (const text of texts)
    prompt += (await tokenizer?.countTokens?.(text)) ?? Math.ceil(text.length / CHARACTERS_A_TOKEN);
  return { calls: texts.length, prompt };
}

function textOf({ system, user }: JudgePrompt): string {
  return `${system}\n${user}`;
}

interface Counted {
  readonly calls: number;
  readonly prompt: number;
  readonly completion: number;
  readonly isCounted: boolean;
}

function shown({ label, price }: NamedJudge, { calls, prompt, completion, isCounted }: Counted): Preview {
  const cost = knownCost(price, prompt, completion);
  const how = isCounted ? "by its tokenizer" : "by length";
  const worth = price === null || cost === null ? "" : `, ${money(cost, price.currency)} at most`;
  const text =
    `The judge ${label} would be asked at most ${calls} times: about ${prompt} tokens of prompts (${how}, with right solutions for ` +
    `what is not known yet), ${completion} tokens written at most${worth}. Of empty solutions only those of ${noopAgent.name} are judged.`;
  return {
    blocks: [sentence(text)],
    document: {
      judge: {
        label,
        calls,
        estimated_prompt_tokens: prompt,
        max_completion_tokens: completion,
        cost: cost === null || price === null ? null : { amount: cost, currency: price.currency },
      },
    },
  };
}
