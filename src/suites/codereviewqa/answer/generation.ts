import { z } from "zod";
import type { CompletionReply } from "../../../model/requests.js";
import { COUNT, MILLISECONDS, nullable, oneOf, optional, SIZE, schemaType, TEXT } from "../../../store/field-type.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import {
  type Field,
  field,
  named,
  type RecordOf,
  recordTable,
  structured,
  variants,
} from "../../../store/record-fields.js";
import { EXAMPLE_FIELDS } from "./answer.js";

const EDIT = structured(
  optional(
    schemaType(
      "an edit of lines",
      z.object({ from: z.int().nonnegative(), to: z.int().nonnegative(), lines: z.array(z.string()) }),
    ),
  ),
);

/**
 * Field of the pre-review code. The line has its difference from the reference alone: hunks differ in a few lines, so that
 * is about a third of the code. Runs recorded before there was a copy floor have no such field.
 */
const PRE_REVIEW: Field<string | null> = {
  read: (line, name, { reference }: { readonly reference: string }) => {
    const edit = EDIT.read(line, name, line);
    return edit === undefined ? null : applyLineEdit(reference, edit);
  },
  write: (line, name, code, { reference }: { readonly reference: string }) => {
    if (code !== null) line[name] = lineEdit(reference, code);
  },
  columns: () => [],
};

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
        /** End of the text: a stop text, the most tokens allowed, or the model's own. */
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
          column: "Why it failed: context_overflow, refused, bad_response, thought_too_long or unavailable.",
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
  /** The most that it may have cost, where the price is known and the tokens of one of its requests are not told. */
  costBound: field(optional(SIZE)),
};

/** Text that a model wrote in answer to an open question, or why it wrote none. */
export type Generation = RecordOf<typeof GENERATION_FIELDS>;

export type GenerationOutcome = Generation["outcome"];

/** Open question that a generation answers. */
export type GenerationPlace = Omit<
  Generation,
  "outcome" | "promptTokens" | "durationMs" | "promptSha256" | "costBound"
>;

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

/** Difference of two texts by lines: one run of lines stands for another. */
interface LineEdit {
  /** Lines of the first text that are replaced: from this one (counted from 0) … */
  readonly from: number;
  /** … up to, but without, this one. */
  readonly to: number;
  /** Lines of the second text in their place. */
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
