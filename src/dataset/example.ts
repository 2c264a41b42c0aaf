import type { Language } from "../base/language.js";
import { taskOfProbe } from "../verdict/task-probe.js";

/** Types of change that a review can ask for (paper §3.1): only new lines, only deleted lines, or both. */
export const CHANGE_TYPES = ["add", "delete", "modify"] as const;

/** Type of change that a review asks for. */
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** All there are, in the order of the tables. */
export const DIFFICULTIES = ["easy", "hard"] as const;

/** Likeness of the options to each other. */
export type Difficulty = (typeof DIFFICULTIES)[number];

/** The right option and the three distractors of each difficulty. */
export interface Distractors<T> {
  readonly easy: readonly T[];
  readonly hard: readonly T[];
}

/**
 * Line numbers of the pre-review code, 1-based. For a change of type `add`: the line after which code is added,
 * 0 = before the first.
 */
export type Location = readonly number[];

/** One code review: pre-review code, review, post-review code, and what the probes need to ask about it. */
export interface Example {
  readonly id: string;
  readonly language: Language;
  /** Lines without their marker column. */
  readonly preReviewLines: readonly string[];
  /** Lines without their marker column. */
  readonly postReviewLines: readonly string[];
  readonly review: string;
  readonly changeType: ChangeType;
  /** The two other types. */
  readonly changeTypeDistractors: readonly ChangeType[];
  readonly location: Location;
  /** Absent where the hunk has too few lines for three distractors. */
  readonly locationDistractors?: Distractors<Location>;
  /** Diff of the right revision, changed lines only; absent for a change of type `delete`, or without distractors. */
  readonly solution?: string;
  readonly solutionDistractors?: Distractors<string>;
  /** Questions that a check by hand dropped, by the name of their form, such as `SI hard`. */
  readonly notAsked?: readonly string[];
  /** Tells whether it is a hunk of a task of a suite of agents (`task#hunk`). */
  readonly isHunkOfTask?: true;
}

/** Name of what stands or falls together with an example: the task that it is a hunk of, else itself. */
export function clusterOf({ id, isHunkOfTask }: Pick<Example, "id" | "isHunkOfTask">): string {
  return isHunkOfTask === true ? (taskOfProbe(id) ?? id) : id;
}
