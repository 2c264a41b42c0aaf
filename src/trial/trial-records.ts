import { z } from "zod";
import { AGENT_ENDS } from "../agent/agent.js";
import type { StoredRun } from "../run/suite.js";
import type { FolderCodec } from "../store/journal/codec.js";
import { jsonRecord } from "../store/journal/json-record.js";

export const TRIAL_STATUSES = ["graded", "invalid_task", "unreachable", "grader_failed"] as const;

const count = z.int().nonnegative();
const score = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const similarity = z.number().min(0).max(1).nullable();

const goldSimilaritySchema = z.object({
  /** Jaccard similarity of the lines that the patch and the right solution add, 0–1. */
  jaccard: similarity,
  /** Likewise of a patch that adds every line of the files again that the right solution changes. */
  copy: similarity,
  /** Likewise of right solutions of other tasks, on average; `null`: there is no other. */
  other: similarity,
});

/** How like a patch is to the right solution of its task, and what that is held against. */
export type GoldSimilarity = z.infer<typeof goldSimilaritySchema>;

const trialSchema = z.object({
  /** Place of agent, condition and task among those of the run. */
  item: count,
  agent: z.string(),
  condition: z.string(),
  task_id: z.string(),
  group: z.string(),
  trial: count,
  status: z.enum(TRIAL_STATUSES),
  valid: z.boolean().nullable(),
  /** What is wrong, in words. */
  detail: z.string().nullable(),
  agent_end: z.enum(AGENT_ENDS).nullable(),
  attempts: count.nullable(),
  calls: count.nullable(),
  reported_success: z.boolean().nullable(),
  non_trivial: z.boolean().nullable(),
  tampered: z.boolean().nullable(),
  patch_applies: z.boolean().nullable(),
  scores: z.record(z.string(), score),
  duration_ms: count.nullable(),
  grading_ms: count.nullable(),
  prompt_tokens: count.nullable(),
  completion_tokens: count.nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  patch_sha256: z.string().nullable(),
  /** Absent: not compared, or there is no right solution that adds anything. */
  gold_similarity: goldSimilaritySchema.optional(),
});

/** One trial, as the journal holds it. */
export type TrialRecord = z.infer<typeof trialSchema>;

/** Whether it has to be made again: it has no scores, and no fault of the agent's is the reason. */
export function isLost({ status }: Pick<TrialRecord, "status">): boolean {
  return status === "unreachable" || status === "grader_failed";
}

export const TRIALS: FolderCodec<TrialRecord> = {
  kind: "trials",
  file: "trials.jsonl",
  journal: "the trials of a run",
  record: "a trial of a run",
  onDamage: "Remove that line to make its trial again.",
  version1: "record",
  ...jsonRecord(trialSchema),
  placeOf: ({ item, trial }) => ({ item, place: trial }),
  isFailed: isLost,
};

export const checkSchema = z.object({
  check: z.string(),
  /** `null`: it could not be run. */
  outcome: z.string().nullable(),
  expected: z.string(),
  detail: z.string().nullable(),
});

export const taskCheckSchema = z.object({
  task_id: z.string(),
  group: z.string(),
  /** `null`: not known, as a check could not be run. */
  valid: z.boolean().nullable(),
  /** Why it is not valid. */
  reason: z.string().nullable(),
  runtime_sha256: z.string(),
  checks: z.array(checkSchema),
});

/** What a task's own checks came to. */
export type TaskCheck = z.infer<typeof taskCheckSchema>;

/** How many small faults in a task's code its hidden tests noticed. */
export const taskStrengthSchema = z.object({
  /** How many were asked for; there may be fewer in its code. */
  asked: count,
  seed: count,
  /** Those that the tests were run on, and of these those that they failed on. */
  mutants: count,
  killed: count,
});

/** How many small faults in a task's code its hidden tests noticed. */
export type TaskStrength = z.infer<typeof taskStrengthSchema>;

const placedCheckSchema = taskCheckSchema.extend({
  item: count,
  /** As the last `suite check --mutants` before the run found it; absent: there was none. */
  strength: taskStrengthSchema.optional(),
});

/** Likewise, with the task's place among those of the run. */
export type PlacedCheck = z.infer<typeof placedCheckSchema>;

export const CHECKS: FolderCodec<PlacedCheck> = {
  kind: "checks",
  file: "checks.jsonl",
  journal: "the checks of a run's tasks",
  record: "the checks of a task",
  onDamage: "Remove that line to check its task again.",
  version1: "record",
  ...jsonRecord(placedCheckSchema),
  placeOf: ({ item }) => ({ item, place: 0 }),
  isFailed: ({ valid }) => valid === null,
};

/** All records of a journal, in the order of the run. */
export async function recordsOf<T>(stored: Pick<StoredRun, "records">, codec: FolderCodec<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const own of stored.records(codec)) records.push(...own);
  return records;
}
