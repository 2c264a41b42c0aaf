import { sum } from "simple-statistics";
import { symbolsFor } from "../../../base/symbol.js";
import type { Difficulty } from "../../../dataset/example.js";
import {
  type FormFloors,
  floorsOfExampleIds,
  type GroupFloors,
  type RuledQuestion,
  type RuleFloor,
  sharesOfRule,
  summariseFloors,
} from "../../../question/floors/floors.js";
import type { Ablation } from "../../../question/form.js";
import { numberText } from "../../../report/number-text.js";
import { signFlipUpperTest } from "../../../stats/sign-flip.js";
import { type Gate, type GateMeasure, symbolBindingGate } from "./gate.js";
import { positionBias } from "./position-bias.js";
import type { QuestionScore } from "./question-score.js";

/**
 * What the score of one form is worth (spec §7).
 * - `unreadable`: the model does not bind letters to options (`gate.ts`), so its answers say nothing
 * - `barely`: it does, but by less than a tenth of the way from guessing to full agreement
 * - `at_floor`: a rule without comprehension is right as often, or nearly
 * - `above_floor`: it is right more often than the best fixed rule on the same questions, p < 0.01
 * - `unknown`: not measured, or so few questions that no score could be significant
 */
export const VERDICT_STATES = ["unreadable", "barely", "at_floor", "above_floor", "unknown"] as const;

export type VerdictState = (typeof VERDICT_STATES)[number];

export interface FormVerdict {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  readonly ablation: Ablation;
  readonly state: VerdictState;
  /** Invariant accuracy; `null` without a question. */
  readonly score: number | null;
  /** The highest floor on the same questions, the fitted one included, and its rule; `null` where not measured. */
  readonly floor: number | null;
  readonly floorRule: string | null;
  /** Of the one-sided sign-flip test by example against the best fixed rule; `null` where not tested. */
  readonly pValue: number | null;
  /** A plain sentence with the numbers; begins with the state, and never says yes. */
  readonly text: string;
}

/** One form of a run, to be judged. */
export interface JudgedForm {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  readonly ablation: Ablation;
  readonly optionCount: number;
  /** All of this form (and ablation). */
  readonly scores: readonly QuestionScore[];
  /** What the rules make of the same questions; `null` in a run that did not record it. */
  readonly floors: FormFloors | null;
}

/** Largest probability of so high a score, had the model no more comprehension than the rule. */
export const FLOOR_ALPHA = 0.01;

/** Of the way from guessing to full agreement, how much a model must have gone for its answers to be read. */
const CLEAR_SHARE = 0.1;

/** The verdict on one form of one run. Deterministic; the test takes time by questions². */
export function judgeForm({ task, difficulty, ablation, optionCount, scores, floors }: JudgedForm): FormVerdict {
  const own = floors && floorsOfExampleIds(floors, new Set(scores.map(({ exampleId }) => exampleId)));
  const ruled = own !== null && own.questions.length === scores.length ? own.questions : null;
  const group = own !== null && ruled !== null ? summariseFloors(own) : null;
  const score = scores.length === 0 ? null : scores.filter((each) => each.invariantCorrect).length / scores.length;
  return {
    task,
    difficulty,
    ablation,
    score,
    floor: group?.highest?.share.value ?? null,
    floorRule: group?.highest?.rule ?? null,
    pValue: null,
    ...(judgeReading(scores, optionCount) ?? judgeFloor(scores, score, ruled, group)),
  };
}

type Judgement = Pick<FormVerdict, "state" | "text"> & { readonly pValue?: number };

/** Whether the answers can be read at all; `null` where they can. */
function judgeReading(scores: readonly QuestionScore[], optionCount: number): Judgement | null {
  const gate: Gate = symbolBindingGate(scores, optionCount);
  if (gate.status === "unknown") {
    return { state: "unknown", text: "unknown: agreement over all orders was not measured" };
  }
  const { agreement, nullMean } = gate.measured;
  if (gate.status === "failed") {
    const text = `unreadable: the model does not bind letters to options (${numbersOf(gate.measured)}${letterOf(scores, optionCount)})`;
    return { state: "unreadable", text };
  }
  if ((agreement - nullMean) / (1 - nullMean) >= CLEAR_SHARE) return null;
  return {
    state: "barely",
    text: `barely readable: the model hardly binds letters to options (${numbersOf(gate.measured)})`,
  };
}

function numbersOf({ agreement, nullMean }: GateMeasure): string {
  return `agreement ${share(agreement)}, guessing ${share(nullMean)}`;
}

function letterOf(scores: readonly QuestionScore[], optionCount: number): string {
  const symbols = symbolsFor(optionCount);
  const count = (symbol: (typeof symbols)[number]) => sum(scores.map((score) => score.symbolCounts.get(symbol) ?? 0));
  const bias = positionBias(new Map(symbols.map((symbol) => [symbol, count(symbol)])), symbols);
  return bias === null ? "" : `; ${bias.symbol} is ${share(bias.largestShare)} of its answers`;
}

function judgeFloor(
  scores: readonly QuestionScore[],
  score: number | null,
  questions: readonly RuledQuestion[] | null,
  floors: GroupFloors | null,
): Judgement {
  const fixed = bestFixed(floors);
  if (score === null || questions === null || floors?.highest == null || fixed === null) {
    return { state: "unknown", text: "unknown: what is reached without reading was not measured" };
  }
  const differences = differencesByExample(scores, questions, fixed.rule);
  if (2 ** -differences.filter(({ most }) => most > 0).length >= FLOOR_ALPHA) {
    const of = `${scores.length} question${scores.length === 1 ? "" : "s"}`;
    return {
      state: "unknown",
      text: `unknown: on ${of}, of which ${named(fixed)}, no score could be told from chance`,
    };
  }
  return judgeScore(score, floors.highest, fixed, signFlipUpperTest(differences.map(({ found }) => found)));
}

function judgeScore(score: number, highest: RuleFloor, fixed: RuleFloor, pValue: number): Judgement {
  const [mine, rule] = [share(score), named(highest)];
  if (score <= highest.share.value) {
    return {
      state: "at_floor",
      pValue,
      text: `at its floor: ${mine} is not above what needs no comprehension: ${rule}`,
    };
  }
  const against = highest === fixed ? "" : `; against ${fixed.rule}, ${share(fixed.share.value)}`;
  const p = pValue < 0.0001 ? "p < 0.0001" : `p = ${pValue.toFixed(4)}`;
  if (pValue >= FLOOR_ALPHA) {
    return {
      state: "at_floor",
      pValue,
      text: `at its floor: ${mine} is not clearly above what needs no comprehension: ${rule} (${p}${against})`,
    };
  }
  return { state: "above_floor", pValue, text: `above its floor: ${mine}, where ${rule} (${p}${against})` };
}

function named({ rule, share: { value } }: RuleFloor): string {
  return `the rule ${rule} gets ${share(value)}`;
}

function share(value: number): string {
  return numberText(value, "fraction");
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
  const shareOf = new Map(questions.map(({ exampleId }, i) => [exampleId, Math.round((shares[i] ?? 0) * WHOLE)]));
  return scores.map(({ exampleId, invariantCorrect }) => {
    const share = shareOf.get(exampleId) ?? 0;
    return { found: (invariantCorrect ? WHOLE : 0) - share, most: WHOLE - share };
  });
}
