import { mean, min, sum } from "simple-statistics";
import { countBy, groupBy, KeptOnce } from "../../../base/grouping.js";
import type { Language } from "../../../base/language.js";
import type { ChoiceSymbol, OptionIndex } from "../../../base/symbol.js";
import { ownText } from "../../../base/text.js";
import type { ChangeType, Difficulty } from "../../../dataset/example.js";
import { ablationField, type Withheld } from "../../../question/form.js";
import {
  designedOrders,
  drawnFirstOrder,
  optionCountOfOrder,
  orderCount,
  permutationCount,
} from "../../../question/permutations.js";
import type { Answer } from "../answer/answer.js";
import { designOf, type RunFile } from "../record/run-file.js";
import type { TraceScore } from "./trace-score.js";

/**
 * Score of one question from its answers under its orders: all N!, or those of the run's design. Where each was asked
 * several times, the first time counts, as in a run that asks once. Absent is `null`, never a number.
 */
export interface QuestionScore {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** Parts withheld; absent: none. */
  readonly ablation?: Withheld | undefined;
  readonly exampleId: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  /** Orders that it is asked under: N!, or fewer (`--orders`). */
  readonly permutations: number;
  /** Orders with a reply: chosen or undecided. */
  readonly answered: number;
  readonly undecided: number;
  readonly failed: number;
  readonly correctPermutations: number;
  /** Right under all its orders; a failed, undecided or unasked one makes it false (paper §5.1). */
  readonly invariantCorrect: boolean;
  /** Not invariant-correct, though no order was answered wrongly: lost to failed, undecided or unasked orders. */
  readonly lost: boolean;
  /** The option chosen in most orders; `null` when several are, or none. */
  readonly pluralityOption: OptionIndex | null;
  /**
   * k / permutations, k = orders in which the plurality option (not letter) was chosen (paper §5.2; Robinson & Wingate 2023).
   * 1/N to 1 where all orders chose. A tied plurality still has a k: the count the tied options share. `null` unless
   * every order was answered.
   */
  readonly pluralityAgreement: number | null;
  /** Correct orders / permutations; `null` unless every order was answered. */
  readonly meanAccuracy: number | null;
  /** Smallest margin of the chosen answers, nats; `null` without log probabilities. */
  readonly minMargin: number | null;
  /** Mean over the answers whose mass is known; `null` when none is. */
  readonly meanSymbolMass: number | null;
  /** Count of answers by symbol. */
  readonly symbolCounts: ReadonlyMap<ChoiceSymbol, number>;
  /** Mean tokens of the thoughts before its answers; absent where none are told. */
  readonly thinkingTokens?: number;
  /** The answer along the thoughts; absent where it was not traced. */
  readonly trace?: TraceScore;
  /** All times that it was asked together; absent where each order is asked once. */
  readonly repeated?: RepeatedAnswers;
}

/** Answers to one question whose orders were asked several times. */
export interface RepeatedAnswers {
  readonly answered: number;
  readonly failed: number;
  /** Pairs of choices under one order, and under two. */
  readonly sameOrder: ChoicePairs;
  readonly otherOrder: ChoicePairs;
}

/** Pairs of chosen options, and how many of them differ. */
export interface ChoicePairs {
  readonly pairs: number;
  readonly different: number;
}

/** Share of pairs of choices that differ; `null` where there is none. */
export function disagreement({ pairs, different }: ChoicePairs): number | null {
  return pairs === 0 ? null : different / pairs;
}

/** Disagreement between orders beyond that within one; `null` where either is not known. */
export function orderEffect({ otherOrder, sameOrder }: RepeatedAnswers): number | null {
  const [between, within] = [disagreement(otherOrder), disagreement(sameOrder)];
  return between === null || within === null ? null : between - within;
}

/** Recorded answers to a question, all times together. */
export function recordsOf({ answered, failed, repeated }: QuestionScore): Pick<RepeatedAnswers, "answered" | "failed"> {
  return repeated ?? { answered, failed };
}

/**
 * Scores one question.
 * @param answers at most one an order
 * @param permutations orders that it is asked under
 * @param first any answer to it
 */
export function scoreQuestion(
  answers: readonly Answer[],
  permutations: number,
  first: Answer | undefined = answers[0],
): QuestionScore {
  if (first === undefined) throw new RangeError("Expected at least one answer.");
  const { options, symbols, masses, margins, thoughts, undecided, correct } = outcomesOf(answers);
  const answered = options.length + undecided;
  const complete = answered === permutations;
  const plurality = findPlurality(options);
  const symbolCounts = countBy(symbols);
  return {
    task: first.task,
    difficulty: first.difficulty,
    ...ablationField(first.ablation),
    exampleId: ownText(first.exampleId),
    language: first.language,
    changeType: first.changeType,
    permutations,
    answered,
    undecided,
    failed: answers.length - answered,
    correctPermutations: correct,
    invariantCorrect: correct === permutations,
    lost: correct < permutations && correct === options.length,
    pluralityOption: plurality.option,
    pluralityAgreement: complete ? plurality.count / permutations : null,
    meanAccuracy: complete ? correct / permutations : null,
    minMargin: margins.length > 0 ? min(margins) : null,
    meanSymbolMass: masses.length > 0 ? mean(masses) : null,
    symbolCounts: SYMBOL_COUNTS.of([...symbolCounts].join(" "), symbolCounts),
    ...(thoughts.length > 0 && { thinkingTokens: mean(thoughts) }),
  };
}

/** Outcomes of the answers, in one pass: a run may have a million. */
function outcomesOf(answers: readonly Answer[]) {
  const [options, symbols]: [OptionIndex[], ChoiceSymbol[]] = [[], []];
  const [masses, margins, thoughts]: [number[], number[], number[]] = [[], [], []];
  let [undecided, correct] = [0, 0];
  for (const { outcome, symbolMass, thinkingTokens } of answers) {
    if (thinkingTokens != null) thoughts.push(thinkingTokens);
    if (symbolMass !== null) masses.push(symbolMass);
    if (outcome.status === "undecided") undecided++;
    if (outcome.status !== "chosen") continue;
    options.push(outcome.chosenOption);
    symbols.push(outcome.chosenSymbol);
    if (outcome.correct) correct++;
    if (outcome.margin !== null) margins.push(outcome.margin);
  }
  return { options, symbols, masses, margins, thoughts, undecided, correct };
}

/** Counts, each kept once: 24 answers have few different ones. */
const SYMBOL_COUNTS = new KeptOnce<QuestionScore["symbolCounts"]>(10_000);

function findPlurality(options: readonly OptionIndex[]): { option: OptionIndex | null; count: number } {
  const counts = [...countBy(options)];
  const count = Math.max(0, ...counts.map(([, times]) => times));
  const leaders = counts.filter(([, times]) => times === count);
  return { option: leaders.length === 1 ? (leaders[0]?.[0] ?? null) : null, count };
}

/** Orders of each question of a form; `undefined` where these are all. */
export function fewerOrders(
  optionCount: number,
  scores: readonly QuestionScore[],
): { readonly asked: number; readonly all: number } | undefined {
  const [asked, all] = [scores[0]?.permutations, permutationCount(optionCount)];
  return asked === undefined || asked === all ? undefined : { asked, all };
}

/** Tests if questions stopped at their first wrong order. */
export function isStoppedEarly({ parameters }: Pick<RunFile, "parameters">): boolean {
  return parameters["early_stop"] === true;
}

/**
 * The score of one question of a run, from its answers in the order of the permutations. Where questions stopped early it
 * has no agreement: over those that happened to get through, it would be a biased pick. Its mean accuracy is then that of
 * the order that was asked first, where this was drawn at random.
 */
export function scoreQuestionOf(run: Pick<RunFile, "parameters">, answers: readonly Answer[]): QuestionScore {
  const [any] = answers;
  const { orders, repeats } = designOf(run);
  const count = orderCount(orders, optionCountOfOrder(any?.permutation ?? ""));
  if (repeats > 1) return { ...scoreQuestion(askedFirst(answers), count, any), repeated: repeatedOf(answers) };
  const score = scoreQuestion(answers, count);
  if (!isStoppedEarly(run)) return score;
  return { ...score, pluralityAgreement: null, meanAccuracy: firstAccuracy(run, score, answers) };
}

/** The answers of the first time that each order was asked. */
export function askedFirst(answers: readonly Answer[]): readonly Answer[] {
  return answers.filter(({ repeat = 0 }) => repeat === 0);
}

/** Counts over all times: with n_o(x) choices of option x under order o, Σ n(n−1)/2 pairs of one order are alike. */
function repeatedOf(answers: readonly Answer[]): RepeatedAnswers {
  const failed = answers.filter(({ outcome }) => outcome.status === "failed").length;
  const chosen = answers.flatMap(({ permutationIndex, outcome }) =>
    outcome.status === "chosen" ? [{ permutationIndex, option: outcome.chosenOption }] : [],
  );
  const all = pairsAmong(chosen.map(({ option }) => option));
  const orders = [...groupBy(chosen, ({ permutationIndex }) => permutationIndex).values()].map((own) =>
    pairsAmong(own.map(({ option }) => option)),
  );
  const sameOrder = {
    pairs: sum(orders.map(({ pairs }) => pairs)),
    different: sum(orders.map((own) => own.different)),
  };
  return {
    answered: answers.length - failed,
    failed,
    sameOrder,
    otherOrder: { pairs: all.pairs - sameOrder.pairs, different: all.different - sameOrder.different },
  };
}

function pairsAmong(options: readonly OptionIndex[]): ChoicePairs {
  const pairsOf = (count: number) => (count * (count - 1)) / 2;
  const pairs = pairsOf(options.length);
  return { pairs, different: pairs - sum([...countBy(options).values()].map(pairsOf)) };
}

/** 1 or 0; `null` where the first order was not drawn, or not answered. */
function firstAccuracy(
  { parameters }: Pick<RunFile, "parameters">,
  score: QuestionScore,
  answers: readonly Answer[],
): number | null {
  const { seed, first_order: first } = parameters;
  if (first !== "random" || typeof seed !== "number") return null;
  const optionCount = optionCountOfOrder(answers[0]?.permutation ?? "");
  const orders = designedOrders(score, optionCount, designOf({ parameters }).orders, seed);
  const drawn = orders[drawnFirstOrder(score, orders.length, seed)];
  const outcome = answers.find(({ permutationIndex }) => permutationIndex === drawn)?.outcome;
  if (outcome === undefined || outcome.status === "failed") return null;
  return Number(outcome.status === "chosen" && outcome.correct);
}

interface PositionBias {
  /** Share of the answers that chose the commonest symbol: 1/N (none) to 1 (always the same). */
  readonly largestShare: number;
  /** The commonest symbol; the first in the alphabet where several are. */
  readonly symbol: ChoiceSymbol;
  /**
   * Σ (observed − expected)²/expected over the N symbols, expected = n/N (Pearson): 0 to n(N−1). Orders of one question
   * are not independent, so it is a size, not a test.
   */
  readonly chiSquare: number;
  /** Answers that chose a symbol. */
  readonly n: number;
}

/**
 * Distance of the chosen symbols from uniform. Over all N! orders every option stands at every symbol equally often, so
 * a model that binds symbols to options chooses each equally often, whatever it knows. `null` without a chosen answer.
 */
export function positionBias(
  counts: ReadonlyMap<ChoiceSymbol, number>,
  symbols: readonly ChoiceSymbol[],
): PositionBias | null {
  const observed = symbols.map((symbol) => ({ symbol, count: counts.get(symbol) ?? 0 }));
  const n = observed.reduce((total, { count }) => total + count, 0);
  if (n === 0) return null;
  const expected = n / symbols.length;
  const commonest = observed.reduce((most, candidate) => (candidate.count > most.count ? candidate : most));
  return {
    largestShare: commonest.count / n,
    symbol: commonest.symbol,
    chiSquare: observed.reduce((total, { count }) => total + (count - expected) ** 2 / expected, 0),
    n,
  };
}
