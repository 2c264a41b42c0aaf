import type { OwnValues } from "../trial/adapter.js";
import type { BenchTask } from "../trial/bench-task.js";
import type { ScoreValue } from "../trial/score/score-column.js";
import type { TrialRecord } from "../trial/trial-records.js";
import type { Opinion } from "./rating-records.js";

/** A statement about what was handed in, that a judge finds true or not. */
export interface Criterion {
  /** Of no other criterion of its task. */
  readonly id: string;
  readonly title: string;
  /** `negative`: a fault, which is passed where it is not there. */
  readonly polarity: "positive" | "negative";
  /** Such as `must have`. */
  readonly importance: string;
  /** `points`: it is given a mark, of several votes the mean; absent: it is passed or not. */
  readonly scale?: "points";
}

/** What a judge is told, and asked for. */
export interface JudgePrompt {
  readonly system: string;
  readonly user: string;
  /** `json`: the reply has to be one JSON object. */
  readonly responseFormat: "json" | null;
}

/** What was handed in, as far as a judge is to see it. */
export interface Submitted {
  /** What differs from the task's tree. */
  readonly patch: string;
  /** What the suite kept of the trial as its `report.json`. */
  readonly report: unknown;
}

/** What a reply of a judge says. */
export interface Reading {
  /** In the judge's words, such as `YES`; `null`: it cannot be read. */
  readonly verdict: string | null;
  /** 0–1, 1: passed; `null`: it cannot be read, which is no 0. */
  readonly score: number | null;
  /** Likewise by the released way to read, where that is another. */
  readonly scorePublished: number | null;
  readonly justification: string | null;
}

/** How a suite of agents is judged: what it does not share with the others. */
export interface Judging<Task extends BenchTask = BenchTask> {
  /** What is asked about every trial of a task, in this order. */
  criteria(task: Task): readonly Criterion[];
  /** What a judge is asked of a task before anything that was handed in, and told again with it; absent, or `null`: nothing. */
  first?(task: Task, values: OwnValues): JudgePrompt | null;
  /**
   * What a judge is asked, the same for the same submission; `null`: there is nothing to ask. Criteria of a trial with the
   * same prompt are one question, whose reply is read for each.
   * @param said what it replied to the first question; `null`: nothing
   */
  prompt(task: Task, criterion: Criterion, submitted: Submitted, said: string | null): JudgePrompt | null;
  /** Whether there is anything to judge; without it only controls are. */
  isEmpty(task: Task, submitted: Submitted): boolean;
  /** A right solution as it would be handed in, for estimates of what a judge reads; empty where there is none. */
  sample(task: Task): Promise<Submitted>;
  read(task: Task, criterion: Criterion, reply: string): Reading;
  /** All scores of a trial, by those that it got without a judge. `null`: nobody judged. From the journals alone. */
  scores(record: TrialRecord, opinions: readonly Opinion[] | null): Readonly<Record<string, ScoreValue>>;
}

/** Tokens that a judge may write. */
export const MOST_RATING_TOKENS = 2048;
