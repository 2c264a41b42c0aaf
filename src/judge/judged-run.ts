import { z } from "zod";
import { groupBy } from "../base/grouping.js";
import { count } from "../run/run-record.js";
import { PlaceNumbers, type PlacePlan } from "../store/journal/slots.js";
import type { TrialRecord } from "../trial/trial-records.js";
import { itemsOf, type TrialRequest, trialRunSchema, trialsOf } from "../trial/trial-run.js";
import type { JudgedValues } from "./judge-options.js";
import { judgeSchema } from "./open-judge.js";
import type { RatingRecord } from "./rating-records.js";

/** `run.json` of a suite of agents that a judge may rate. */
export const judgedRunSchema = trialRunSchema.extend({
  /** `null`: nobody judges. */
  judge: judgeSchema.extend({ votes: count }).nullable(),
  /** Criteria of each task, in the order of the tasks. */
  criteria: z.array(count),
});

/** `run.json` of a suite of agents that a judge may rate. */
export type JudgedRun = z.infer<typeof judgedRunSchema>;

export type JudgedRequest = TrialRequest<JudgedValues, JudgedRun>;

/** Facts that say how many ratings a run has, but for the votes. */
export type JudgedArms = Pick<JudgedRun, "agents" | "conditions" | "tasks" | "trials_per_task" | "criteria" | "shard">;

/** The places of all ratings: of each agent under each condition on each task its trials, criteria and votes. */
export function ratingPlan(run: JudgedArms, votes: number): PlacePlan {
  const trials = trialsOf(run);
  return { items: itemsOf(run), places: (item) => trials(item) * questionsOf(run, item, votes) };
}

/** Ratings of one trial of an item. */
export function questionsOf(
  { criteria, tasks }: Pick<JudgedRun, "criteria" | "tasks">,
  item: number,
  votes: number,
): number {
  return (criteria[item % tasks.length] ?? 0) * votes;
}

/** Ratings of a whole run. */
export function plannedRatings(run: JudgedRun): number {
  if (run.judge === null) return 0;
  return new PlaceNumbers(ratingPlan(run, run.judge.votes)).total;
}

/** The ratings of each trial. */
export function ratingsByTrial(
  ratings: readonly RatingRecord[],
): (trial: Pick<TrialRecord, "item" | "trial">) => readonly RatingRecord[] {
  const keyOf = ({ item, trial }: Pick<TrialRecord, "item" | "trial">) => `${item} ${trial}`;
  const byTrial = groupBy(ratings, keyOf);
  return (trial) => byTrial.get(keyOf(trial)) ?? [];
}
