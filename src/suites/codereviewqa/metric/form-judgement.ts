import { sum } from "simple-statistics";
import { symbolsFor } from "../../../base/symbol.js";
import {
  type FormFloors,
  floorsOfExampleIds,
  type GroupFloors,
  type RuledQuestion,
  sharesOfRule,
  summariseFloors,
} from "../../../question/floors/floors.js";
import type { RuleSight } from "../../../question/floors/rule.js";
import { CHOICE_SENTENCES } from "../../../report/judgement-words.js";
import { type Judgement, NO_NUMBERS } from "../../../verdict/judgement.js";
import {
  type DecidedState,
  decidedState,
  type MeasuredItems,
  type Rival,
  RUNG_ALPHA,
  type Rung,
  sequentialGain,
  sequentialRung,
  testGain,
  testRung,
} from "../../../verdict/rung.js";
import type { CaseOf } from "../record/run-file.js";
import { positionBias, type QuestionScore } from "./question-score.js";
import { symbolBindingGate } from "./symbol-binding.js";

/** Questions of one form, to be judged. */
export interface JudgedChoices {
  readonly optionCount: number;
  /** All of this form (and ablation). */
  readonly scores: readonly QuestionScore[];
  /** Answers of the rules to the same questions; `null` in a run that did not record them. */
  readonly floors: FormFloors | null;
  /** Gives what an example is a case of; absent: each is a cluster of its own. */
  readonly caseOf?: CaseOf | null;
  /** Questions stopped at their first wrong order: mean accuracy is that of the order asked first. */
  readonly isEarlyStop?: boolean;
  /** Questions were asked until the verdict was decided: its tests hold whenever one looks. */
  readonly isSequential?: boolean;
  /** Absent: nothing shows that the review was not needed. */
  readonly unneeded?: Unneeded | null;
}

/** A control without the review that is itself above every no-read rule, where the review is not shown to help. */
export interface Unneeded {
  readonly without: Rung;
  /** Mean accuracy with the review on the same questions, and the one-sided p-value of its being higher. */
  readonly with: number;
  readonly pValue: number;
  /** Mean accuracy without it, had the orders that failed been right: what it is tested against. Absent: none failed. */
  readonly most?: number;
}

/**
 * Judges one form of one run (spec §7): how far up the ladder its tests go. Mean accuracy against every no-read rule, then
 * against all rules; then invariant accuracy against all. Orders that were lost count as wrong.
 */
export function judgeChoices(form: JudgedChoices): Judgement {
  const { scores } = form;
  const [ruled, mean] = [ruledOf(form), meanItems(form)];
  const numbers = {
    ...NO_NUMBERS,
    score: scores.length === 0 ? null : averageOf(scores.map(invariantOf)),
    meanAccuracy: mean === null ? null : averageOf(mean.values),
    ...floorNumbers(ruled?.group ?? null),
  };
  const isAnswered = scores.length === 0 || scores.some(({ answered }) => answered > 0);
  if (!isAnswered) return { ...numbers, meanAccuracy: null, state: "unknown", sentence: CHOICE_SENTENCES.noAnswer };
  const first = ruled && mean && firstRung(form, ruled, mean);
  if (first === null) return { ...numbers, ...untested(form, ruled) };
  const { noRead } = first;
  const reached = { ...numbers, clusters: noRead.clusters, ...testNumbers(noRead) };
  return { ...reached, ...(noRead.isReached ? climb(form, first) : lowest(form, noRead)) };
}

/** Mean accuracy held against every no-read rule, and what it takes to go on. */
interface FirstRung {
  readonly ruled: Ruled;
  readonly mean: MeasuredItems;
  readonly noRead: Rung;
}

function firstRung(form: JudgedChoices, ruled: Ruled, mean: MeasuredItems): FirstRung | null {
  const noRead = testerOf(form)(mean, ruled.noRead);
  return noRead && { ruled, mean, noRead };
}

/** State and sentence of a judgement, and what its test is where that is not of the lowest rung. */
type Place = Pick<Judgement, "state" | "sentence"> &
  Partial<Pick<Judgement, "pValue" | "against" | "isBindingUnknown" | "hasLostOrders">>;

function untested(form: JudgedChoices, ruled: Ruled | null): Place {
  const unreadable = unreadableSentence(form, null);
  if (unreadable !== null) return { state: "unreadable", sentence: unreadable };
  return { state: "unknown", sentence: ruled === null ? CHOICE_SENTENCES.noFloor : CHOICE_SENTENCES.noMean };
}

/** Mean accuracy is not shown to be above every no-read rule, and maybe that of a control is. */
function lowest(form: JudgedChoices, noRead: Rung): Place {
  const place = withoutControls(form, noRead);
  return form.unneeded == null
    ? place
    : { ...place, sentence: CHOICE_SENTENCES.besides(place.sentence, form.unneeded) };
}

function withoutControls(form: JudgedChoices, noRead: Rung): Place {
  const unreadable = unreadableSentence(form, noRead);
  if (unreadable !== null) return { state: "unreadable", sentence: unreadable };
  if (noRead.hopeless === null || isDecided(form)) {
    const isBindingKnown = symbolBindingGate(form.scores, form.optionCount).status !== "unknown";
    const sentence = CHOICE_SENTENCES.atFloor(noRead, { ...howOf(form), isBindingKnown });
    return { state: "at_floor", sentence, ...(!isBindingKnown && { isBindingUnknown: true }) };
  }
  const isTooFew = 2 ** -noRead.clusters >= RUNG_ALPHA || noRead.hopeless === GUESSING;
  const sentence = CHOICE_SENTENCES.tooFew(form.scores.length, isTooFew ? null : noRead.hopeless);
  return { state: "unknown", pValue: null, against: null, sentence };
}

/** Tells if no further question could change the verdict: few are enough for one who is wrong in all of them. */
function isDecided(form: JudgedChoices): boolean {
  return form.isSequential === true && decidedStateOf(form) !== null;
}

/** The rungs above the no-read rules. */
function climb(form: JudgedChoices, { ruled, mean, noRead }: FirstRung): Place {
  const how = howOf(form);
  if (form.unneeded != null) {
    return { state: "matches_words", sentence: CHOICE_SENTENCES.unneeded(noRead, form.unneeded, how) };
  }
  const test = testerOf(form);
  const all = test(mean, ruled.all) ?? noRead;
  if (!all.isReached) return { state: "matches_words", sentence: CHOICE_SENTENCES.matchesWords(noRead, all, how) };
  const steady = test({ ...mean, values: form.scores.map(invariantOf) }, ruled.all) ?? noRead;
  if (steady.isReached) {
    return { state: "above_floor", ...testNumbers(steady), sentence: CHOICE_SENTENCES.above(steady) };
  }
  const hasLostOrders = form.scores.some(({ lost }) => lost);
  const sentence = CHOICE_SENTENCES.unsteady(all, steady, how);
  return { state: "unsteady", ...testNumbers(all), sentence, ...(hasLostOrders && { hasLostOrders }) };
}

/** Test of a rung: of so many questions, or of however many there are by now. */
function testerOf({ isSequential = false }: JudgedChoices): typeof testRung {
  return isSequential ? sequentialRung : testRung;
}

/**
 * The verdict of a form whose questions are asked in random order, where it cannot be chance; `null`: not decided yet. Orders
 * that failed count against each of its claims: as wrong for one above a rule, as right for one below.
 */
export function decidedStateOf(form: JudgedChoices): DecidedState | null {
  const [ruled, whole] = [ruledOf(form), form.floors && rivalsOf(form.floors, form.optionCount)];
  const [mean, mostMean] = [meanItems(form), meanItems(form, 1)];
  if (ruled === null || mean === null || mostMean === null || whole === null) return null;
  return decidedState({
    mean,
    invariant: { ...mean, values: form.scores.map(invariantOf) },
    most: { mean: mostMean, invariant: { ...mean, values: form.scores.map(mostInvariantOf) } },
    noRead: { rivals: ruled.noRead, best: bestOf(whole.noRead) },
    all: { rivals: ruled.all, best: bestOf(whole.all) },
  });
}

/** The rule that gets most; the first where several do. */
function bestOf(rivals: readonly Rival[]): string {
  const totals = rivals.map(({ rule, shares }) => ({ rule, total: sum([...shares]) }));
  return totals.reduce((most, each) => (each.total > most.total ? each : most), { rule: "", total: -1 }).rule;
}

function howOf({ isEarlyStop = false }: JudgedChoices) {
  return { isOneOrder: isEarlyStop };
}

/** A control: the form with the review, and maybe more, withheld. */
type Control = Pick<JudgedChoices, "scores">;

/**
 * Tells from the controls of a form that its review was not needed: one of them is above every rule that does not read the
 * review either, and mean accuracy with the review is not shown to be higher on the same questions, had the orders that failed
 * without it been right.
 */
export function reviewUnneeded(form: JudgedChoices, controls: readonly Control[]): Unneeded | null {
  for (const { scores } of controls) {
    const asked = new Map(form.scores.map((score) => [score.exampleId, score]));
    const both = scores.flatMap((without) => {
      const whole = asked.get(without.exampleId);
      return whole === undefined ? [] : [{ without, whole }];
    });
    const control = { ...form, scores: both.map(({ without }) => without) };
    const ruled = ruledOf(control);
    const values = meanItems({ ...form, scores: both.map(({ whole }) => whole) });
    const [others, most] = [meanItems(control), meanItems(control, 1)];
    if (ruled === null || values === null || others === null || most === null) continue;
    const rung = testerOf(form)(others, ruled.noRead);
    if (rung?.isReached !== true) continue;
    const pValue = (form.isSequential === true ? sequentialGain : testGain)(values, most.values);
    if (pValue < RUNG_ALPHA) continue;
    const atMost = averageOf(most.values);
    const isLower = averageOf(others.values) < atMost;
    return { without: rung, with: averageOf(values.values), pValue, ...(isLower && { most: atMost }) };
  }
  return null;
}

interface Ruled {
  readonly group: GroupFloors;
  readonly noRead: readonly Rival[];
  readonly all: readonly Rival[];
}

/** The rules of a form, a share a question in the order of the scores; `null` where not all questions have them. */
function ruledOf({ scores, floors, optionCount }: JudgedChoices): Ruled | null {
  const own = floors && floorsOfExampleIds(floors, new Set(scores.map(({ exampleId }) => exampleId)));
  if (own === null || own.questions.length !== scores.length) return null;
  const byExample = new Map(own.questions.map((question) => [question.exampleId, question]));
  const questions = scores.flatMap(({ exampleId }) => byExample.get(exampleId) ?? []);
  return questions.length === scores.length ? rivalsOf({ ...own, questions }, optionCount) : null;
}

/** Every rule that a score on these questions is held against; `null` where there is none. */
export function rivalsOf(floors: FormFloors, optionCount: number): Ruled | null {
  const { questions } = floors;
  const group = summariseFloors(floors);
  if (group.rules.length === 0) return null;
  const sights = new Map<string, RuleSight>(group.rules.map(({ rule, sees }) => [rule, sees]));
  const rivals = [...sights.keys()].map((rule) => ({ rule, shares: sharesOfRule(questions, rule) }));
  const all = [guessing(questions, optionCount), ...rivals];
  return { group, all, noRead: all.filter(({ rule }) => sights.get(rule) !== "lexical") };
}

const GUESSING = "random";

/** One order guessed right, which is what places alone give too. Its metric is `floor_random`. */
function guessing(questions: readonly RuledQuestion[], optionCount: number): Rival {
  return { rule: GUESSING, shares: questions.map(() => 1 / optionCount) };
}

function floorNumbers(group: GroupFloors | null) {
  return {
    floor: group?.noRead?.share.value ?? null,
    floorRule: group?.noRead?.rule ?? null,
    wordsFloor: group?.lexical?.share.value ?? null,
    wordsFloorRule: group?.lexical?.rule ?? null,
  };
}

function testNumbers({ hardest: { pValue, rule } }: Rung): Pick<Judgement, "pValue" | "against"> {
  return { pValue, against: rule };
}

function invariantOf({ invariantCorrect }: QuestionScore): number {
  return Number(invariantCorrect);
}

/** 1 where all orders may be right: none was wrong or undecided. */
function mostInvariantOf({ invariantCorrect, lost, undecided }: QuestionScore): number {
  return Number(invariantCorrect || (lost && undecided === 0));
}

/**
 * Mean accuracy by question; `null` where no question has one.
 * @param failed value of an order that failed
 */
function meanItems({ scores, caseOf, isEarlyStop = false }: JudgedChoices, failed: 0 | 1 = 0): MeasuredItems | null {
  if (isEarlyStop && scores.every(({ meanAccuracy }) => meanAccuracy === null)) return null;
  return {
    values: scores.map(({ meanAccuracy, correctPermutations, permutations, answered }) =>
      isEarlyStop
        ? (meanAccuracy ?? failed)
        : (correctPermutations + failed * (permutations - answered)) / permutations,
    ),
    clusters: scores.map(({ exampleId }) => caseOf?.(exampleId) ?? exampleId),
  };
}

function averageOf(values: readonly number[]): number {
  return sum([...values]) / values.length;
}

/** @returns `null` where the letters are bound to options, or agreement was not measured */
function unreadableSentence({ scores, optionCount }: JudgedChoices, rung: Rung | null): Judgement["sentence"] | null {
  const gate = symbolBindingGate(scores, optionCount);
  if (gate.status !== "failed") return null;
  const { agreement, nullMean: guessed } = gate.measured;
  return CHOICE_SENTENCES.unreadable({ agreement, guessing: guessed }, commonestLetter(scores, optionCount), rung);
}

function commonestLetter(scores: readonly QuestionScore[], optionCount: number) {
  const symbols = symbolsFor(optionCount);
  const count = (symbol: (typeof symbols)[number]) => sum(scores.map((score) => score.symbolCounts.get(symbol) ?? 0));
  const bias = positionBias(new Map(symbols.map((symbol) => [symbol, count(symbol)])), symbols);
  return bias && { symbol: bias.symbol, share: bias.largestShare };
}
