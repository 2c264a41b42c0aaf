/**
 * Worth of a form's score (spec §7), a ladder from the highest rung to the lowest, and the state that tells nothing. Each
 * rung is a test at p < 0.01 against every rule of its kind, on the same items.
 * - `above_floor`: right under every order more often than any rule
 * - `unsteady`: mean accuracy above every rule, but not right under every order more often: it understands, not steadily
 * - `matches_words`: mean accuracy above every rule that does not read the review, not above every one that matches words
 * - `at_floor`: mean accuracy not shown to be above every rule that does not read the review
 * - `unreadable`: likewise, and letters follow places instead of options
 * - `unknown`: not measured, or too few clusters for any result to be significant
 */
export const JUDGEMENT_STATES = [
  "above_floor",
  "unsteady",
  "matches_words",
  "at_floor",
  "unreadable",
  "unknown",
] as const;
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

/** Worth of a form's score: a state, its numbers, and a sentence on both. */
export interface Judgement {
  readonly state: JudgementState;
  /** Share passed, 0–1, such as invariant accuracy; `null` where nothing was judged. */
  readonly score: number | null;
  /** Mean accuracy over orders, 0–1: what all rungs but the highest are judged by; `null` where there are no orders. */
  readonly meanAccuracy: number | null;
  /** Highest score of a rule that does not read the review; `null` where none is known. */
  readonly floor: number | null;
  /** Name of the rule that reaches it, such as `medoid`. */
  readonly floorRule: string | null;
  /** Highest score of a rule that matches words of the review; `null` where none is known. */
  readonly wordsFloor: number | null;
  readonly wordsFloorRule: string | null;
  /**
   * Largest one-sided p-value among the tests of the rung that was reached; of the lowest rung where none was. `null`
   * where no test was made.
   */
  readonly pValue: number | null;
  /** The rule of that test: the hardest to be above. */
  readonly against: string | null;
  /** Clusters that were tested, such as examples; `null` where no test was made. */
  readonly clusters: number | null;
  readonly sentence: JudgementSentence;
  /** At the floor, and whether letters follow options or places was not measured. */
  readonly isBindingUnknown?: true;
  /** Unsteady, and orders that failed, were undecided or not asked are among those that count as wrong. */
  readonly hasLostOrders?: true;
  /** Absent: none is called for. */
  readonly mark?: ScoreMark;
}

/** The numbers of a judgement where nothing was measured. */
export const NO_NUMBERS = {
  score: null,
  meanAccuracy: null,
  floor: null,
  floorRule: null,
  wordsFloor: null,
  wordsFloorRule: null,
  pValue: null,
  against: null,
  clusters: null,
} as const satisfies Omit<Judgement, "state" | "sentence">;

/** The sentence of a judgement as plain text. */
export function judgementText({ sentence: { opening, rest } }: Pick<Judgement, "sentence">): string {
  return opening + rest;
}

const READABLE: Readonly<Record<JudgementState, boolean | null>> = {
  above_floor: true,
  unsteady: true,
  matches_words: true,
  at_floor: true,
  unreadable: false,
  unknown: null,
};

/** @returns `null` where it is not known whether the answers can be read */
export function isReadable({ state, isBindingUnknown }: Pick<Judgement, "state" | "isBindingUnknown">): boolean | null {
  return isBindingUnknown === true ? null : READABLE[state];
}
