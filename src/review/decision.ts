import { z } from "zod";
import { QUESTION_FORMS } from "../dataset/official-record.js";

/** Reasons for dropping an example by hand: noise (paper, Appendix A), or unfaithful to the task (Appendix B). */
export const REASONS = [
  "unclear_comment",
  "no_change_asked",
  "ignored_comment",
  "wrong_linking",
  "implementation_given",
  "code_formatting",
  "not_self_contained",
] as const;

export type Reason = (typeof REASONS)[number];

/** Reasons for dropping a question by hand, though its example is kept. */
export const QUESTION_REASONS = ["also_right", "absurd", "given_away"] as const;

export type QuestionReason = (typeof QUESTION_REASONS)[number];

export interface ReasonText {
  readonly label: string;
  /** When it applies, after the paper's words. */
  readonly explanation: string;
}

export const REASON_TEXTS: Readonly<Record<Reason, ReasonText>> = {
  unclear_comment: {
    label: "unclear comment",
    explanation: "even a human cannot tell which change is intended",
  },
  no_change_asked: {
    label: "no change asked",
    explanation: "the comment is not actionable",
  },
  ignored_comment: {
    label: "ignored comment",
    explanation: "the revision does not do what the comment asks",
  },
  wrong_linking: {
    label: "wrong linking",
    explanation: "the comment is not about this code",
  },
  implementation_given: {
    label: "implementation given",
    explanation: "the comment holds the revision: copy and paste would do",
  },
  code_formatting: {
    label: "code formatting",
    explanation: "a linter would do it",
  },
  not_self_contained: {
    label: "not self-contained",
    explanation: "it takes information beyond this hunk",
  },
};

export const QUESTION_REASON_TEXTS: Readonly<Record<QuestionReason, ReasonText>> = {
  also_right: {
    label: "also right",
    explanation: "a distractor answers the review as well",
  },
  absurd: {
    label: "absurd",
    explanation: "nobody could mean a distractor",
  },
  given_away: {
    label: "given away",
    explanation: "the right option is seen without understanding",
  },
};

/** Longest note, in characters. */
export const MAX_NOTE_CHARACTERS = 5000;

const exampleId = z.string().min(1).max(200);
const note = z.string().max(MAX_NOTE_CHARACTERS);

/** A choice: keep, or drop for one reason. */
const choice = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("keep"), reason: z.null() }),
  z.object({ decision: z.literal("drop"), reason: z.enum(REASONS) }),
]);

export type Choice = z.infer<typeof choice>;

/** A choice about one question: drop it for one reason, or take that back. */
const questionChoice = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("keep"), reason: z.null() }),
  z.object({ decision: z.literal("drop"), reason: z.enum(QUESTION_REASONS) }),
]);

export type QuestionChoice = z.infer<typeof questionChoice>;

/** Request of the page to decide about one question of an example. */
export const questionRequest = questionChoice.and(
  z.object({ example_id: exampleId, question: z.enum(QUESTION_FORMS) }),
);

/** Request of the page to decide; `note` goes into the same record. */
export const decisionRequest = choice.and(z.object({ example_id: exampleId, note }));

/** Request of the page to note something about an example. */
export const noteRequest = z.object({ example_id: exampleId, note });

/** The first record of a decisions file: which data, whose decisions. */
const header = z.object({
  kind: z.literal("review"),
  schema_version: z.literal(1),
  dataset: z.object({
    /** Relative to the folder of the decisions file. */
    path: z.string().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** Number of examples in the file. */
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
