import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";
import type { Selection } from "../../../dataset/dataset-file.js";
import { DIFFICULTIES, type Difficulty } from "../../../dataset/example.js";
import type { ConnectionOptions } from "../../../model/model.js";
import type { ResolvedModel } from "../../../model/resolved-model.js";
import { count, modelSchema, programSchema, promptsSchema, timesSchema } from "../../../run/run-record.js";
import { recordFile } from "../../../store/record-file.js";
import { AUDIT_FORMS, START_MODES, type StartMode } from "./sequence-score.js";

/** Raised whenever a field changes its meaning. */
export const AUDIT_SCHEMA_VERSION = 1;

const formSchema = z.object({
  form: z.enum(AUDIT_FORMS),
  task: z.string(),
  difficulty: z.enum(DIFFICULTIES).nullable(),
});

/** Texts of one form of one benchmark; the ids say which they are. */
const formCountsSchema = z.object({
  ...formSchema.shape,
  scored: count,
  /** Ids by failure kind, such as `context_overflow`. */
  failed: z.record(z.string(), z.array(z.string())),
  /** Scored, but with too few tokens for the n-grams. */
  too_short: z.array(z.string()),
  /** ACR_RENAMED only: the code has no identifier to rename. */
  not_renamed: z.array(z.string()),
});

const memorisedSchema = z.object({
  benchmark: z.string(),
  example_id: z.string(),
  language: z.enum(LANGUAGES),
  ...formSchema.shape,
  perplexity: z.number(),
  /** Median over all texts of this form in its benchmark. */
  median_perplexity: z.number(),
  ngram_hits: count.nullable(),
  ngram_starts: count,
  /** `all_ngrams`: all n-grams hit. `low_perplexity`: far below the others of its benchmark and form. */
  reasons: z.array(z.enum(["all_ngrams", "low_perplexity"])).min(1),
  hits: z.array(z.object({ start: count, text: z.string() })),
});

const auditFileSchema = z.object({
  schema_version: z.literal(AUDIT_SCHEMA_VERSION),
  program: programSchema,
  audit_id: z.string(),
  status: z.enum(["running", "interrupted", "complete"]),
  model: modelSchema,
  /** The first is the one that is audited. */
  benchmarks: z.array(
    z.object({
      name: z.string(),
      source: z.string(),
      sha256: z.string(),
      /** Over the ids of the selected examples, in order. */
      selection_sha256: z.string(),
      holds: z.enum(["questions", "reviews"]),
      examples: count,
      selected: count,
      invalid: count,
      left_out: count,
      sequences: count,
      /** Its rows of contamination.csv, and those of its renamed code. */
      tables: z.array(z.string()),
    }),
  ),
  parameters: z.object({
    tasks: z.array(z.string()),
    difficulties: z.array(z.string()),
    languages: z.array(z.string()),
    sample: count.nullable(),
    limit: count.nullable(),
    seed: count,
    starts: z.enum(START_MODES),
    ngram_n: count,
    ngram_starts: count,
    renamed: z.boolean(),
    skip_invalid: z.boolean(),
    model_args: z.array(z.string()),
  }),
  prompts: promptsSchema,
  sequences: count,
  /** `null` until everything is scored. */
  results: z
    .object({
      counts: z.array(z.object({ benchmark: z.string(), forms: z.array(formCountsSchema) })),
      memorised: z.array(memorisedSchema),
      /** Resamples of each bootstrap interval. */
      resamples: count,
    })
    .nullable(),
  times: timesSchema.extend({
    /** Spent scoring, over all sessions that ended in order. */
    scoring_ms: z.number().nonnegative(),
  }),
});

/** `audit.json`: everything that makes an audit what it is, where it stands, and what stands out. */
export type AuditFile = z.infer<typeof auditFileSchema>;
export type FormCounts = z.infer<typeof formCountsSchema>;
export type MemorisedText = z.infer<typeof memorisedSchema>;

/** `audit.json` in a folder. */
export const AUDIT_FILE = recordFile<AuditFile>({
  file: "audit.json",
  schema: auditFileSchema,
  schemaVersion: AUDIT_SCHEMA_VERSION,
  what: "an audit",
  command: "probe audit",
});

/** Writes `audit.json`, whole or not at all. */
export const writeAuditFile = AUDIT_FILE.write;

/**
 * Reads `audit.json`.
 * @throws ProbeError `bad_input` when the folder holds no audit this version can read
 */
export const readAuditFile = AUDIT_FILE.read;

/** Reads `audit.json`; `null` when there is none. */
export const findAuditFile = AUDIT_FILE.find;

/** Request of `probe audit`, checked and complete. */
export interface AuditRequest {
  readonly model: ResolvedModel;
  readonly connection: ConnectionOptions;
  /** Path of the data, `starter` or `hf:owner/name`. */
  readonly dataset: string;
  /** Datasets that it is held against. */
  readonly against: readonly string[];
  /** CTR, CL, SI, ACR; none: all. ACR is what the others are compared with. */
  readonly tasks: readonly string[];
  /** None: both. */
  readonly difficulties: readonly Difficulty[];
  /** Applied to each dataset; its seed is the seed of all that is drawn. */
  readonly selection: Selection;
  readonly starts: StartMode;
  /** `true`: renamed code is scored too, as a reference. */
  readonly renamed: boolean;
  readonly skipInvalid: boolean;
}
