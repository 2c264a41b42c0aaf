import { z } from "zod";
import { recordFile } from "../../../store/record-file.js";
import { DIFFICULTIES } from "../example/example.js";

/** Raised whenever a field changes its meaning. */
export const SCHEMA_VERSION = 1;

const count = z.int().nonnegative();
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const countsSchema = z.object({
  chosen: count,
  undecided: count,
  failed: count,
  /** By failure kind. */
  failures: z.record(z.string(), count),
});

const generationCountsSchema = z.object({
  complete: count,
  truncated: count,
  empty: count,
  failed: count,
  /** By failure kind. */
  failures: z.record(z.string(), count),
});

/** Of a run without generations; runs recorded before there were any have no such field. */
export const NO_GENERATIONS = { complete: 0, truncated: 0, empty: 0, failed: 0, failures: {} };

/** `run.json`. */
const runFileSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  program: z.object({ name: z.string(), version: z.string(), commit: z.string().nullable(), node: z.string() }),
  run_id: z.string(),
  status: z.enum(["running", "interrupted", "complete"]),
  model: z.object({
    label: z.string(),
    identity: z.record(z.string(), scalar),
    /** How its servers were reached; never a key. */
    connection: z.object({
      base_urls: z.array(z.string()),
      api_key_env: z.string().nullable(),
      api_key_file: z.string().nullable(),
      concurrency: count.nullable(),
      allow_generated: z.boolean(),
      force: z.boolean(),
    }),
    /** What the capability check found; `null` for models in this process. */
    check: z.record(z.string(), z.unknown()).nullable(),
  }),
  dataset: z.object({
    source: z.string(),
    sha256: z.string(),
    /** Over the ids of the selected examples, in order. */
    selection_sha256: z.string(),
    examples: count,
    selected: count,
    invalid: count,
  }),
  /** What was asked and how; with model, dataset and prompts it makes the run what it is. */
  parameters: z.record(z.string(), z.union([scalar, z.array(z.string())])),
  prompts: z.array(z.object({ id: z.string(), sha256: z.string() })),
  /** One a probe form, in the order of the tables; of ACR, `questions` are the examples it is asked about. */
  forms: z.array(
    z.object({ task: z.string(), difficulty: z.enum(DIFFICULTIES).nullable(), questions: count, skipped: count }),
  ),
  /** Multiple-choice questions; the generations of ACR are counted apart. */
  questions: count,
  /** Orders over all questions. */
  planned_answers: count,
  counts: countsSchema,
  /** Planned. */
  generations: count.default(0),
  generation_counts: generationCountsSchema.default(NO_GENERATIONS),
  tokens: z.object({
    /** Sum over the prompts of answers and generations; `null` where the engine does not tell. */
    prompt: count.nullable(),
    cached: count.nullable(),
    /** Sum over the generations; `null` without any, or where the engine does not tell. */
    completion: count.nullable().default(null),
    /** Evaluated by the engine in the last session, by its own meter. */
    evaluated: count.nullable(),
  }),
  /** What the model costs per million tokens; `null` when that is not known. */
  price: z.object({ currency: z.string(), input: z.number(), output: z.number(), as_of: z.string() }).nullable(),
  /** What answers and generations cost, in the price's currency, without discounts for cached tokens; `null` when not known. */
  cost: z.number().nonnegative().nullable(),
  times: z.object({
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    /** Spent asking, over all sessions that ended in order. */
    asking_ms: z.number().nonnegative(),
    sessions: count,
  }),
});

/** `run.json`: everything that makes a run what it is, and where it stands. */
export type RunFile = z.infer<typeof runFileSchema>;

/** Answers and generations that failed. */
export function failedCount({
  counts,
  generation_counts: generations,
}: Pick<RunFile, "counts" | "generation_counts">): number {
  return counts.failed + generations.failed;
}

const RUN_FILE = recordFile<RunFile>({
  file: "run.json",
  schema: runFileSchema,
  schemaVersion: SCHEMA_VERSION,
  what: "a run",
  command: "probe run",
});

/** Writes `run.json`, whole or not at all. */
export const writeRunFile = RUN_FILE.write;

/**
 * Reads `run.json`.
 * @throws ProbeError `bad_input` when the folder holds no run this version can read
 */
export const readRunFile = RUN_FILE.read;

/** Likewise, but `null` when there is none. */
export const findRunFile = RUN_FILE.find;
