/**
 * Worth of a form's score (spec §7), from the best state to the worst, and the one that tells nothing.
 * - `above_floor`: more often right than the best fixed rule on the same items, p < 0.01
 * - `at_floor`: a rule without comprehension is right as often, or nearly
 * - `barely`: letters are bound to options, but by less than a tenth of the way from guessing to full agreement
 * - `unreadable`: the model does not bind letters to options, so its answers say nothing
 * - `unknown`: not measured, or too few items for any result to be significant
 */
export const JUDGEMENT_STATES = ["above_floor", "at_floor", "barely", "unreadable", "unknown"] as const;
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

/** A score, its floor, and the sentence on both. */
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

const READABLE: Readonly<Record<JudgementState, boolean | null>> = {
  above_floor: true,
  at_floor: true,
  barely: true,
  unreadable: false,
  unknown: null,
};

/** @returns `null` where it is not known whether the answers can be read */
export function isReadable({ state }: Pick<Judgement, "state">): boolean | null {
  return READABLE[state];
}

/** A value beside the judgement of its score; none where that is not judged. */
export interface JudgedValue {
  readonly value: number | null;
  readonly judgement: Judgement | undefined;
}

/**
 * Highest of the values above their floor: no other can be best.
 * @returns `null` without any, and for fewer than two values
 */
export function bestOf(values: readonly JudgedValue[]): number | null {
  const above = values.filter(canBeBest).flatMap(({ value }) => value ?? []);
  return values.length < 2 || above.length === 0 ? null : Math.max(...above);
}

/** @param best see {@link bestOf} */
export function isBest(found: JudgedValue, best: number | null): boolean {
  return best !== null && found.value === best && canBeBest(found);
}

function canBeBest({ judgement }: JudgedValue): boolean {
  return judgement?.state === "above_floor";
}
