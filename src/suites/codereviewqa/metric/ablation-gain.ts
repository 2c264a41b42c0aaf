import { mean, sum } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import { seededIntegers } from "../../../base/random.js";
import type { Withheld } from "../../../question/form.js";
import { NO_TELLING, percent, pText } from "../../../report/judgement-words.js";
import { intervalText, numberText } from "../../../report/number-text.js";
import { agreeingInterval, clusterIntervals } from "../../../stats/bootstrap.js";
import { clusterTotals, DIFFERENCE, type Interval } from "../../../stats/interval.js";
import type { JudgementState } from "../../../verdict/judgement.js";
import { type PairedTest, pairedTest } from "../../../verdict/leaderboard.js";
import type { CaseOf } from "../record/run-file.js";
import type { QuestionScore } from "./question-score.js";
import { type Measure, measure, point } from "./summary-row.js";

/** The questions of a form, as they are and with something withheld. */
export interface AblatedForm {
  readonly whole: readonly QuestionScore[];
  readonly ablated: readonly QuestionScore[];
  /** Judgement of the score of the whole form. */
  readonly state: JudgementState;
  readonly caseOf?: CaseOf | null;
  /** Questions were asked until the verdict was decided: the test of the gain is one that holds whenever one looks. */
  readonly isSequential?: boolean;
}

/** Gain from the part that was withheld. */
interface Gain {
  /** Questions that were asked both ways; each is about an example of its own. */
  readonly n: number;
  /** Invariant accuracy with it, minus without it: −1 to 1. */
  readonly value: number;
  /** 95 %, by example, or by task where these are hunks of tasks; holds 0 just where p > 0.05. `null` for a single one, and until decided. */
  readonly interval: Interval | null;
  readonly onlyWith: number;
  readonly onlyWithout: number;
  /** Mean accuracy with it and without, where no question is right under all orders either way; `null`: one is. */
  readonly unsteady: { readonly with: number | null; readonly without: number | null } | null;
  /** Two-sided, of no difference. */
  readonly pValue: number;
  readonly test: PairedTest["test"];
  /** Questions that are not right, one way or the other, only because orders failed, were undecided or not asked. */
  readonly lost: number;
  /** The effect would be shown too, had all lost questions been right that speak for it. */
  readonly isFirm: boolean;
}

/** A gain is shown up to this p-value: as its 95 % interval would have it; until decided, as every claim of a form is. */
const LEVELS: Readonly<Record<PairedTest["test"], number>> = {
  mcnemar_exact: 0.05,
  sign_flip_by_example: 0.05,
  anytime_bets: 0.01,
};
const RESAMPLES = 10_000;
/** The same draws for every run, so that the same answers give the same interval. */
const SEED = 0;

/**
 * The gain of a form from what was withheld (spec §7, *Ablation gains*), and its p-value: invariant accuracy with all
 * minus without it, on the questions asked both ways. No rows without such questions.
 */
export function gainMeasures(withheld: Withheld, form: AblatedForm): Measure[] {
  const gain = gainOf(form);
  if (gain === null) return [];
  const { n, value, interval, onlyWith, onlyWithout, pValue } = gain;
  const test = TESTS[gain.test];
  const estimate = { value, low: interval?.low ?? null, high: interval?.high ?? null };
  const counts = `${onlyWith} right only with it, ${onlyWithout} only without; ${test} ${gainPText(pValue)}${lostText(gain)}`;
  const text = gainText(withheld, gain, form.state);
  return [
    measure(`${withheld}_gain`, estimate, n, counts, { gain: text }),
    measure(`${withheld}_gain_p_value`, point(pValue), n, `${test}, two-sided`),
  ];
}

const TESTS: Readonly<Record<PairedTest["test"], string>> = {
  mcnemar_exact: "exact McNemar",
  sign_flip_by_example: "sign flip by task",
  anytime_bets: "anytime-valid bets",
};

function gainOf({ whole, ablated, caseOf = null, isSequential = false }: AblatedForm): Gain | null {
  const others = new Map(ablated.map((score) => [score.exampleId, score]));
  const pairs = whole.flatMap((score) => {
    const other = others.get(score.exampleId);
    return other === undefined ? [] : [{ score, other }];
  });
  const n = pairs.length;
  if (n === 0) return null;
  const difference = ({ score, other }: (typeof pairs)[number]) =>
    Number(score.invariantCorrect) - Number(other.invariantCorrect);
  const differences = pairs.map(difference);
  const clusterOf = ({ score: { exampleId } }: (typeof pairs)[number]) => caseOf?.(exampleId) ?? exampleId;
  const cases = [...groupBy(pairs, clusterOf).values()];
  const onlyWith = differences.filter((difference) => difference > 0).length;
  const onlyWithout = differences.filter((difference) => difference < 0).length;
  const totals = clusterTotals(cases.map((own) => own.map(difference)));
  const value = (onlyWith - onlyWithout) / n;
  const counts = {
    n,
    value,
    onlyWith,
    onlyWithout,
    unsteady: pairs.some(({ score, other }) => score.invariantCorrect || other.invariantCorrect)
      ? null
      : { with: meanOf(pairs.map(({ score }) => score)), without: meanOf(pairs.map(({ other }) => other)) },
    lost: pairs.filter(({ score, other }) => score.lost || other.lost).length,
  };
  const testOf = (of: (pair: (typeof pairs)[number]) => number) =>
    pairedTest(
      pairs.map((pair) => ({ cluster: clusterOf(pair), difference: of(pair) })),
      isSequential,
    );
  const { test, pValue } = testOf(difference);
  const least = (pair: (typeof pairs)[number]) => leastDifference(pair, Math.sign(value));
  const isFirm = sum(pairs.map(least)) * value > 0 && isShown(testOf(least));
  if (isSequential) return { ...counts, interval: null, pValue, test, isFirm };
  const options = { examples: cases.length, resamples: RESAMPLES, draw: seededIntegers(SEED) };
  const [interval = null] = clusterIntervals([{ ...totals, bounds: DIFFERENCE }], options);
  return { ...counts, interval: agreeingInterval(interval, value, pValue), pValue, test, isFirm };
}

/** Mean accuracy of the questions that have one; `null`: none has. */
function meanOf(scores: readonly QuestionScore[]): number | null {
  const known = scores.flatMap(({ meanAccuracy }) => meanAccuracy ?? []);
  return known.length === 0 ? null : mean(known);
}

/** Difference of a question on which the side that is behind is right, where it only lost it. */
function leastDifference({ score, other }: { score: QuestionScore; other: QuestionScore }, sign: number): number {
  const right = ({ invariantCorrect, lost }: QuestionScore, isBehind: boolean) =>
    Number(invariantCorrect || (lost && isBehind));
  return right(score, sign < 0) - right(other, sign > 0);
}

const SUBJECTS: Readonly<Record<Withheld, string>> = {
  review: "the review",
  code: "the code",
  both: "seeing review and code",
};

/** The gain in a sentence, such as `the review helps (gain +100.0 pp, 95 % +35.1 to +100.0, p = 0.0078)`. */
function gainText(withheld: Withheld, gain: Gain, state: JudgementState): string {
  const { value, interval, pValue, lost, n } = gain;
  const range = interval === null ? "" : `, 95 % ${intervalText(interval, "change")}`;
  const numbers = `(gain ${numberText(value, "change")}${range}, ${gainPText(pValue)})`;
  const caution = lostText(gain);
  if (state === "unreadable") {
    return `${SUBJECTS[withheld]}: ${NO_TELLING} ${numbers}${caution}`;
  }
  if (lost === n || (isShown(gain) && !gain.isFirm)) return `${SUBJECTS[withheld]}: no telling ${numbers}${caution}`;
  if (gain.unsteady !== null) return `${SUBJECTS[withheld]}: ${unsteadyText(gain.unsteady)} ${numbers}${caution}`;
  return `${SUBJECTS[withheld]} ${effectOf(gain)} ${numbers}${caution}`;
}

/** Accuracy under all orders is 0 either way, whatever was withheld. */
function unsteadyText({ with: whole, without }: NonNullable<Gain["unsteady"]>): string {
  const means =
    whole === null || without === null ? "" : `; mean accuracy ${percent(whole)} with it, ${percent(without)} without`;
  return `no telling, as no question is right under all orders either way${means}`;
}

function lostText({ lost, n }: Gain): string {
  return lost === 0
    ? ""
    : `; ${lost} of ${n} questions count as not right only because orders failed or were undecided`;
}

function isShown({ pValue, test }: Pick<Gain, "pValue" | "test">): boolean {
  return pValue <= LEVELS[test];
}

function effectOf(gain: Gain): string {
  const { value, onlyWith, onlyWithout } = gain;
  if (onlyWith + onlyWithout === 0) return "decides none of these questions";
  if (!isShown(gain)) return "is not shown to make a difference";
  return value > 0 ? "helps" : "misleads";
}

function gainPText(pValue: number): string {
  return pValue === 1 ? "p = 1" : pText(pValue);
}
