import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";
import { CHANGE_TYPES } from "../../../dataset/example.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import type { Generation } from "./generation.js";

const count = z.int().nonnegative();

const placeFields = {
  kind: z.literal("generation"),
  generation_index: count,
  task: z.string(),
  example_id: z.string(),
  language: z.enum(LANGUAGES),
  change_type: z.enum(CHANGE_TYPES),
};

const meterFields = {
  prompt_tokens: count.nullable(),
  duration_ms: z.number().nonnegative().nullable(),
  prompt_sha256: z.string(),
  /** What the generation is compared with, so that the journal alone is enough to score. */
  reference: z.string(),
  /**
   * The pre-review code, as what it has in place of some lines of the reference: the hunks differ in a few lines, so
   * that is about a third of the code. Runs recorded before there was a copy floor have no such field.
   */
  pre_review: z.object({ from: count, to: count, lines: z.array(z.string()) }).optional(),
};

/** One line of the journal. Names are those of the columns of `generations.csv` where both have them. */
const generationRecord = z.discriminatedUnion("status", [
  z.object({
    ...placeFields,
    status: z.literal("generated"),
    generation: z.string(),
    end: z.enum(["stop", "length", "end_of_text"]),
    completion_tokens: count.nullable(),
    ...meterFields,
  }),
  z.object({ ...placeFields, status: z.literal("failed"), failure: z.string(), detail: z.string(), ...meterFields }),
]);

type GenerationRecord = z.infer<typeof generationRecord>;

/** The generation as one line of JSON, without the line end. */
export function encodeGeneration(generation: Generation): string {
  const record: GenerationRecord = {
    kind: "generation",
    generation_index: generation.generationIndex,
    task: generation.task,
    example_id: generation.exampleId,
    language: generation.language,
    change_type: generation.changeType,
    ...outcomeFields(generation.outcome),
    prompt_tokens: generation.promptTokens,
    duration_ms: generation.durationMs === null ? null : Math.round(generation.durationMs * 1000) / 1000,
    prompt_sha256: generation.promptSha256,
    reference: generation.reference,
    ...(generation.preReview === null ? {} : { pre_review: lineEdit(generation.reference, generation.preReview) }),
  };
  return JSON.stringify(record);
}

function outcomeFields(outcome: Generation["outcome"]) {
  if (outcome.status === "failed") return outcome;
  const { status, text, end, tokens } = outcome;
  return { status, generation: text, end, completion_tokens: tokens };
}

/**
 * The generation of a journal line.
 * @throws Error saying what is wrong with the line
 */
export function decodeGeneration(line: string): Generation {
  const parsed = generationRecord.safeParse(JSON.parse(line));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const record = parsed.data;
  return {
    generationIndex: record.generation_index,
    task: record.task,
    exampleId: record.example_id,
    language: record.language,
    changeType: record.change_type,
    outcome: outcomeOf(record),
    promptTokens: record.prompt_tokens,
    durationMs: record.duration_ms,
    promptSha256: record.prompt_sha256,
    reference: record.reference,
    preReview: record.pre_review === undefined ? null : applyLineEdit(record.reference, record.pre_review),
  };
}

function outcomeOf(record: GenerationRecord): Generation["outcome"] {
  if (record.status === "failed") {
    return { status: "failed", failure: record.failure, detail: record.detail };
  }
  return { status: "generated", text: record.generation, end: record.end, tokens: record.completion_tokens };
}

/** The journal of generations: an open question has one. */
export const GENERATION_JOURNAL: FolderCodec<Generation> = {
  file: "generations.jsonl",
  kind: "generations",
  journal: "the generations of a run",
  record: "a generation of a run",
  onDamage: "Remove that line to ask its question again.",
  version1: "record",
  encode: encodeGeneration,
  decode: decodeGeneration,
  placeOf: ({ generationIndex }) => ({ item: generationIndex, place: 0 }),
  isFailed: ({ outcome }) => outcome.status === "failed",
};

/** How one text differs from another by lines: one run of lines stands for another. */
interface LineEdit {
  /** Lines of the first text that are replaced: from this one (counted from 0) … */
  readonly from: number;
  /** … up to, but without, this one. */
  readonly to: number;
  /** What the second text has in their place. */
  readonly lines: readonly string[];
}

/** The shortest edit of one run of lines that makes `before` into `after`: what both begin and end with is left out. */
export function lineEdit(before: string, after: string): { from: number; to: number; lines: string[] } {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, fresh.length);
  let from = 0;
  while (from < shorter && old[from] === fresh[from]) from++;
  let same = 0;
  while (same < shorter - from && old[old.length - 1 - same] === fresh[fresh.length - 1 - same]) same++;
  return { from, to: old.length - same, lines: fresh.slice(from, fresh.length - same) };
}

/**
 * The text that an edit makes of another: the inverse of `lineEdit`.
 * @throws Error where the text does not have the lines
 */
export function applyLineEdit(before: string, { from, to, lines }: LineEdit): string {
  const old = before.split("\n");
  if (from > to || to > old.length) {
    throw new Error(`expected an edit within ${old.length} lines, found one from ${from} to ${to}`);
  }
  return [...old.slice(0, from), ...lines, ...old.slice(to)].join("\n");
}
