import { z } from "zod";
import { SYMBOLS, USUAL_OPTIONS } from "../../../base/symbol.js";
import { DIFFICULTIES } from "../../../dataset/example.js";
import { WITHHELD } from "../../../question/form.js";
import { type OrderDesign, orderCount, permutationCount } from "../../../question/permutations.js";
import { readRun, runFileOf, runFingerprint } from "../../../run/folder/run-folder.js";
import { count, FIRST_SUITE, type RunRecord, runRecordSchema, shardSchema } from "../../../run/run-record.js";
import { taskOfProbe } from "../../../verdict/task-probe.js";

const datasetSchema = z.object({
  source: z.string(),
  sha256: z.string(),
  /** Over the ids of the selected examples, in order. */
  selection_sha256: z.string(),
  examples: count,
  selected: count,
  invalid: count,
  /** True if examples are hunks of a suite's tasks (`task#hunk`): those of a task are one case. */
  hunks_of_tasks: z.literal(true).optional(),
});

/** One a probe form, in the order of the tables; of ACR, `questions` are the examples it is asked about. */
const formsSchema = z.array(
  z.object({
    task: z.string(),
    difficulty: z.enum(DIFFICULTIES).nullable(),
    /** Parts withheld; absent: none. */
    ablation: z.enum(WITHHELD).optional(),
    questions: count,
    skipped: count,
    /** Options of its questions; none where the model writes, and in runs that were recorded when all had four at most. */
    options: z.int().min(2).max(SYMBOLS.length).optional(),
    /** Orders of each question, where these are not all N!. */
    orders: z.int().positive().optional(),
  }),
);

/** Fields of the whole run in the record of a share. */
const wholeSchema = z.object({
  dataset: datasetSchema,
  forms: formsSchema,
  questions: count,
  planned_answers: count,
  generations: count,
});

const countsSchema = z.object({
  chosen: count,
  undecided: count,
  failed: count,
  /** Counts by failure kind. */
  failures: z.record(z.string(), count),
});

const generationCountsSchema = z.object({
  complete: count,
  truncated: count,
  empty: count,
  failed: count,
  /** Counts by failure kind. */
  failures: z.record(z.string(), count),
});

/** Counts of a run without generations; runs recorded before there were any have no such field. */
export const NO_GENERATIONS = { complete: 0, truncated: 0, empty: 0, failed: 0, failures: {} };

/** Fields of `run.json` of code review questions besides those of every run. */
export const runFileSchema = runRecordSchema.extend({
  suite: z.literal(FIRST_SUITE).default(FIRST_SUITE),
  shard: shardSchema.safeExtend({ whole: wholeSchema }).optional(),
  dataset: datasetSchema,
  /** The probes of one's own that were asked; absent in a run without any. */
  probes: z
    .array(
      z.object({
        task: z.string(),
        /** The file it is in, as it was named. */
        source: z.string(),
        /** SHA-256 of the module's bundled source. */
        sha256: z.string(),
        title: z.string(),
        options: z.int().min(2).max(SYMBOLS.length),
        difficulties: z.array(z.enum(DIFFICULTIES)),
        /** Answer class of its examples, by change type. */
        answer_classes: z.record(z.string(), z.string().nullable()),
      }),
    )
    .optional(),
  forms: formsSchema,
  /** Multiple-choice questions; the generations of ACR are counted apart. */
  questions: count,
  /** Orders over all questions. */
  planned_answers: count,
  counts: countsSchema,
  /** Planned. */
  generations: count.default(0),
  generation_counts: generationCountsSchema.default(NO_GENERATIONS),
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

/** `run.json` of code review questions. */
const RUN_FILE = runFileOf({ schema: runFileSchema });

/** Writes `run.json`, whole or not at all. */
export const writeRunFile = RUN_FILE.write;

/**
 * Reads `run.json`.
 * @throws ProbeError `bad_input` when the folder holds no run this version can read
 */
export const readRunFile = (folder: string): Promise<RunFile> =>
  readRun({ name: FIRST_SUITE, schema: runFileSchema }, folder);

/** Reads `run.json` of a folder; `null` when there is none. */
export const findRunFile = RUN_FILE.find;

/** The most options that a question of the run has. */
export function mostOptions({ forms }: Pick<RunFile, "forms">): number {
  return Math.max(2, ...forms.map(({ options }) => options ?? USUAL_OPTIONS));
}

/** Orders of each question, and the times that each is asked. */
export interface RunDesign {
  readonly orders: OrderDesign;
  readonly repeats: number;
}

/** Every order, once: as in the paper, and in runs that were recorded before there was another. */
export const EVERY_ORDER: RunDesign = { orders: "all", repeats: 1 };

/** Design of a recorded run. */
export function designOf({ parameters }: Pick<RunRecord, "parameters">): RunDesign {
  const { orders = EVERY_ORDER.orders, repeats = EVERY_ORDER.repeats } = parameters;
  return { orders: orders === "all" || orders === "cyclic" ? orders : Number(orders), repeats: Number(repeats) };
}

/** Tests if the forms of a run are asked until their verdicts are decided, and maybe not all of them. */
export function isRaced({ parameters }: Pick<RunRecord, "parameters">): boolean {
  return parameters["until"] === "decided";
}

/** Thoughts that a run asked for; `null`: not given. */
export function thinkOf({ parameters }: Pick<RunRecord, "parameters">): unknown {
  return parameters["think"] ?? null;
}

/** Answers that a question with so many options gets. */
export function answersAsked({ orders, repeats }: RunDesign, optionCount: number): number {
  return orderCount(orders, optionCount) * repeats;
}

/** Places for the answers of a question: one for each of the most orders that there are, each time. */
export function mostPlaces(run: Pick<RunFile, "forms" | "parameters">): number {
  return permutationCount(mostOptions(run)) * designOf(run).repeats;
}

/** Data and probes of one's own that a run asks: with model, parameters and prompts its identity. */
export function dataOf({ dataset: { source: _, hunks_of_tasks: __, ...dataset }, probes = [] }: RunFile) {
  // Nothing is added where there are none: a run has the fingerprint it had before there were any.
  return { ...dataset, ...Object.fromEntries(probes.map(({ task, sha256 }) => [`probe ${task}`, sha256])) };
}

/** Gives what an example is one case of: the task that it is a hunk of, where the examples of a run are such; else itself. */
export type CaseOf = (exampleId: string) => string;

/** See `CaseOf`; `null`: each example of the run is a case of its own. */
export function casesOf({ dataset }: Pick<RunFile, "dataset">): CaseOf | null {
  return dataset.hunks_of_tasks === true ? (exampleId) => taskOfProbe(exampleId) ?? exampleId : null;
}

/** SHA-256 of what makes a run what it is. */
export function runFingerprintOf(run: RunFile): string {
  return runFingerprint({ data: dataOf }, run);
}
