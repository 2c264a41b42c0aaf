import { sum } from "simple-statistics";
import { symbolsFor } from "../../../base/symbol.js";
import {
  type FormFloors,
  floorsOfExampleIds,
  type GroupFloors,
  type RuledQuestion,
  type RuleFloor,
  sharesOfRule,
  summariseFloors,
} from "../../../question/floors/floors.js";
import type { TextScoring } from "../../../question/question.js";
import { CHOICE_SENTENCES, type RuleShare, WRITTEN_SENTENCES } from "../../../report/judgement-words.js";
import { proportion } from "../../../stats/interval.js";
import { signFlipUpperTest } from "../../../stats/sign-flip.js";
import type { Judgement } from "../../../verdict/judgement.js";
import { symbolBindingGate } from "./gate.js";
import type { ScoredGeneration } from "./generation-summary.js";
import { ruledAnswers } from "./open-answers.js";
import type { QuestionScore } from "./question-score.js";
import { positionBias } from "./question-score.js";

/** Largest probability of so high a score, had the model no more comprehension than the rule. */
export const FLOOR_ALPHA = 0.01;

/** Of the way from guessing to full agreement, how much a model must have gone for its answers to be read. */
const CLEAR_SHARE = 0.1;

/** Questions of one form, to be judged. */
export interface JudgedChoices {
  readonly optionCount: number;
  /** All of this form (and ablation). */
  readonly scores: readonly QuestionScore[];
  /** Answers of the rules to the same questions; `null` in a run that did not record them. */
  readonly floors: FormFloors | null;
}

/** The score, the highest floor on the same questions (the fitted one included), and its rule. */
type Numbers = Pick<Judgement, "score" | "floor" | "floorRule">;

/**
 * Judges one form of one run by invariant accuracy (spec §7): whether its answers can be read, then a one-sided sign-flip
 * test by example against the best fixed rule. Deterministic; the test takes time by questions².
 */
export function judgeChoices({ optionCount, scores, floors }: JudgedChoices): Judgement {
  const own = floors && floorsOfExampleIds(floors, new Set(scores.map(({ exampleId }) => exampleId)));
  const ruled = own !== null && own.questions.length === scores.length ? own.questions : null;
  const group = own !== null && ruled !== null ? summariseFloors(own) : null;
  const numbers: Numbers = {
    score: scores.length === 0 ? null : scores.filter((each) => each.invariantCorrect).length / scores.length,
    floor: group?.highest?.share.value ?? null,
    floorRule: group?.highest?.rule ?? null,
  };
  return judgeReading(scores, optionCount, numbers) ?? judgeFloor(scores, ruled, group, numbers);
}

/** @returns `null` where the answers can be read */
function judgeReading(scores: readonly QuestionScore[], optionCount: number, numbers: Numbers): Judgement | null {
  const gate = symbolBindingGate(scores, optionCount);
  if (gate.status === "unknown") {
    return { ...numbers, state: "unknown", pValue: null, sentence: CHOICE_SENTENCES.noAgreement };
  }
  const { agreement, nullMean: guessing } = gate.measured;
  if (gate.status === "failed") {
    const sentence = CHOICE_SENTENCES.unreadable({ agreement, guessing }, commonestLetter(scores, optionCount));
    return { ...numbers, state: "unreadable", pValue: null, sentence };
  }
  if ((agreement - guessing) / (1 - guessing) >= CLEAR_SHARE) return null;
  return { ...numbers, state: "barely", pValue: null, sentence: CHOICE_SENTENCES.barely({ agreement, guessing }) };
}

function commonestLetter(scores: readonly QuestionScore[], optionCount: number) {
  const symbols = symbolsFor(optionCount);
  const count = (symbol: (typeof symbols)[number]) => sum(scores.map((score) => score.symbolCounts.get(symbol) ?? 0));
  const bias = positionBias(new Map(symbols.map((symbol) => [symbol, count(symbol)])), symbols);
  return bias && { symbol: bias.symbol, share: bias.largestShare };
}

function judgeFloor(
  scores: readonly QuestionScore[],
  questions: readonly RuledQuestion[] | null,
  floors: GroupFloors | null,
  numbers: Numbers,
): Judgement {
  const { score } = numbers;
  const fixed = bestFixed(floors);
  if (score === null || questions === null || floors?.highest == null || fixed === null) {
    return { ...numbers, state: "unknown", pValue: null, sentence: CHOICE_SENTENCES.noFloor };
  }
  const differences = differencesByExample(scores, questions, fixed.rule);
  if (2 ** -differences.filter(({ most }) => most > 0).length >= FLOOR_ALPHA) {
    const sentence = CHOICE_SENTENCES.tooFew(scores.length, shareOf(fixed));
    return { ...numbers, state: "unknown", pValue: null, sentence };
  }
  const pValue = signFlipUpperTest(differences.map(({ found }) => found));
  const highest = shareOf(floors.highest);
  if (score <= highest.share) {
    return { ...numbers, state: "at_floor", pValue, sentence: CHOICE_SENTENCES.notAbove(score, highest) };
  }
  const test = { pValue, against: floors.highest === fixed ? null : shareOf(fixed) };
  return pValue < FLOOR_ALPHA
    ? { ...numbers, state: "above_floor", pValue, sentence: CHOICE_SENTENCES.above(score, highest, test) }
    : { ...numbers, state: "at_floor", pValue, sentence: CHOICE_SENTENCES.notClearlyAbove(score, highest, test) };
}

function shareOf({ rule, share }: RuleFloor): RuleShare {
  return { rule, share: share.value };
}

function bestFixed(floors: GroupFloors | null): RuleFloor | null {
  const { noRead = null, lexical = null } = floors ?? {};
  if (noRead === null || lexical === null) return noRead ?? lexical;
  return lexical.share.value > noRead.share.value ? lexical : noRead;
}

/** Times this, a share is a whole number: 1, 1/2, 1/3 or 1/4. */
const WHOLE = 12;

/**
 * In twelfths, one an example, for a form asks each example one question: right or not less the rule's share, and what
 * that would be were all of them right.
 */
function differencesByExample(
  scores: readonly QuestionScore[],
  questions: readonly RuledQuestion[],
  rule: string,
): { readonly found: number; readonly most: number }[] {
  const shares = sharesOfRule(questions, rule);
  const ofExample = new Map(questions.map(({ exampleId }, i) => [exampleId, Math.round((shares[i] ?? 0) * WHOLE)]));
  return scores.map(({ exampleId, invariantCorrect }) => {
    const share = ofExample.get(exampleId) ?? 0;
    return { found: (invariantCorrect ? WHOLE : 0) - share, most: WHOLE - share };
  });
}

/** Scores of a rule without comprehension beside those of the model, a pair a generation. */
interface Rival {
  /** Such as `copy`. */
  readonly rule: string;
  /** In words. */
  readonly text: string;
  readonly pairs: readonly { readonly mine: number; readonly its: number }[];
}

/** Judges exact match against repeating the code unchanged, by the one-sided sign-flip test by example. */
export function judgeGenerations(generations: readonly ScoredGeneration[]): Judgement {
  const pairs = generations.flatMap(({ measured }) => {
    if (measured?.copy == null) return [];
    return [{ mine: Number(measured.score.em), its: Number(measured.copy.score.em) }];
  });
  const right = generations.filter(({ measured }) => measured?.score.em === true).length;
  return judgeWritten(right, generations.length, [{ rule: "copy", text: "repeating the code unchanged", pairs }]);
}

/** Judges exact match against the best rule of a probe that scores texts by itself, by the same test. */
export function judgeOpenAnswers(scoring: TextScoring, generations: readonly ScoredGeneration[]): Judgement {
  const mine = generations.map(({ open }) => Number(open?.score?.em === true));
  const rivals = ruledAnswers(scoring, generations).map(({ rule, scores }): Rival => {
    const pairs = mine.map((own, i) => ({ mine: own, its: Number(scores[i]?.em === true) }));
    return { rule: rule.name, text: `the rule ${rule.name}`, pairs };
  });
  return judgeWritten(sum(mine), generations.length, rivals);
}

function judgeWritten(right: number, n: number, rivals: readonly Rival[]): Judgement {
  const score = proportion(right, n)?.value ?? null;
  const [best] = rivals
    .filter(({ pairs }) => pairs.length > 0)
    .map((rival) => ({ ...rival, floor: sum(rival.pairs.map(({ its }) => its)) / rival.pairs.length }))
    .sort((a, b) => b.floor - a.floor);
  if (score === null || best === undefined) {
    const sentence = WRITTEN_SENTENCES.noFloor;
    return { score, floor: null, floorRule: null, state: "unknown", pValue: null, sentence };
  }
  const numbers = { score, floor: best.floor, floorRule: best.rule };
  const found = { score, floor: best.floor, rule: best.text };
  if (2 ** -best.pairs.filter(({ its }) => its === 0).length >= FLOOR_ALPHA) {
    return { ...numbers, state: "unknown", pValue: null, sentence: WRITTEN_SENTENCES.tooFew(found) };
  }
  const pValue = signFlipUpperTest(best.pairs.map(({ mine, its }) => mine - its));
  return score > best.floor && pValue < FLOOR_ALPHA
    ? { ...numbers, state: "above_floor", pValue, sentence: WRITTEN_SENTENCES.above(found) }
    : { ...numbers, state: "at_floor", pValue, sentence: WRITTEN_SENTENCES.notAbove(found) };
}
