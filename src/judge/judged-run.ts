import { z } from "zod";
import { count } from "../run/run-record.js";
import type { SuiteRequest } from "../run/suite.js";
import { PlaceNumbers, type PlacePlan } from "../store/journal/slots.js";
import { itemsOf, trialRunSchema, trialsOf } from "../trial/trial-run.js";
import type { JudgedValues } from "./judge-options.js";
import { judgeSchema } from "./open-judge.js";

/** `run.json` of a suite of agents that a judge may read. */
export const judgedRunSchema = trialRunSchema.extend({
  /** `null`: nobody judges. */
  judge: judgeSchema.extend({ votes: count }).nullable(),
  /** Of each task, in their order: what is asked about each of its trials. */
  criteria: z.array(count),
});

/** `run.json` of a suite of agents that a judge may read. */
export type JudgedRun = z.infer<typeof judgedRunSchema>;

export type JudgedRequest = SuiteRequest<JudgedValues, JudgedRun>;

/** What says how many verdicts a run has, but for the votes. */
export type JudgedArms = Pick<JudgedRun, "agents" | "conditions" | "tasks" | "trials_per_task" | "criteria" | "shard">;

/** The places of all verdicts: of each agent under each condition on each task its trials, criteria and votes. */
export function verdictPlan(run: JudgedArms, votes: number): PlacePlan {
  const trials = trialsOf(run);
  return { items: itemsOf(run), places: (item) => trials(item) * questionsOf(run, item, votes) };
}

/** What a judge is asked about one trial of an item. */
export function questionsOf(
  { criteria, tasks }: Pick<JudgedRun, "criteria" | "tasks">,
  item: number,
  votes: number,
): number {
  return (criteria[item % tasks.length] ?? 0) * votes;
}

/** All questions to the judge of a run. */
export function plannedVerdicts(run: JudgedRun): number {
  if (run.judge === null) return 0;
  return new PlaceNumbers(verdictPlan(run, run.judge.votes)).total;
}
