import { mean, sum } from "simple-statistics";
import { KeptOnce } from "../../base/grouping.js";
import { sha256 } from "../../base/sha256.js";
import { type Choices, fitConditionalLogit, type Span, utility } from "../../stats/conditional-logit.js";
import type { QuestionFloors } from "./floor-record.js";
import { shareOfRight } from "./rule.js";

/** The scores of the no-read rules on one question, kept in little room: there may be fifty thousand. */
export interface ScoredQuestion {
  readonly exampleId: string;
  readonly rules: readonly string[];
  /** Rule by rule, a number an option. */
  readonly scores: readonly number[];
}

/** The part of a question's floors that rules are fitted on. */
export function scoredQuestion({ exampleId, scores }: QuestionFloors): ScoredQuestion {
  const [rules, ofRules] = [Object.keys(scores), Object.values(scores)];
  const options = ofRules[0]?.length ?? 0;
  const all: number[] = [];
  for (const own of ofRules) for (let option = 0; option < options; option++) all.push(own[option] ?? 0);
  return { exampleId, rules: RULES.of(rules.join("\n"), rules), scores: all };
}

/** Names of rules, kept once: those of a form are the same in every question. */
const RULES = new KeptOnce<readonly string[]>(1000);

/** Result of the no-read rules together. */
export interface FittedRule {
  /** Probability of the right option, a question each, in the order given; ties are split evenly. */
  readonly shares: readonly number[];
  /** The rule that carries most weight, and which way: below 0 the lowest score is picked. */
  readonly feature: { readonly rule: string; readonly weight: number };
}

/** Fewer questions tell nothing about a rule with up to nine weights. */
export const MIN_FITTED_QUESTIONS = 50;
const FOLDS = 5;
/** Coarser than what the order of adding leaves in a utility, so that equal options tie. */
const PRECISION = 1e9;

/**
 * A conditional logit over the standardised scores of the no-read rules, five-fold cross-validated: each question's pick
 * is by weights that were fitted on the other folds. The fold is decided by a hash of the example's id, so that all
 * questions of an example are in the same one, in every form and run.
 * @param questions of one form
 * @returns `null` below 50 questions, or where no rule of the form is a no-read one
 */
export function fitRules(questions: readonly ScoredQuestion[]): FittedRule | null {
  const rules = [...new Set(questions.flatMap((question) => question.rules))];
  if (questions.length < MIN_FITTED_QUESTIONS || rules.length === 0) return null;
  const choices = choicesOf(questions, rules);
  const folds = questions.map(({ exampleId }) => foldOf(exampleId));
  const weightsOfFold = Array.from({ length: FOLDS }, (_, fold) =>
    fitConditionalLogit({ ...choices, spans: choices.spans.filter((_span, i) => folds[i] !== fold) }),
  );
  return {
    shares: choices.spans.map((span, i) => shareOfPick(choices, span, weightsOfFold[folds[i] ?? 0] ?? [])),
    feature: heaviest(rules, choices),
  };
}

/** 0 to 4. */
export function foldOf(exampleId: string): number {
  return Number.parseInt(sha256(exampleId).slice(0, 8), 16) % FOLDS;
}

/** A question each. A rule that does not score a question says nothing about it: 0. */
function choicesOf(questions: readonly ScoredQuestion[], rules: readonly string[]): Choices {
  const features = rules.length;
  const values = new Float64Array(sum(questions.map(optionCountOf)) * features);
  let next = 0;
  const spans = questions.map((question) => {
    const [start, end] = [next, next + optionCountOf(question)];
    for (const [own, rule] of question.rules.entries()) {
      const feature = rules.indexOf(rule);
      const scores = question.scores.slice(own * (end - start), (own + 1) * (end - start));
      for (const [option, score] of scores.entries()) values[(start + option) * features + feature] = score;
    }
    next = end;
    return { start, end };
  });
  return { features, values, spans };
}

function optionCountOf({ rules, scores }: ScoredQuestion): number {
  return rules.length === 0 ? 0 : scores.length / rules.length;
}

/** Share of option 0 of a question. */
function shareOfPick(choices: Choices, { start, end }: Span, weights: readonly number[]): number {
  const utilities = Array.from({ length: end - start }, (_, i) => utility(optionOf(choices, start + i), weights));
  return shareOfRight(utilities.map((own) => Math.round(own * PRECISION) / PRECISION));
}

function optionOf({ features, values }: Choices, option: number): Float64Array {
  return values.subarray(option * features, (option + 1) * features);
}

/** The rule of the highest |weight| × spread of its scores (root mean square), in a fit on all questions. */
function heaviest(rules: readonly string[], choices: Choices): FittedRule["feature"] {
  const weights = fitConditionalLogit(choices);
  const { features, values } = choices;
  const weighed = rules.map((rule, k) => {
    const squares = Array.from({ length: values.length / features }, (_, i) => (values[i * features + k] ?? 0) ** 2);
    return { rule, weight: (weights[k] ?? 0) * Math.sqrt(mean(squares)) };
  });
  // The first of equals: of mirrored rules, such as longest and shortest, rounding alone would tell which weighs more.
  return weighed.reduce((most, each) => (Math.abs(each.weight) - Math.abs(most.weight) > 1 / PRECISION ? each : most));
}
