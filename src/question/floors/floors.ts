import { createHash } from "node:crypto";
import { countBy, groupBy, KeptOnce } from "../../base/grouping.js";
import { clusteredProportion, clusterTotals, type Estimate } from "../../stats/interval.js";
import { type FittedRule, fitRules, type ScoredQuestion, scoredQuestion } from "./fitted-rule.js";
import type { QuestionFloors } from "./floor-record.js";
import type { RuleSight } from "./rule.js";

/**
 * Groups of questions by what words of the review do: `suffice` where the fitted lexical rule (out of fold) picks the right
 * option, alone or in a tie; `do_not_suffice` where it picks a wrong one.
 */
export const WORD_GROUPS = ["suffice", "do_not_suffice"] as const;

export type WordGroup = (typeof WORD_GROUPS)[number];

/** Group of a question; `null` where no lexical rule was fitted. */
export function wordGroupOf({ shares }: Pick<RuledQuestion, "shares">): WordGroup | null {
  const share = shares["fitted_lexical"];
  if (share === undefined) return null;
  return share > 0 ? "suffice" : "do_not_suffice";
}

/** A question with what every rule makes of it, those fitted on its form among them. */
export type RuledQuestion = Pick<
  QuestionFloors,
  "exampleId" | "cluster" | "language" | "answerClass" | "shares" | "sees"
>;

/** The floors of one probe form, before they are taken over a group of its questions. */
export interface FormFloors {
  readonly questions: readonly RuledQuestion[];
  /** Notes on the rules that were fitted on the form, by name; none below 50 questions. */
  readonly fitted: Readonly<Record<string, string>>;
}

/** Success of a rule. */
export interface RuleFloor {
  /** Such as `longest`; `majority` and the fitted ones are rules of the form, not of one question. */
  readonly rule: string;
  readonly sees: RuleSight;
  /**
   * Mean of the questions' shares, 0–1; the same for one order and for all (invariant), as no rule depends on the order.
   * Its interval is Wilson's of the expected number of right picks, by cluster. Where ties are split the shares vary less
   * than ones that are all 0 or 1 with the same mean, so the interval is at least as wide as it need be.
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
  /** `majority` first where answers have classes, then the others in their own order, then those that were fitted. */
  readonly rules: readonly RuleFloor[];
  /** The best that does not read the review, and the best lexical one; the first of equals. */
  readonly noRead: RuleFloor | null;
  readonly lexical: RuleFloor | null;
  /** The best of all. */
  readonly highest: RuleFloor | null;
}

/** Forms, kept once: runs that stand side by side were mostly asked the same. At most some megabytes. */
const FORMS = new KeptOnce<FormFloors>(12);
/** Larger forms take too much memory to be kept. */
const MOST_KEPT = 2000;

/** Gathers the floors of one form, question by question: what the rules are fitted on is not kept longer than that. */
export class FloorsOfForm {
  readonly #questions: RuledQuestion[] = [];
  readonly #content = createHash("sha256");
  #scores: ScoredQuestion[] = [];

  add(question: QuestionFloors): void {
    const { exampleId, cluster, language, answerClass, shares, sees } = question;
    this.#questions.push({ exampleId, ...(cluster !== undefined && { cluster }), language, answerClass, shares, sees });
    this.#scores.push(scoredQuestion(question));
    this.#content.update(JSON.stringify(question));
  }

  /** To be called once, behind the last question. */
  fitted(): FormFloors {
    if (this.#questions.length > MOST_KEPT) return this.#fit();
    return FORMS.made(this.#content.digest("hex"), () => this.#fit());
  }

  #fit(): FormFloors {
    const different = [...new Set(this.#questions.map(({ sees }) => sees))];
    const rules = fitRules(this.#scores, Object.assign({}, ...different));
    this.#scores = [];
    const sights = new KeptOnce<RuledQuestion["sees"]>(MOST_SIGHTS);
    const own = Object.fromEntries(rules.map(({ rule, sees }) => [rule, sees]));
    return {
      // Field by field: a spread object would have a shape of its own, which takes as much room again.
      questions: this.#questions.map(({ exampleId, cluster, language, answerClass, shares, sees }, i) => {
        const all = { ...shares, ...Object.fromEntries(rules.map((each) => [each.rule, each.shares[i] ?? 0])) };
        return {
          exampleId,
          ...(cluster !== undefined && { cluster }),
          language,
          answerClass,
          shares: all,
          sees: sights.of(JSON.stringify(sees), { ...sees, ...own }),
        };
      }),
      fitted: Object.fromEntries(rules.map(({ rule, sees, feature }) => [rule, fittedNote(sees, feature)])),
    };
  }
}

/** Questions of a form that was begun before a rule was added are measured by different ones. */
const MOST_SIGHTS = 1000;

function fittedNote(sees: RuleSight, { rule, weight }: FittedRule["feature"]): string {
  const kind = sees === "lexical" ? "all rules" : "no-read rules";
  return `${kind} together, cross-validated; most weight on ${weight < 0 ? "−" : ""}${rule}`;
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

/** Floors of groups of a form, kept once: rows and judgements, of several runs, are about the same questions. */
const GROUPS = new WeakMap<FormFloors["fitted"], KeptOnce<GroupFloors>>();

/** Floors of these questions (spec §7). Everything is absent where there is no question. */
export function summariseFloors(form: FormFloors): GroupFloors {
  if (form.questions.length > MOST_KEPT) return floorsOfGroup(form);
  const known = GROUPS.get(form.fitted) ?? new KeptOnce<GroupFloors>(100);
  GROUPS.set(form.fitted, known);
  return known.made(form.questions.map(({ exampleId }) => exampleId).join("\n"), () => floorsOfGroup(form));
}

function floorsOfGroup({ questions, fitted }: FormFloors): GroupFloors {
  const rules = [...majorityRule(questions), ...rulesOf(questions, fitted)];
  return {
    n: questions.length,
    rules,
    noRead: best(rules.filter(({ sees }) => sees !== "lexical")),
    lexical: best(rules.filter(({ sees }) => sees === "lexical")),
    highest: best(rules),
  };
}

/**
 * The probabilities with which a rule is right, a question each; `majority` gives the commonest class of these
 * very questions.
 */
export function sharesOfRule(questions: readonly RuledQuestion[], rule: string): number[] {
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

function majorityRule(questions: readonly RuledQuestion[]): RuleFloor[] {
  const majority = majorityFloor(questions.map(({ answerClass }) => answerClass));
  if (majority === null) return [];
  return ruleFloor(questions, { rule: MAJORITY, sees: "options", note: `always "${majority.answer}"` });
}

/** Rules that all questions were measured by: a run that was begun before a rule was added has it on some or none. */
function rulesOf(questions: readonly RuledQuestion[], notes: FormFloors["fitted"]): RuleFloor[] {
  const different = [...new Set(questions.map(({ sees }) => sees))];
  const sights = Object.entries(different[0] ?? {}).filter(([rule]) =>
    different.every((sees) => Object.hasOwn(sees, rule)),
  );
  return sights.flatMap(([rule, sees]) => ruleFloor(questions, { rule, sees, note: notes[rule] ?? SIGHT_NOTES[sees] }));
}

function ruleFloor(questions: readonly RuledQuestion[], named: Pick<RuleFloor, "rule" | "sees" | "note">): RuleFloor[] {
  const shares = sharesOfRule(questions, named.rule).map((share, i) => ({ share, question: questions[i] }));
  const clusters = groupBy(shares, ({ question }) => question?.cluster ?? question?.exampleId);
  const values = [...clusters.values()].map((own) => own.map(({ share }) => share));
  const share = clusteredProportion(clusterTotals(values));
  return share === null ? [] : [{ ...named, share, n: questions.length }];
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
