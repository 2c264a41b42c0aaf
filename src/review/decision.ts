import { z } from "zod";
import { QUESTION_FORMS } from "../dataset/official-record.js";
import { QUESTION_REASONS, REASONS } from "./reasons.js";

/** Longest note, in characters. */
export const MAX_NOTE_CHARACTERS = 5000;

const exampleId = z.string().min(1).max(200);
const note = z.string().max(MAX_NOTE_CHARACTERS);

/** What was chosen: keep, or drop for one reason. */
const choice = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("keep"), reason: z.null() }),
  z.object({ decision: z.literal("drop"), reason: z.enum(REASONS) }),
]);

export type Choice = z.infer<typeof choice>;

/** What was chosen of one question: drop it for one reason, or take that back. */
const questionChoice = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("keep"), reason: z.null() }),
  z.object({ decision: z.literal("drop"), reason: z.enum(QUESTION_REASONS) }),
]);

export type QuestionChoice = z.infer<typeof questionChoice>;

/** What the page sends to decide about one question of an example. */
export const questionRequest = questionChoice.and(
  z.object({ example_id: exampleId, question: z.enum(QUESTION_FORMS) }),
);

/** What the page sends to decide; `note` goes into the same record. */
export const decisionRequest = choice.and(z.object({ example_id: exampleId, note }));

/** What the page sends to note something about an example. */
export const noteRequest = z.object({ example_id: exampleId, note });

/** The first record of a decisions file: which data, whose decisions. */
export const header = z.object({
  kind: z.literal("review"),
  schema_version: z.literal(1),
  dataset: z.object({
    /** Relative to the folder of the decisions file. */
    path: z.string().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** How many examples the file holds. */
    examples: z.int().positive(),
  }),
  annotator: z.string().min(1),
  started_at: z.iso.datetime(),
});

export type ReviewHeader = z.infer<typeof header>;

const written = z.object({ example_id: exampleId, note, annotator: z.string().min(1) });

/** A decision; of several about one example the last one counts. */
const decisionRecord = written.extend({ kind: z.literal("decision"), decided_at: z.iso.datetime() }).and(choice);

export type Decision = z.infer<typeof decisionRecord>;

/** A note about an example that is not decided yet. */
const noteRecord = written.extend({ kind: z.literal("note"), noted_at: z.iso.datetime() });

export type Note = z.infer<typeof noteRecord>;

/** A decision about one question; of several about one question the last one counts. Without any, it is kept. */
const questionRecord = z
  .object({
    kind: z.literal("question"),
    example_id: exampleId,
    question: z.enum(QUESTION_FORMS),
    annotator: z.string().min(1),
    decided_at: z.iso.datetime(),
  })
  .and(questionChoice);

export type QuestionDecision = z.infer<typeof questionRecord>;

/** A record of a decisions file. */
export const record = z.union([header, decisionRecord, noteRecord, questionRecord]);

export type ReviewRecord = z.infer<typeof record>;

/** `keep`, or the reason of a drop: one of eight categories. */
export function categoryOf({ decision, reason }: Choice): string {
  return decision === "keep" ? "keep" : reason;
}
