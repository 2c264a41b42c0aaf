import { z } from "zod";
import { modelName } from "../model/vendor/model-name.js";
import type { RunVerdicts } from "../verdict/verdict.js";

/** Raised whenever a field changes its meaning. */
export const SCHEMA_VERSION = 1;

/** The suite of runs that were recorded before there were several. */
export const FIRST_SUITE = "codereviewqa";

/** Name of a run's record in messages on trust. */
export const RUN_HOLDER = "the run's run.json";

export const count = z.int().nonnegative();
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The program that made a record. */
export const programSchema = z.object({
  name: z.string(),
  version: z.string(),
  commit: z.string().nullable(),
  node: z.string(),
});

/** Connection to the servers of a model; never a key. */
const connectionSchema = z.object({
  base_urls: z.array(z.string()),
  api_key_env: z.string().nullable(),
  api_key_file: z.string().nullable(),
  concurrency: count.nullable(),
});

/** A model that did recorded work. */
export const modelSchema = z.object({
  label: z.string(),
  identity: z.record(z.string(), scalar),
  /** The most threads that computed in the first session; `null` for a model that is not in this process. */
  threads: count.nullable().default(null),
  /** Card that computed in the first session, and its share of the layers; `null` where none did, as far as known. */
  device: z.string().nullable().default(null),
  connection: connectionSchema,
  /** Result of the capability check; `null` for models in this process. */
  check: z.record(z.string(), z.unknown()).nullable(),
});

export const promptsSchema = z.array(z.object({ id: z.string(), sha256: z.string() }));

/** When recorded work was done. */
export const timesSchema = z.object({
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  sessions: count,
});

/** Number of a share, from 1, and the count of shares. */
export const shardSchema = z
  .object({
    index: z.int().positive(),
    count: z.int().positive(),
    /** Fields of the whole run, where those of the share are about less. */
    whole: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(({ index, count: of }) => index <= of, { error: "expected an index up to the count" });

/** Fields of `run.json` that every run has; each suite adds its own. */
export const runRecordSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  program: programSchema,
  run_id: z.string(),
  suite: z.string().default(FIRST_SUITE),
  status: z.enum(["running", "interrupted", "complete"]),
  model: modelSchema.extend({
    connection: connectionSchema.extend({ allow_generated: z.boolean(), force: z.boolean() }),
  }),
  /** Parameters of the run; with model, data and prompts they are its identity. */
  parameters: z.record(z.string(), z.union([scalar, z.array(z.string())])),
  /** The share of the run that this is (`--shard`); absent: the whole run. */
  shard: shardSchema.optional(),
  /** The runs whose records it holds, in the order of their shards; absent: its own (`probe merge`). */
  merged: z.array(z.string()).optional(),
  prompts: promptsSchema,
  tokens: z.object({
    /** Sum over the prompts; `null` where the engine does not tell. */
    prompt: count.nullable(),
    cached: count.nullable(),
    /** Sum over what was generated; `null` without any, or where the engine does not tell. */
    completion: count.nullable().default(null),
    /** Evaluated by the engine in the last session, by its own meter. */
    evaluated: count.nullable(),
  }),
  /** Price of the model per million tokens; `null` when that is not known. */
  price: z.object({ currency: z.string(), input: z.number(), output: z.number(), as_of: z.string() }).nullable(),
  /** Cost in the price's currency, without discounts for cached tokens; `null` when not known. */
  cost: z.number().nonnegative().nullable(),
  times: timesSchema.extend({
    /** Spent asking, over all sessions that ended in order. */
    asking_ms: z.number().nonnegative(),
  }),
});

/** The share of a run that is split, and what the whole run says where the share's own record says less. */
export type RecordedShard = NonNullable<RunRecord["shard"]>;

/** `run.json` as far as every suite has it. */
export type RunRecord = z.infer<typeof runRecordSchema>;

/** The run's part of what comparison, CI reports and leaderboards read. */
type VerdictHead = Pick<RunVerdicts, "runId" | "folder" | "suite" | "model" | "createdAt" | "durationMs">;

/** @param folder where the run is */
export function verdictHead(run: RunRecord, folder: string): VerdictHead {
  return {
    runId: run.run_id,
    folder,
    suite: run.suite,
    model: modelName(run.model),
    createdAt: run.times.created_at,
    durationMs: run.times.asking_ms,
  };
}
