/** Why an example is dropped by hand: what makes it noisy (paper, Appendix A) or unfaithful to the task (Appendix B). */
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

/** Why a question is dropped by hand, though its example is kept. */
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
