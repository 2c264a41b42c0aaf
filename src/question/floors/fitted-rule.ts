import { mean, sum } from "simple-statistics";
import { KeptOnce } from "../../base/grouping.js";
import { sha256 } from "../../base/sha256.js";
import { type Choices, fitConditionalLogit, type Span, utility } from "../../stats/conditional-logit.js";
import type { QuestionFloors } from "./floor-record.js";
import { RULE_SIGHTS, type RuleSight, shareOfRight } from "./rule.js";

/** The scores of the rules on one question, kept in little room: there may be fifty thousand. */
export interface ScoredQuestion {
  /** Questions of one cluster are in one fold. */
  readonly cluster: string;
  readonly rules: readonly string[];
  /** Rule by rule, a number an option. */
  readonly scores: readonly number[];
}

/** The part of a question's floors that rules are fitted on. */
export function scoredQuestion({ exampleId, cluster = exampleId, scores }: QuestionFloors): ScoredQuestion {
  const [rules, ofRules] = [Object.keys(scores), Object.values(scores)];
  const options = ofRules[0]?.length ?? 0;
  const all: number[] = [];
  for (const own of ofRules) for (let option = 0; option < options; option++) all.push(own[option] ?? 0);
  return { cluster, rules: RULES.of(rules.join("\n"), rules), scores: all };
}

/** Names of rules, kept once: those of a form are the same in every question. */
const RULES = new KeptOnce<readonly string[]>(1000);

/** A rule that is fitted over the scores of others. */
export interface FittedRule {
  readonly rule: string;
  readonly sees: RuleSight;
  /** Probability of the right option, a question each, in the order given; ties are split evenly. */
  readonly shares: readonly number[];
  /** The rule that carries most weight, and which way: below 0 the lowest score is picked. */
  readonly feature: { readonly rule: string; readonly weight: number };
}

/** Fewer questions tell nothing about a rule with so many weights. */
export const MIN_FITTED_QUESTIONS = 50;
/** More questions than this teach weights nothing new. */
const MOST_TRAINED = 4000;
const FOLDS = 5;
/** Coarser than what the order of adding leaves in a utility, so that equal options tie. */
const PRECISION = 1e9;

/**
 * The rules fitted on a form: `fitted_no_read` over the scores of all rules that do not read the review, `fitted_lexical`
 * over the scores of all. Conditional logits over standardised scores, five-fold cross-validated: each question's pick is
 * by weights that were fitted on the other folds. The fold is decided by a hash of the cluster, so that all questions of a
 * cluster are in the same one, in every form and run.
 * @param questions of one form
 * @param sees sight of each rule; what is not named does not read the review
 * @returns none below 50 questions; only those that have scores of their kind
 */
export function fitRules(
  questions: readonly ScoredQuestion[],
  sees: Readonly<Record<string, RuleSight>>,
): FittedRule[] {
  const all = [...new Set(questions.flatMap(({ rules }) => rules))];
  if (questions.length < MIN_FITTED_QUESTIONS) return [];
  const noRead = all.filter((rule) => sees[rule] !== "lexical");
  const sight = RULE_SIGHTS.findLast((each) => noRead.some((rule) => (sees[rule] ?? "options") === each));
  return [
    ...(sight === undefined ? [] : [{ rule: "fitted_no_read", sees: sight, ...fitOver(questions, noRead) }]),
    ...(noRead.length === all.length
      ? []
      : [{ rule: "fitted_lexical", sees: "lexical" as const, ...fitOver(questions, all) }]),
  ];
}

function fitOver(questions: readonly ScoredQuestion[], rules: readonly string[]) {
  const choices = choicesOf(questions, rules);
  const folds = questions.map(({ cluster }) => foldOf(cluster));
  const weightsOfFold = Array.from({ length: FOLDS }, (_, fold) =>
    fitConditionalLogit({ ...choices, spans: sampled(choices.spans.filter((_span, i) => folds[i] !== fold)) }),
  );
  return {
    shares: choices.spans.map((span, i) => shareOfPick(choices, span, weightsOfFold[folds[i] ?? 0] ?? [])),
    feature: heaviest(rules, choices, weightsOfFold),
  };
}

/** Sample of the size that is learnt from, evenly spread. */
function sampled(spans: readonly Span[]): Span[] {
  const step = Math.ceil(spans.length / MOST_TRAINED);
  return spans.filter((_, i) => i % step === 0);
}

/** 0 to 4. */
export function foldOf(cluster: string): number {
  return Number.parseInt(sha256(cluster).slice(0, 8), 16) % FOLDS;
}

/** A question each. A rule that does not score a question says nothing about it: 0. */
function choicesOf(questions: readonly ScoredQuestion[], rules: readonly string[]): Choices {
  const features = rules.length;
  const places = new Map(rules.map((rule, feature) => [rule, feature]));
  const values = new Float64Array(sum(questions.map(optionCountOf)) * features);
  let next = 0;
  const spans = questions.map((question) => {
    const [start, end] = [next, next + optionCountOf(question)];
    for (const [own, rule] of question.rules.entries()) {
      const feature = places.get(rule);
      if (feature === undefined) continue;
      for (let option = 0; option < end - start; option++) {
        values[(start + option) * features + feature] = question.scores[own * (end - start) + option] ?? 0;
      }
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

/** The rule of the highest |weight| × spread of its scores (root mean square), the weight being the mean of the folds'. */
function heaviest(
  rules: readonly string[],
  { features, values }: Choices,
  weightsOfFold: readonly (readonly number[])[],
): FittedRule["feature"] {
  const weighed = rules.map((rule, k) => {
    let squares = 0;
    for (let i = k; i < values.length; i += features) squares += (values[i] ?? 0) ** 2;
    const spread = Math.sqrt(squares / Math.max(1, values.length / features));
    return { rule, weight: mean(weightsOfFold.map((weights) => weights[k] ?? 0)) * spread };
  });
  // The first of equals: of mirrored rules, such as longest and shortest, rounding alone would tell which weighs more.
  return weighed.reduce((most, each) => (Math.abs(each.weight) - Math.abs(most.weight) > 1 / PRECISION ? each : most));
}
