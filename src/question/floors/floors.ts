import { sum } from "simple-statistics";
import { countBy } from "../../base/grouping.js";
import { type Estimate, proportion } from "../../stats/interval.js";
import { fitRules, type ScoredQuestion, scoredQuestion } from "./fitted-rule.js";
import type { QuestionFloors } from "./floor-record.js";
import { RULE_SIGHTS, type RuleSight } from "./rule.js";

/** Facts that are kept of a question once rules are fitted. */
type QuestionShares = Pick<QuestionFloors, "exampleId" | "language" | "answerClass" | "shares" | "sees">;

/** A question with what the rules fitted on its form make of it. */
export interface RuledQuestion extends QuestionShares {
  /** Probability that the fitted rule picks the right option; `null` where there is none (`fitRules`). */
  readonly fittedShare: number | null;
}

/** The floors of one probe form, before they are taken over a group of its questions. */
export interface FormFloors {
  readonly questions: readonly RuledQuestion[];
  /** The rule that carries most weight in the fitted one, `−` before it where the lowest score is picked. */
  readonly fittedFeature: string | null;
}

/** Success of a rule. */
export interface RuleFloor {
  /** Such as `longest`; `majority` and `fitted` are rules of the form, not of one question. */
  readonly rule: string;
  readonly sees: RuleSight;
  /**
   * Mean of the questions' shares, 0–1; the same for one order and for all (invariant), as no rule depends on the order.
   * Its interval is Wilson's of the expected number of right picks. Where ties are split the shares vary less than ones
   * that are all 0 or 1 with the same mean, so the interval is at least as wide as it need be.
   */
  readonly share: Estimate;
  /** Questions. */
  readonly n: number;
  readonly note: string;
}

/** The floors of a group of questions of one form. */
export interface GroupFloors {
  /** Questions. */
  readonly n: number;
  /** Fixed rules: `majority` first where answers have classes, then the others in their own order. */
  readonly rules: readonly RuleFloor[];
  /** The best fixed one that does not read the review, the best lexical one; the first of equals. */
  readonly noRead: RuleFloor | null;
  readonly lexical: RuleFloor | null;
  readonly fitted: RuleFloor | null;
  /** The floor that is printed: the highest of all; a fixed rule before the fitted one. */
  readonly highest: RuleFloor | null;
}

/** Gathers the floors of one form, question by question: what the rules are fitted on is not kept longer than that. */
export class FloorsOfForm {
  readonly #questions: QuestionShares[] = [];
  #scores: ScoredQuestion[] = [];

  add(question: QuestionFloors): void {
    const { exampleId, language, answerClass, shares, sees } = question;
    this.#questions.push({ exampleId, language, answerClass, shares, sees });
    this.#scores.push(scoredQuestion(question));
  }

  /** To be called once, behind the last question. */
  fitted(): FormFloors {
    const fitted = fitRules(this.#scores);
    this.#scores = [];
    return {
      // Field by field: a spread object would have a shape of its own, which takes as much room again.
      questions: this.#questions.map(({ exampleId, language, answerClass, shares, sees }, i) => {
        return { exampleId, language, answerClass, shares, sees, fittedShare: fitted?.shares[i] ?? null };
      }),
      fittedFeature: fitted && `${fitted.feature.weight < 0 ? "−" : ""}${fitted.feature.rule}`,
    };
  }
}

/** @param questions all of one form */
export function floorsOfForm(questions: readonly QuestionFloors[]): FormFloors {
  const form = new FloorsOfForm();
  for (const question of questions) form.add(question);
  return form.fitted();
}

/** Only the questions about these examples; the fitted rule stays the one of the whole form. */
export function floorsOfExampleIds(form: FormFloors, exampleIds: ReadonlySet<string>): FormFloors {
  return { ...form, questions: form.questions.filter(({ exampleId }) => exampleIds.has(exampleId)) };
}

/** Floors of these questions (spec §7). Everything is absent where there is no question. */
export function summariseFloors({ questions, fittedFeature }: FormFloors): GroupFloors {
  const rules = [...majorityRule(questions), ...fixedRules(questions)];
  const noRead = best(rules.filter(({ sees }) => sees !== "lexical"));
  const lexical = best(rules.filter(({ sees }) => sees === "lexical"));
  const fitted = fittedRule(questions, fittedFeature);
  return {
    n: questions.length,
    rules,
    noRead,
    lexical,
    fitted,
    highest: best([...rules, ...(fitted === null ? [] : [fitted])]),
  };
}

/**
 * The probabilities with which a fixed rule is right, a question each; `majority` gives the commonest class of these
 * very questions.
 */
export function sharesOfRule(questions: readonly QuestionShares[], rule: string): number[] {
  if (rule !== MAJORITY) return questions.map(({ shares }) => shares[rule] ?? 0);
  const commonest = majorityFloor(questions.map(({ answerClass }) => answerClass))?.answer;
  return questions.map(({ answerClass }) => Number(answerClass === commonest));
}

const MAJORITY = "majority";

const SIGHT_NOTES: Readonly<Record<RuleSight, string>> = {
  options: "no-read: sees the options alone",
  "options+code": "no-read: sees options and code, not the review",
  lexical: "lexical: matches words of the review",
};

function majorityRule(questions: readonly QuestionShares[]): RuleFloor[] {
  const majority = majorityFloor(questions.map(({ answerClass }) => answerClass));
  if (majority === null) return [];
  return ruleFloor(MAJORITY, "options", sharesOfRule(questions, MAJORITY), `always "${majority.answer}"`);
}

/** Rules that all questions were measured by: a run that was begun before a rule was added has it on some or none. */
function fixedRules(questions: readonly QuestionShares[]): RuleFloor[] {
  const different = [...new Set(questions.map(({ sees }) => sees))];
  const sights = Object.entries(different[0] ?? {}).filter(([rule]) =>
    different.every((sees) => Object.hasOwn(sees, rule)),
  );
  return sights.flatMap(([rule, sees]) => ruleFloor(rule, sees, sharesOfRule(questions, rule), SIGHT_NOTES[sees]));
}

function fittedRule(questions: readonly RuledQuestion[], feature: string | null): RuleFloor | null {
  const shares = questions.flatMap(({ fittedShare }) => (fittedShare === null ? [] : [fittedShare]));
  if (feature === null || shares.length < questions.length) return null;
  const noRead = RULE_SIGHTS.filter((sight) => sight !== "lexical");
  const sights = [...new Set(questions.map((question) => question.sees))];
  const sees = noRead.findLast((sight) => sights.some((own) => Object.values(own).includes(sight)));
  const note = `no-read rules together, cross-validated; most weight on ${feature}`;
  return ruleFloor("fitted", sees ?? "options", shares, note)[0] ?? null;
}

function ruleFloor(rule: string, sees: RuleSight, shares: readonly number[], note: string): RuleFloor[] {
  const n = shares.length;
  const share = proportion(sum([...shares]), n);
  return share === null ? [] : [{ rule, sees, share, n, note }];
}

function best(rules: readonly RuleFloor[]): RuleFloor | null {
  return rules.reduce<RuleFloor | null>(
    (most, rule) => (most === null || rule.share.value > most.share.value ? rule : most),
    null,
  );
}

/** Scores of guessing, which mean nothing. */
interface Floors {
  /** 1/N: right under one order, and the least that plurality agreement can be. */
  readonly oneOrder: number;
  /** (1/N)^(N!): right under all orders by independent guesses (paper §5.1). */
  readonly invariant: number;
}

export function randomFloors(optionCount: number, permutations: number): Floors {
  return { oneOrder: 1 / optionCount, invariant: (1 / optionCount) ** permutations };
}

/**
 * Share of the commonest answer class: the invariant accuracy of a model that always gives it. `null` where answers
 * have no classes, or there are none.
 */
export function majorityFloor(classes: readonly (string | null)[]): { share: number; answer: string } | null {
  const counts = [...countBy(classes.filter((name) => name !== null))].sort(([, a], [, b]) => b - a);
  const [commonest] = counts;
  return commonest === undefined ? null : { share: commonest[1] / classes.length, answer: commonest[0] };
}
