import { z } from "zod";
import { AGENT_ENDS } from "../agent/agent.js";
import type { StoredRun } from "../run/suite.js";
import { COUNT, FLAG, nullable, oneOf, optional, SIZE, schemaType, TEXT } from "../store/field-type.js";
import { type FolderCodec, jsonRecord } from "../store/journal/codec.js";
import { field, type RecordOf, recordTable, structured } from "../store/record-fields.js";

const TRIAL_STATUSES = ["graded", "invalid_task", "unreachable", "grader_failed"] as const;

const count = z.int().nonnegative();
const score = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const similarity = z.number().min(0).max(1).nullable();

const goldSimilaritySchema = z.object({
  /** Jaccard similarity of the lines that the patch and the right solution add, 0–1. */
  jaccard: similarity,
  /** Jaccard similarity of a patch that adds every line of the files again that the right solution changes. */
  copy: similarity,
  /** Mean Jaccard similarity of right solutions of other tasks; `null`: there is no other. */
  other: similarity,
});

/** Similarity of a patch to the right solution of its task, and its baselines. */
export type GoldSimilarity = z.infer<typeof goldSimilaritySchema>;

/** `null`: not defined for the trial. */
const factsSchema = z.record(z.string(), z.number().nullable());

/** Counts of what an agent did in a trial, and of what it changed. */
export type TrialFacts = Readonly<z.infer<typeof factsSchema>>;

/** Fields of a trial: lines of the journal, columns of `trials.csv` and their meanings follow. */
const TRIAL_FIELDS = {
  /** Place of agent, condition and task among those of the run. */
  item: field(COUNT),
  agent: field(TEXT, "Who worked: `loop` is the built-in one."),
  condition: field(TEXT, "The arm of the suite."),
  task_id: field(TEXT, "The task."),
  group: field(TEXT, "Its repository or family."),
  trial: field(COUNT, "Number of the independent trial, from 0."),
  status: field(
    oneOf(TRIAL_STATUSES),
    "graded, invalid_task, unreachable or grader_failed; the last two are made again on resume.",
  ),
  valid: field(nullable(FLAG), "True if the task's own checks hold; empty: not known."),
  /** The fault, in words. */
  detail: field(nullable(TEXT)),
  agent_end: field(nullable(oneOf(AGENT_ENDS)), "End of the agent."),
  attempts: field(nullable(COUNT), "Attempts made."),
  calls: field(nullable(COUNT), "Calls of tools, over all attempts."),
  reported_success: field(nullable(FLAG), "Success as the agent reports it of its last attempt."),
  non_trivial: field(nullable(FLAG), "True if the tree changed as the suite asks for."),
  tampered: field(
    nullable(FLAG),
    "True if the graded code changed the tests, or had expectations hold that were turned.",
  ),
  patch_applies: field(nullable(FLAG), "True if the patch applies to a fresh tree that can be graded."),
  scores: structured(schemaType("scores by name", z.record(z.string(), score))),
  duration_ms: field(nullable(COUNT), "Time of the attempts, ms."),
  grading_ms: field(nullable(COUNT), "Time of the grading, ms."),
  prompt_tokens: field(nullable(COUNT), "Of all attempts; empty: not told."),
  completion_tokens: field(nullable(COUNT), "Tokens generated in all attempts, reasoning included; empty: not told."),
  cost_usd: field(nullable(SIZE), "US dollars of all attempts; empty: not known."),
  patch_sha256: field(nullable(TEXT), "SHA-256 of the patch."),
  agent_model: field(optional(TEXT), "Model that a command agent says it worked with; empty: it does not say."),
  /** Absent: not compared, or there is no right solution that adds anything. */
  gold_similarity: structured(optional(schemaType("similarities with right solutions", goldSimilaritySchema))),
  /** Counts of what was done and changed; absent in runs made before there were any. */
  facts: structured(optional(schemaType("facts by name", factsSchema))),
};

/** One trial, as the journal holds it. */
export type TrialRecord = RecordOf<typeof TRIAL_FIELDS>;

/** Reader, writer and columns of a trial. */
export const TRIAL_TABLE = recordTable(TRIAL_FIELDS);

/** Tests if a trial has to be made again: it has no scores, and no fault of the agent's is the reason. */
export function isLost({ status }: Pick<TrialRecord, "status">): boolean {
  return status === "unreachable" || status === "grader_failed";
}

/** Outcome of a record for the guard that gives up where all fails. */
export function outcomeOf(isFailed: boolean, { detail }: { readonly detail: string | null }) {
  return isFailed
    ? ({ status: "failed", failure: "unavailable", detail: detail ?? "" } as const)
    : ({ status: "completed" } as const);
}

export const TRIALS: FolderCodec<TrialRecord> = {
  kind: "trials",
  file: "trials.jsonl",
  journal: "the trials of a run",
  record: "a trial of a run",
  onDamage: "Remove that line to make its trial again.",
  version1: "record",
  encode: TRIAL_TABLE.encode,
  decode: TRIAL_TABLE.decode,
  placeOf: ({ item, trial }) => ({ item, place: trial }),
  isFailed: isLost,
};

/** Tests of a file, or of a command: how many passed, and which failed. */
const testTallySchema = z.object({
  passed: count,
  failed: z.array(z.object({ name: z.string(), message: z.string() })),
});

/** Tests of a file, or of a command: how many passed, and which failed. */
export type TestTally = z.infer<typeof testTallySchema>;

const checkSchema = z.object({
  check: z.string(),
  /** `null`: it could not be run. */
  outcome: z.string().nullable(),
  expected: z.string(),
  detail: z.string().nullable(),
  /** Tests by their outcomes; absent: they were not counted. */
  tests: testTallySchema.optional(),
});

export const taskCheckSchema = z.object({
  task_id: z.string(),
  group: z.string(),
  /** `null`: not known, as a check could not be run. */
  valid: z.boolean().nullable(),
  /** Reason why it is not valid. */
  reason: z.string().nullable(),
  runtime_sha256: z.string(),
  checks: z.array(checkSchema),
});

/** Results of a task's own checks. */
export type TaskCheck = z.infer<typeof taskCheckSchema>;

/** Counts of small faults in a task's code, and of those that its hidden tests noticed. */
export const taskStrengthSchema = z.object({
  /** Count that was asked for; there may be fewer in its code. */
  asked: count,
  seed: count,
  /** Those that the tests were run on, and of these those that they failed on. */
  mutants: count,
  killed: count,
});

/** Counts of small faults in a task's code, and of those that its hidden tests noticed. */
export type TaskStrength = z.infer<typeof taskStrengthSchema>;

const placedCheckSchema = taskCheckSchema.extend({
  item: count,
  /** Strength by the last `suite check --mutants` before the run; absent: there was none. */
  strength: taskStrengthSchema.optional(),
});

/** Results of a task's own checks, with its place among those of the run. */
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

/** A value of a score: 0–1, `true` or `false`, a count, or a word; `null` where there is none. */
export type ScoreValue = number | boolean | string | null;

/** One column that a suite adds to `trials.csv`. */
export interface ScoreColumn {
  readonly name: string;
  /**
   * - `share`: true or false; the rate is reported
   * - `mean`: a number; the mean is reported
   * - `count`: likewise, whole
   * - `label`: a word; nothing is reported
   */
  readonly kind: "share" | "mean" | "count" | "label";
  readonly description: string;
  /** Conditions whose leaderboards show it beside the headline; absent: none. */
  readonly boards?: readonly string[];
  /** True if a judge has a part in it: it is worth what the judge is worth. */
  readonly isJudged?: true;
}

/** Columns from the lines in which a suite writes them down; lines may have more. */
export function scoreColumns(
  lines: readonly (readonly [
    name: ScoreColumn["name"],
    kind: ScoreColumn["kind"],
    description: ScoreColumn["description"],
    ...unknown[],
  ])[],
): ScoreColumn[] {
  return lines.map(([name, kind, description]) => ({ name, kind, description }));
}
