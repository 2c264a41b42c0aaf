import { mean } from "simple-statistics";
import { sha256 } from "../../../base/sha256.js";
import { type Choice, fitConditionalLogit, utility } from "../../../stats/conditional-logit.js";
import type { QuestionFloors } from "./floor-record.js";
import { shareOfRight } from "./rule.js";

/** What the no-read rules reach together. */
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
export function fitRules(questions: readonly QuestionFloors[]): FittedRule | null {
  const rules = [...new Set(questions.flatMap(({ scores }) => Object.keys(scores)))];
  if (questions.length < MIN_FITTED_QUESTIONS || rules.length === 0) return null;
  const members = questions.map((question) => ({
    fold: foldOf(question.exampleId),
    choice: choiceOf(question, rules),
  }));
  const weightsOfFold = Array.from({ length: FOLDS }, (_, fold) =>
    fitConditionalLogit(
      members.filter((member) => member.fold !== fold).map(({ choice }) => choice),
      rules.length,
    ),
  );
  const shares = members.map(({ fold, choice }) => shareOfPick(choice, weightsOfFold[fold] ?? []));
  return {
    shares,
    feature: heaviest(
      rules,
      members.map(({ choice }) => choice),
    ),
  };
}

/** 0 to 4. */
export function foldOf(exampleId: string): number {
  return Number.parseInt(sha256(exampleId).slice(0, 8), 16) % FOLDS;
}

/** A rule that does not score this question says nothing about it. */
function choiceOf({ scores }: QuestionFloors, rules: readonly string[]): Choice {
  const options = Object.values(scores)[0]?.length ?? 0;
  return Array.from({ length: options }, (_, option) => rules.map((rule) => scores[rule]?.[option] ?? 0));
}

function shareOfPick(choice: Choice, weights: readonly number[]): number {
  return shareOfRight(choice.map((option) => Math.round(utility(option, weights) * PRECISION) / PRECISION));
}

/** By |weight| × how much the rule's scores vary (root mean square), in a fit on all questions. */
function heaviest(rules: readonly string[], choices: readonly Choice[]): FittedRule["feature"] {
  const weights = fitConditionalLogit(choices, rules.length);
  const options = choices.flat();
  const weighed = rules.map((rule, k) => ({
    rule,
    weight: (weights[k] ?? 0) * Math.sqrt(mean(options.map((option) => (option[k] ?? 0) ** 2))),
  }));
  // The first of equals: of mirrored rules, such as longest and shortest, rounding alone would tell which weighs more.
  return weighed.reduce((most, each) => (Math.abs(each.weight) - Math.abs(most.weight) > 1 / PRECISION ? each : most));
}
