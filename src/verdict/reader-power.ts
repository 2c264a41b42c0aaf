import { groupBy } from "../base/grouping.js";
import { type DrawInteger, seededIntegers } from "../base/random.js";
import { type Rival, testRung } from "./rung.js";

/** Questions of a form, before anybody is asked. */
export interface UnaskedForm {
  readonly optionCount: number;
  /** Orders that each question has. */
  readonly orders: number;
  /** Mean accuracy is of one order a question, as where questions stop at their first wrong order. */
  readonly isOneOrder: boolean;
  /** The cluster of each question. */
  readonly clusters: readonly string[];
  /** Every rule that a score is held against. */
  readonly rivals: readonly Rival[];
}

/** Least share of questions that a reader must know, 0–1; `null`: one who knows all is not told so 80 times in 100. */
export interface ReaderNeeds {
  /** To be told `unsteady` or better: mean accuracy above every rule. */
  readonly unsteady: number | null;
  /** To be told `above_floor`: invariant accuracy above every rule. */
  readonly aboveFloor: number | null;
}

const READERS = 50;
const POWER = 0.8;
/** With more clusters than this the sign flip is taken by its normal limit, good to a point of the share. */
const MOST_EXACT = 40;
/** The 99 % point of the normal distribution: that of a rung, one-sided. */
const Z = 2.3263478740408408;
const PERCENT = 100;

/**
 * Knowledge that these questions take: 50 readers are drawn (seeded), who know each question with the same probability,
 * answer those under every order, and guess each order of the others; for each the least share known is found, to a point,
 * at which the tests of the verdict are passed; given is the share at which 80 % of them pass.
 */
export function readerNeeds(form: UnaskedForm): ReaderNeeds {
  const draw = seededIntegers(0);
  const readers = Array.from({ length: READERS }, () => drawReader(form, draw));
  const passes = passTest(form);
  const shareFor = (guessOf: (question: DrawnQuestion) => number): number | null => {
    const least = readers.map((reader) =>
      leastPercent((percent) =>
        passes(reader.map((question) => (percent >= question.isKnownFrom ? 1 : guessOf(question)))),
      ),
    );
    const found = least.sort((a, b) => a - b)[Math.ceil(POWER * READERS) - 1] ?? PERCENT + 1;
    return found > PERCENT ? null : found / PERCENT;
  };
  return { unsteady: shareFor(({ guessed }) => guessed), aboveFloor: shareFor(({ isAllRight }) => Number(isAllRight)) };
}

interface DrawnQuestion {
  /** Percent of questions known from which on this one is among them. */
  readonly isKnownFrom: number;
  /** Mean accuracy by guessing. */
  readonly guessed: number;
  readonly isAllRight: boolean;
}

function drawReader({ clusters, optionCount, orders, isOneOrder }: UnaskedForm, draw: DrawInteger): DrawnQuestion[] {
  return clusters.map(() => {
    const guesses = Array.from({ length: orders }, () => Number(draw(1, optionCount) === 1));
    const right = guesses.reduce((sum, guess) => sum + guess, 0);
    const guessed = isOneOrder ? (guesses[0] ?? 0) : right / orders;
    return { isKnownFrom: draw(1, PERCENT), guessed, isAllRight: right === orders };
  });
}

/** The least percent that passes, by bisection; 101: none does. */
function leastPercent(passes: (percent: number) => boolean): number {
  let [low, high] = [0, PERCENT + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (middle > PERCENT || passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The test of a rung of the ladder, for the values of all questions. */
function passTest({ clusters, rivals }: UnaskedForm): (values: readonly number[]) => boolean {
  const groups = [...groupBy([...clusters.keys()], (item) => clusters[item] ?? "").values()];
  if (groups.length <= MOST_EXACT) return (values) => testRung({ values, clusters }, rivals)?.isReached === true;
  const totals = (values: readonly number[]) =>
    groups.map((items) => items.reduce((sum, item) => sum + (values[item] ?? 0), 0));
  const others = rivals.map(({ shares }) => totals(shares));
  return (values) => {
    const own = totals(values);
    return others.every((other) => {
      let [sum, squares] = [0, 0];
      for (let i = 0; i < own.length; i++) {
        const difference = (own[i] ?? 0) - (other[i] ?? 0);
        sum += difference;
        squares += difference * difference;
      }
      return sum > Z * Math.sqrt(squares);
    });
  };
}
