import { seededIntegers } from "../../../base/random.js";
import type { Withheld } from "../../../question/form.js";
import { NO_TELLING } from "../../../report/judgement-words.js";
import { intervalText, numberText } from "../../../report/number-text.js";
import { bootstrapMeans, type Interval } from "../../../stats/bootstrap.js";
import { mcNemarExact } from "../../../stats/p-values.js";
import type { JudgementState } from "../../../verdict/judgement.js";
import type { QuestionScore } from "./question-score.js";
import { type Measure, measure, point } from "./summary-row.js";

/** The questions of a form, as they are and with something withheld. */
interface AblatedForm {
  readonly whole: readonly QuestionScore[];
  readonly ablated: readonly QuestionScore[];
  /** What the score of the whole form is worth. */
  readonly state: JudgementState;
}

/** How much is owed to what was withheld. */
interface Gain {
  /** Questions that were asked both ways; each is about an example of its own. */
  readonly n: number;
  /** Invariant accuracy with it, minus without it: −1 to 1. */
  readonly value: number;
  /** 95 %, bootstrapped by example; `null` for a single one. */
  readonly interval: Interval | null;
  readonly onlyWith: number;
  readonly onlyWithout: number;
  /** Two-sided, exact (McNemar), of no difference. */
  readonly pValue: number;
  /** Questions that are not right, one way or the other, only because orders failed, were undecided or not asked. */
  readonly lost: number;
}

/** A gain is shown below this p-value: as its 95 % interval would have it. */
const LEVEL = 0.05;
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
  const estimate = { value, low: interval?.low ?? null, high: interval?.high ?? null };
  const counts = `${onlyWith} right only with it, ${onlyWithout} only without; exact McNemar ${pText(pValue)}`;
  const text = gainText(withheld, gain, form.state);
  return [
    measure(`${withheld}_gain`, estimate, n, counts, { gain: text }),
    measure(`${withheld}_gain_p_value`, point(pValue), n, "exact McNemar, two-sided"),
  ];
}

function gainOf({ whole, ablated }: AblatedForm): Gain | null {
  const others = new Map(ablated.map((score) => [score.exampleId, score]));
  const pairs = whole.flatMap((score) => {
    const other = others.get(score.exampleId);
    return other === undefined ? [] : [{ score, other }];
  });
  const n = pairs.length;
  if (n === 0) return null;
  const differences = pairs.map(({ score, other }) => Number(score.invariantCorrect) - Number(other.invariantCorrect));
  const onlyWith = differences.filter((difference) => difference > 0).length;
  const onlyWithout = differences.filter((difference) => difference < 0).length;
  const values = { sums: Float64Array.from(differences), counts: new Float64Array(n).fill(1) };
  const [interval = null] = bootstrapMeans([values], { examples: n, resamples: RESAMPLES, draw: seededIntegers(SEED) });
  return {
    n,
    interval,
    onlyWith,
    onlyWithout,
    value: (onlyWith - onlyWithout) / n,
    pValue: mcNemarExact(onlyWith, onlyWithout),
    lost: pairs.filter(({ score, other }) => score.lost || other.lost).length,
  };
}

const SUBJECTS: Readonly<Record<Withheld, string>> = {
  review: "the review",
  code: "the code",
  both: "seeing review and code",
};

/** The gain in a sentence, such as `the review changes nothing (gain 0.0 pp, p = 1)`. */
function gainText(withheld: Withheld, gain: Gain, state: JudgementState): string {
  const { value, interval, pValue, lost, n } = gain;
  const range = interval === null || value === 0 ? "" : `, 95 % ${intervalText(interval, "change")}`;
  const numbers = `(gain ${numberText(value, "change")}${range}, ${pText(pValue)})`;
  const caution =
    lost === 0 ? "" : `; ${lost} of ${n} questions count as not right only because orders failed or were undecided`;
  if (state === "unreadable") {
    return `${SUBJECTS[withheld]}: ${NO_TELLING} ${numbers}${caution}`;
  }
  return `${SUBJECTS[withheld]} ${effectOf(gain)} ${numbers}${caution}`;
}

function effectOf({ value, onlyWith, onlyWithout, pValue }: Gain): string {
  if (onlyWith + onlyWithout === 0) return "changes nothing";
  if (pValue >= LEVEL) return "is not shown to make a difference";
  return value > 0 ? "helps" : "misleads";
}

function pText(pValue: number): string {
  if (pValue === 1) return "p = 1";
  return pValue < 0.0001 ? "p < 0.0001" : `p = ${pValue.toFixed(4)}`;
}
