import { z } from "zod";
import { QUESTION_FORMS } from "../dataset/official-record.js";

/** A reason in words: its label, and when it applies, after the paper's words. */
type ReasonWords = readonly [label: string, explanation: string];

const REASON_WORDS = {
  unclear_comment: ["unclear comment", "even a human cannot tell which change is intended"],
  no_change_asked: ["no change asked", "the comment is not actionable"],
  ignored_comment: ["ignored comment", "the revision does not do what the comment asks"],
  wrong_linking: ["wrong linking", "the comment is not about this code"],
  implementation_given: ["implementation given", "the comment holds the revision: copy and paste would do"],
  code_formatting: ["code formatting", "a linter would do it"],
  not_self_contained: ["not self-contained", "it takes information beyond this hunk"],
} as const satisfies Record<string, ReasonWords>;

const QUESTION_REASON_WORDS = {
  also_right: ["also right", "a distractor answers the review as well"],
  absurd: ["absurd", "nobody could mean a distractor"],
  given_away: ["given away", "the right option is seen without understanding"],
} as const satisfies Record<string, ReasonWords>;

export type Reason = keyof typeof REASON_WORDS;

export type QuestionReason = keyof typeof QUESTION_REASON_WORDS;

/** Reasons for dropping an example by hand: noise (paper, Appendix A), or unfaithful to the task (Appendix B). */
export const REASONS = Object.keys(REASON_WORDS) as readonly Reason[];

/** Reasons for dropping a question by hand, though its example is kept. */
export const QUESTION_REASONS = Object.keys(QUESTION_REASON_WORDS) as readonly QuestionReason[];

/** A reason as the page shows it. */
export interface ShownReason<R extends string> {
  readonly reason: R;
  readonly label: string;
  /** When it applies. */
  readonly explanation: string;
}

/** The reasons of a table as the page shows them, in their order. */
function shown<R extends string>(words: Readonly<Record<R, ReasonWords>>): ShownReason<R>[] {
  const entries = Object.entries(words) as [R, ReasonWords][];
  return entries.map(([reason, [label, explanation]]) => ({ reason, label, explanation }));
}

export const SHOWN_REASONS = shown(REASON_WORDS);
export const SHOWN_QUESTION_REASONS = shown(QUESTION_REASON_WORDS);

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
