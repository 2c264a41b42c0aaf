import type { CompletionReply } from "../../../model/requests.js";
import { COUNT, MILLISECONDS, nullable, oneOf, TEXT } from "../../../store/field-type.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import { field, named, type RecordOf, recordTable, variants } from "../../../store/record-fields.js";
import { PRE_REVIEW } from "./line-edit.js";
import { EXAMPLE_FIELDS } from "./question-fields.js";

/** Fields of a generation, in the order of its line. */
const GENERATION_FIELDS = {
  /** Position among the run's open questions, from 0. */
  generationIndex: field(COUNT),
  task: field(TEXT),
  ...EXAMPLE_FIELDS,
  outcome: variants(
    {
      generated: {
        /** Text as it came, up to the stop. */
        text: named(
          "generation",
          field(
            TEXT,
            "The text as it came, up to the stop; guarded against spreadsheet formulas: generations.jsonl has it as it is.",
          ),
        ),
        /** Why it ended: at a stop text, at the most tokens allowed, or because the model ended it. */
        end: field(oneOf(["stop", "length", "end_of_text"])),
        tokens: named(
          "completion_tokens",
          field(nullable(COUNT), {
            column: "Tokens generated; empty where the engine does not tell.",
            behind: "failure",
          }),
        ),
      },
      failed: {
        failure: field(TEXT, {
          column: "Why it failed: context_overflow, refused, bad_response or unavailable.",
          behind: "status",
        }),
        detail: field(TEXT),
      },
    },
    { others: "left out" },
  ),
  promptTokens: field(nullable(COUNT)),
  /** From request to reply; `null` for a failed one. */
  durationMs: field(nullable(MILLISECONDS)),
  promptSha256: field(TEXT),
  /** Text that the generation is compared with, so that the journal alone is enough to score. */
  reference: field(TEXT),
  /** Text that was to be revised; `null` in a run that did not record it yet. */
  preReview: PRE_REVIEW,
};

/** Text that a model wrote in answer to an open question, or why it wrote none. */
export type Generation = RecordOf<typeof GENERATION_FIELDS>;

export type GenerationOutcome = Generation["outcome"];

/** Open question that a generation answers. */
export type GenerationPlace = Omit<Generation, "outcome" | "promptTokens" | "durationMs" | "promptSha256">;

/** Fields of a generation: line of the journal and columns of `generations.csv`. */
export const GENERATION_TABLE = recordTable(GENERATION_FIELDS, "generation");

/** The journal of generations: an open question has one. */
export const GENERATION_JOURNAL: FolderCodec<Generation> = {
  file: "generations.jsonl",
  kind: "generations",
  journal: "the generations of a run",
  record: "a generation of a run",
  onDamage: "Remove that line to ask its question again.",
  version1: "record",
  encode: GENERATION_TABLE.encode,
  decode: GENERATION_TABLE.decode,
  placeOf: ({ generationIndex }) => ({ item: generationIndex, place: 0 }),
  isFailed: ({ outcome }) => outcome.status === "failed",
};

/** Record of one completion. */
export function assembleGeneration(place: GenerationPlace, reply: CompletionReply, promptSha256: string): Generation {
  if (reply.status === "failed") {
    const { status, failure, detail } = reply;
    return { ...place, outcome: { status, failure, detail }, promptTokens: null, durationMs: null, promptSha256 };
  }
  const { text, end, tokens, promptTokens, durationMs } = reply;
  return { ...place, outcome: { status: "generated", text, end, tokens }, promptTokens, durationMs, promptSha256 };
}

/**
 * The state a generation is in.
 * - `complete`: it ended by itself
 * - `truncated`: it was cut off at the most tokens allowed
 * - `empty`: there is nothing but whitespace in it, cut off or not
 * - `failed`: there is none
 */
const GENERATION_STATUSES = ["complete", "truncated", "empty", "failed"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

export function generationStatus(outcome: GenerationOutcome): GenerationStatus {
  if (outcome.status === "failed") return "failed";
  if (outcome.text.trim() === "") return "empty";
  return outcome.end === "length" ? "truncated" : "complete";
}
