import type { ConversationRequest } from "../model/conversation.js";
import type { OwnValues } from "../trial/adapter.js";
import type { BenchTask } from "../trial/bench-task.js";
import type { ScoreValue, TrialRecord } from "../trial/trial-records.js";
import type { TrialRun } from "../trial/trial-run.js";
import type { KindOf } from "./rating-kinds.js";
import type { Opinion } from "./rating-records.js";

/** A statement about what was handed in, that a judge finds true or not. */
export interface Criterion {
  /** Unique among the criteria of its task. */
  readonly id: string;
  readonly title: string;
  /** `negative`: a fault, which is passed where it is not there. */
  readonly polarity: "positive" | "negative";
  /** Such as `must have`. */
  readonly importance: string;
  /** `points`: it is given a mark, of several votes the mean; absent: it is passed or not. */
  readonly scale?: "points";
}

/** Prompt of a judge. */
export interface JudgePrompt {
  readonly system: string;
  readonly user: string;
  /** `json`: the reply has to be one JSON object. */
  readonly responseFormat: "json" | null;
}

/** Submission, as far as a judge is to see it. */
export interface Submitted {
  /** Difference from the task's tree. */
  readonly patch: string;
  /** `report.json` of the trial, written by the suite. */
  readonly report: unknown;
}

/** Run that trials are submitted by. */
interface SubmissionPlace {
  readonly folder: string;
  readonly run: Pick<TrialRun, "agents">;
}

/** Reading of a judge's reply. */
export interface Reading {
  /** Verdict in the judge's words, such as `YES`; `null`: it cannot be read. */
  readonly verdict: string | null;
  /** 0–1, 1: passed; `null`: it cannot be read, which is no 0. */
  readonly score: number | null;
  /** Score by the released way to read, where that is another. */
  readonly scorePublished: number | null;
  /** Present where the released way to read ends with an error, and with it all that it would say of the trial. */
  readonly breaksPublished?: true;
  readonly justification: string | null;
}

/** Judging of one suite of agents: criteria, prompts, readings. */
export interface Judging<Task extends BenchTask = BenchTask> {
  /** Criteria of every trial of a task, in the order of asking. */
  criteria(task: Task): readonly Criterion[];
  /** Question to a judge about a task before any submission, told again with each; absent, or `null`: none. */
  first?(task: Task, values: OwnValues): JudgePrompt | null;
  /**
   * Question to a judge, the same for the same submission; `null`: there is nothing to ask. Criteria of a trial with
   * the same prompt are one question, whose reply is read for each.
   * @param said its reply to the first question; `null`: none
   */
  prompt(task: Task, criterion: Criterion, submitted: Submitted, said: string | null): JudgePrompt | null;
  /** Submission of a trial, where that is more than its patch and report; `null`: none. Absent: those. */
  submitted?(record: TrialRecord, place: SubmissionPlace): Promise<Submitted | null>;
  /** Tests for submissions without anything to judge; of these only controls are judged. */
  isEmpty(task: Task, submitted: Submitted): boolean;
  /** A right solution as it would be handed in, for estimates of what a judge reads; empty where there is none. */
  sample(task: Task): Promise<Submitted>;
  read(task: Task, criterion: Criterion, reply: string): Reading;
  /** Kind of a criterion, by which pass rates are told; absent: there are none. */
  readonly kindOf?: KindOf;
  /** All scores of a trial, by those that it got without a judge. `null`: nobody judged. From the journals alone. */
  scores(record: TrialRecord, opinions: readonly Opinion[] | null): Readonly<Record<string, ScoreValue>>;
}

/** Tokens that a judge may write. */
export const MOST_RATING_TOKENS = 2048;

/**
 * A question to a judge. Recorded replies are found by the hash of it, in this order of its members.
 */
export function ratingRequest(
  { system, user, responseFormat }: JudgePrompt,
  { temperature, seed, key }: Required<Pick<ConversationRequest, "temperature" | "seed" | "key">>,
): ConversationRequest {
  return {
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    tools: [],
    toolChoice: "none",
    maxTokens: MOST_RATING_TOKENS,
    temperature,
    seed,
    responseFormat,
    key,
  };
}
