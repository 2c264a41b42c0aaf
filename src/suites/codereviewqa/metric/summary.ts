import { sum } from "simple-statistics";
import { symbolsFor } from "../../../base/symbol.js";
import type { Difficulty } from "../../../dataset/example.js";
import {
  type FormFloors,
  floorsOfExampleIds,
  majorityFloor,
  type RuleFloor,
  randomFloors,
  summariseFloors,
  wordGroupOf,
} from "../../../question/floors/floors.js";
import type { Withheld } from "../../../question/form.js";
import { permutationCount } from "../../../question/permutations.js";
import type { ChoiceProbe } from "../../../question/question.js";
import { DIFFERENCE } from "../../../stats/interval.js";
import type { CaseOf } from "../record/run-file.js";
import type { QuestionScore, RepeatedAnswers } from "./question-score.js";
import { disagreement, fewerOrders, orderEffect, positionBias, recordsOf } from "./question-score.js";
import {
  casesNote,
  type Measure,
  meanByCase,
  measure,
  point,
  rateByCase,
  type SummaryRow,
  shareByCase,
  summariseGroups,
} from "./summary-row.js";
import { type Gate, symbolBindingGate } from "./symbol-binding.js";
import { thoughtMeasures } from "./thought-measures.js";

interface SummaryForm {
  readonly probe: Pick<ChoiceProbe, "task" | "optionCount" | "answerClass">;
  readonly difficulty: Difficulty | null;
  /** Parts withheld; absent: none. */
  readonly ablation?: Withheld | undefined;
  /** Cases that its examples belong to; absent: each is one of its own. */
  readonly caseOf?: CaseOf | null;
}

/**
 * All metrics of one multiple-choice form: overall, by language, by change type, by whether words suffice.
 * @param floors what the rules make of the same questions; without it there are no rows about rules
 */
export function summariseForm(
  form: SummaryForm,
  scores: readonly QuestionScore[],
  isEarlyStop: boolean,
  floors: FormFloors | null = null,
): SummaryRow[] {
  const { difficulty, ablation, probe } = form;
  const words = new Map(floors?.questions.map((question) => [question.exampleId, wordGroupOf(question)]));
  return summariseGroups(
    { task: probe.task, difficulty, ablation },
    scores,
    (members) => [
      ...measureGroup(form, members, isEarlyStop),
      ...(floors === null ? [] : ruleMeasures(floors, members)),
    ],
    ({ exampleId }) => words.get(exampleId) ?? null,
  );
}

function measureGroup(form: SummaryForm, scores: readonly QuestionScore[], isEarlyStop: boolean): Measure[] {
  return [
    ...accuracyMeasures(form, scores, isEarlyStop),
    ...pluralityMeasures(form, scores, isEarlyStop),
    ...answerMeasures(form, scores, isEarlyStop),
    ...repeatMeasures(form, scores),
    ...thoughtMeasures(scores, form.probe.optionCount, form.caseOf ?? null),
    ...floorMeasures(form, scores),
  ];
}

const EARLY_STOP_NOTE = "not defined with --early-stop";

function accuracyMeasures(form: SummaryForm, scores: readonly QuestionScore[], isEarlyStop: boolean): Measure[] {
  const { caseOf = null } = form;
  const fewer = fewerOrders(form.probe.optionCount, scores);
  const n = scores.length;
  const whole = scores.filter(({ meanAccuracy }) => meanAccuracy !== null).length;
  return [
    measure(
      "invariant_accuracy",
      shareByCase(scores, caseOf, ({ invariantCorrect }) => invariantCorrect),
      n,
      `${fewer === undefined ? "" : `under ${fewer.asked} of ${fewer.all} orders, not comparable with all; `}${casesNote(scores, caseOf)}`,
      fewer && { orders: fewer },
    ),
    measure(
      "invariant_lost_rate",
      shareByCase(scores, caseOf, ({ lost }) => lost),
      n,
      "not right only because orders failed, were undecided or not asked",
    ),
    isEarlyStop && whole === 0
      ? measure("mean_accuracy", null, 0, EARLY_STOP_NOTE)
      : measure(
          "mean_accuracy",
          meanByCase(scores, caseOf, ({ meanAccuracy }) => meanAccuracy),
          whole,
          isEarlyStop
            ? "by the order asked first, drawn at random (--early-stop)"
            : "questions with every order answered",
        ),
  ];
}

function pluralityMeasures(form: SummaryForm, scores: readonly QuestionScore[], isEarlyStop: boolean): Measure[] {
  const names = ["plurality_agreement", "plurality_agreement_null", "mcsb_p_value", "mcsb_gate"] as const;
  if (isEarlyStop) return names.map((name) => measure(name, null, 0, EARLY_STOP_NOTE));
  const whole = scores.filter(({ pluralityAgreement }) => pluralityAgreement !== null).length;
  const gate = symbolBindingGate(scores, form.probe.optionCount);
  const guess = gate.status === "unknown" ? null : gate.measured;
  const nullEstimate = guess && { value: guess.nullMean, low: guess.nullLow, high: guess.nullHigh };
  return [
    measure(
      "plurality_agreement",
      meanByCase(scores, form.caseOf ?? null, ({ pluralityAgreement }) => pluralityAgreement),
      whole,
      "questions with every order answered",
    ),
    measure("plurality_agreement_null", nullEstimate, whole, "under uniform guessing"),
    measure("mcsb_p_value", point(guess?.pValue), whole, "probability of this agreement under uniform guessing"),
    measure("mcsb_gate", point(gateValue(gate)), whole, `1 = answers may be interpreted; ${gate.status}`),
  ];
}

function gateValue(gate: Gate): number | undefined {
  return gate.status === "unknown" ? undefined : Number(gate.status === "passed");
}

function answerMeasures(form: SummaryForm, scores: readonly QuestionScore[], isEarlyStop: boolean): Measure[] {
  const caseOf = form.caseOf ?? null;
  const recorded = (score: QuestionScore) => recordsOf(score).answered + recordsOf(score).failed;
  return [
    ...(isEarlyStop
      ? (["position_bias", "position_bias_chi_square"] as const).map((name) => measure(name, null, 0, EARLY_STOP_NOTE))
      : biasMeasures(form, scores)),
    measure(
      "symbol_mass",
      meanByCase(scores, caseOf, ({ meanSymbolMass }) => meanSymbolMass),
      scores.filter(({ meanSymbolMass }) => meanSymbolMass !== null).length,
      "mean over questions",
    ),
    measure(
      "undecided_rate",
      rateByCase(scores, caseOf, (score) => [score.undecided, score.answered]),
      sum(scores.map(({ answered }) => answered)),
      "of answers: a tie, or an unknown symbol",
    ),
    measure(
      "failure_rate",
      rateByCase(scores, caseOf, (score) => [recordsOf(score).failed, recorded(score)]),
      sum(scores.map(recorded)),
      "of answers",
    ),
  ];
}

/** Disagreement between orders beside that within one; no rows where each order was asked once. */
function repeatMeasures({ caseOf = null }: SummaryForm, scores: readonly QuestionScore[]): Measure[] {
  const repeated = scores.flatMap(({ exampleId, repeated: own }) => (own === undefined ? [] : { exampleId, ...own }));
  if (repeated.length === 0) return [];
  const between = ({ otherOrder }: RepeatedAnswers) => disagreement(otherOrder);
  const within = ({ sameOrder }: RepeatedAnswers) => disagreement(sameOrder);
  const told = (of: (own: RepeatedAnswers) => number | null) => repeated.filter((own) => of(own) !== null).length;
  return [
    measure("order_disagreement", meanByCase(repeated, caseOf, between), told(between), "of pairs under two orders"),
    measure("repeat_disagreement", meanByCase(repeated, caseOf, within), told(within), "of pairs under one order"),
    measure(
      "order_effect",
      meanByCase(repeated, caseOf, orderEffect, DIFFERENCE),
      told(orderEffect),
      "beyond chance; 0: none",
    ),
  ];
}

function biasMeasures(form: SummaryForm, scores: readonly QuestionScore[]): Measure[] {
  const counts = new Map<string, number>();
  for (const { symbolCounts } of scores) {
    for (const [symbol, count] of symbolCounts) counts.set(symbol, (counts.get(symbol) ?? 0) + count);
  }
  const symbols = symbolsFor(form.probe.optionCount);
  const bias = positionBias(new Map(symbols.map((symbol) => [symbol, counts.get(symbol) ?? 0])), symbols);
  const note = bias === null ? "" : `share of the commonest symbol, ${bias.symbol}; ${1 / symbols.length} without bias`;
  return [
    measure(
      "position_bias",
      point(bias?.largestShare),
      bias?.n ?? 0,
      note.replace(/\.(\d{3})\d+/, ".$1"),
      bias === null ? undefined : { symbol: bias.symbol },
    ),
    measure("position_bias_chi_square", point(bias?.chiSquare), bias?.n ?? 0, "0 without bias; a size, not a test"),
  ];
}

function floorMeasures(form: SummaryForm, scores: readonly QuestionScore[]): Measure[] {
  const permutations = scores[0]?.permutations ?? 1;
  const { oneOrder, invariant } = randomFloors(form.probe.optionCount, permutations);
  const majority = majorityFloor(scores.map((score) => form.probe.answerClass(score)));
  const n = scores.length;
  return [
    measure("floor_random", point(oneOrder), n, "1/N: one order guessed right; least plurality agreement"),
    measure("floor_invariant", point(invariant), n, `${invariantPower(form, permutations)}: all orders guessed right`),
    ...(majority === null
      ? []
      : [
          measure(
            "floor_majority",
            shareByCase(scores, form.caseOf ?? null, (score) => form.probe.answerClass(score) === majority.answer),
            n,
            `always "${majority.answer}"`,
            { answer: majority.answer },
          ),
        ]),
  ];
}

function invariantPower({ probe: { optionCount } }: SummaryForm, permutations: number): string {
  return permutations === permutationCount(optionCount) ? "(1/N)^(N!)" : `(1/N)^${permutations}`;
}

/** A row a rule, then the best of them; none where the rules were not applied to every question. */
function ruleMeasures(form: FormFloors, scores: readonly QuestionScore[]): Measure[] {
  const { n, rules, noRead, lexical } = summariseFloors(
    floorsOfExampleIds(form, new Set(scores.map(({ exampleId }) => exampleId))),
  );
  if (n !== scores.length) return [];
  return [
    // Its row stands before these already.
    ...rules.filter(({ rule }) => rule !== "majority").map((floor) => ruleMeasure(`floor_${floor.rule}`, floor)),
    ...bestMeasure("floor_no_read", noRead),
    ...bestMeasure("floor_lexical", lexical),
  ];
}

function bestMeasure(name: Measure["metric"], floor: RuleFloor | null): Measure[] {
  if (floor === null) return [];
  const { rule, note } = floor;
  return [{ ...ruleMeasure(name, { ...floor, note: `${rule}: ${note}` }), detail: { rule } }];
}

function ruleMeasure(name: Measure["metric"], { share, n, note }: RuleFloor): Measure {
  return measure(name, share, n, note);
}
