/**
 * Worth of a form's score (spec §7).
 * - `unreadable`: the model does not bind letters to options, so its answers say nothing
 * - `barely`: it does, but by less than a tenth of the way from guessing to full agreement
 * - `at_floor`: a rule without comprehension is right as often, or nearly
 * - `above_floor`: more often right than the best fixed rule on the same items, p < 0.01
 * - `unknown`: not measured, or too few items for any result to be significant
 */
export const JUDGEMENT_STATES = ["unreadable", "barely", "at_floor", "above_floor", "unknown"] as const;
export type JudgementState = (typeof JUDGEMENT_STATES)[number];

/** A word before a score wherever it is shown: something that the score rests on is in doubt. */
export interface ScoreMark {
  /** Such as `judge?`. */
  readonly text: string;
  readonly tone: "warning" | "bad";
}

/** A sentence on the worth of a score. Outputs colour or stress its opening. */
export interface JudgementSentence {
  /** Such as `above its floor`. */
  readonly opening: string;
  /** The numbers, from the first sign after the opening on; may be empty. */
  readonly rest: string;
}

interface JudgedScore {
  /** Share passed, 0–1; `null` where nothing was judged. */
  readonly score: number | null;
  /** Highest score that is reached without comprehension; `null` where none is known. */
  readonly floor: number | null;
  /** Name of the rule that reaches it, such as `medoid`. */
  readonly floorRule: string | null;
  readonly sentence: JudgementSentence;
  /** Absent: none is called for. */
  readonly mark?: ScoreMark;
}

/** Outcome of the test against the floor. */
interface TestedScore extends JudgedScore {
  readonly state: "at_floor" | "above_floor";
  /** One-sided, of a score this far above the best fixed rule; `null` in suites that run no test. */
  readonly pValue: number | null;
}

/** No test was made: the answers cannot be read, or there is nothing to test. */
interface UntestedScore extends JudgedScore {
  readonly state: "unreadable" | "barely" | "unknown";
  readonly pValue: null;
}

/** Worth of a form's score: a state, its numbers, and a sentence on both. */
export type Judgement = TestedScore | UntestedScore;

/** The sentence of a judgement as plain text. */
export function judgementText({ sentence: { opening, rest } }: Pick<Judgement, "sentence">): string {
  return opening + rest;
}
