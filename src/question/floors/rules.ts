import { mean, standardDeviation } from "simple-statistics";
import { badInput } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { CHANGE_TYPES, type ChangeType, clusterOf, type Example } from "../../dataset/example.js";
import type { ChoiceProbe, Question } from "../question.js";
import { buildQuestions, type ProbeForm } from "../question-build.js";
import type { QuestionFloors } from "./floor-record.js";
import { LOCATION_RULES } from "./location-rules.js";
import { type Rule, type RuleSight, type ShippedRule, shareOfRight } from "./rule.js";
import { SOLUTION_RULES, TEXT_RULES } from "./solution-rules.js";

/** A CTR question as its rules see it. */
interface ChangeTypeView {
  /** The options; 0 is the right one. */
  readonly changeTypes: readonly ChangeType[];
  readonly review: string;
}

/** "Remove", "unused", "no need": asks for less. */
const LESS =
  /\b(?:remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|drop(?:s|ped|ping)?|unused|unnecessary|redundant|obsolete|leftover|not needed|no longer needed|(?:don't|do not|no) need|get rid of)\b/iu;
/** "Add", "missing", "also": asks for more. */
const MORE = /\b(?:add(?:s|ed|ing)?|missing|miss|also|include|insert|append|lacks?|should have|(?:a|another) test)\b/iu;

/**
 * The rules of change type recognition (spec §7), but for `majority`: it is a rule of the benchmark, not of one question
 * (`floors.ts`).
 */
const CHANGE_TYPE_RULES: readonly ShippedRule<ChangeTypeView>[] = [
  /** Score: 1 for the type that words of the review name, 0 for the others. */
  {
    name: "keywords",
    sees: "lexical",
    text: "delete where a word of the review asks for less, add where one asks for more, else modify",
    score: ({ changeTypes, review }) => changeTypes.map((type) => Number(type === typeByKeywords(review))),
  },
];

function typeByKeywords(review: string): ChangeType {
  if (LESS.test(review)) return "delete";
  return MORE.test(review) ? "add" : "modify";
}

/**
 * All rules that come with the program, by the task whose questions they answer: name, sight, text and score of a rule
 * stand in its row there and nowhere else. Any other task is a probe of one's own.
 */
export const TASK_RULES = { CTR: CHANGE_TYPE_RULES, CL: LOCATION_RULES, SI: SOLUTION_RULES } as const;

const ROWS = Object.entries(TASK_RULES).flatMap(([task, rules]) =>
  rules.map(({ name, text }) => ({ task, name, text })),
);

/** Pick of each rule by its name, with the tasks that it is of in front, as tables and documents show it. */
export const RULE_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  ROWS.map(({ name, text }) => {
    const tasks = ROWS.filter((row) => row.name === name).map(({ task }) => task);
    return [name, TEXT_RULES.some((rule) => rule.name === name) ? text : `${tasks.join(", ")}: ${text}`];
  }),
);

/** The part of a question that rules need. */
type AskedQuestion = Pick<Question, "task" | "difficulty" | "exampleId" | "language" | "options">;
/** The part of a probe that rules need. */
type RuledProbe = Pick<ChoiceProbe, "answerClass" | "rules">;

interface RuleScores {
  readonly rule: string;
  readonly sees: RuleSight;
  /** Scores in the order of the options. */
  readonly scores: readonly number[];
}

/**
 * The result of every rule of the probe on one question (spec §7, *Floors*): CTR, CL and SI have rules of their own, any
 * other probe those that look at texts and those that it defines. Reads no answer.
 * @throws ProbeError `bad_input` when a rule does not give a finite number an option
 */
export function floorsOf(question: AskedQuestion, example: Example, probe: RuledProbe): QuestionFloors {
  const all = scoresOf(question, example, probe);
  for (const { rule, scores } of all) requireScores(question, rule, scores);
  return {
    task: question.task,
    difficulty: question.difficulty,
    exampleId: question.exampleId,
    ...(example.isHunkOfTask === true && { cluster: clusterOf(example) }),
    language: question.language,
    answerClass: probe.answerClass(example),
    shares: Object.fromEntries(all.map(({ rule, scores }) => [rule, shareOfRight(scores)])),
    sees: Object.fromEntries(all.map(({ rule, sees }) => [rule, sees])),
    scores: Object.fromEntries(
      [...all, ...classesOf(question, example)].map(({ rule, scores }) => [rule, standardised(scores)]),
    ),
  };
}

/** The floors of all multiple-choice questions about the examples, with the example of each, in the order of asking. */
export async function* floorsOfExamples(
  examples: AsyncIterable<Example> | Iterable<Example>,
  forms: readonly ProbeForm[],
): AsyncGenerator<{ readonly floors: QuestionFloors; readonly example: Example }> {
  const probes = new Map(forms.map(({ probe }) => [probe.task, probe]));
  for await (const example of examples) {
    for await (const question of buildQuestions([example], forms)) {
      const probe = probes.get(question.task);
      if (probe?.kind === "choice") yield { floors: floorsOf(question, example, probe), example };
    }
  }
}

/** The classes of the options, for fitted rules: of change types some are commoner. */
function classesOf(
  { task }: AskedQuestion,
  { changeType, changeTypeDistractors }: Example,
): Omit<RuleScores, "sees">[] {
  if (task !== "CTR") return [];
  const options = [changeType, ...changeTypeDistractors];
  return CHANGE_TYPES.map((type) => ({ rule: `is_${type}`, scores: options.map((option) => Number(option === type)) }));
}

function scoresOf(question: AskedQuestion, example: Example, { rules = [] }: RuledProbe): RuleScores[] {
  const { preReviewLines, review, changeType } = example;
  switch (question.task) {
    case "CTR":
      return apply(TASK_RULES.CTR, { changeTypes: [changeType, ...example.changeTypeDistractors], review });
    case "CL": {
      const wrong = example.locationDistractors?.[question.difficulty ?? "easy"] ?? [];
      const locations = [example.location, ...wrong];
      return apply(TASK_RULES.CL, { locations, lines: preReviewLines, review, changeType });
    }
    case "SI":
      return apply(TASK_RULES.SI, { solutions: question.options, preReviewLines, review });
    default:
      return apply([...TEXT_RULES, ...rules], { options: question.options, example });
  }
}

function apply<View>(rules: readonly Rule<View>[], view: View): RuleScores[] {
  return rules.map((rule) => ({ rule: rule.name, sees: rule.sees, scores: rule.score(view) }));
}

function requireScores({ task, exampleId, options }: AskedQuestion, rule: string, scores: readonly number[]): void {
  if (scores.length === options.length && scores.every(Number.isFinite)) return;
  throw badInput(
    `Expected ${options.length} finite numbers of the rule ${rule} of ${task} for example ` +
      `${exampleId}, found ${shorten(JSON.stringify(scores), 120)}. Correct the rule.`,
  );
}

/**
 * z-scores over the options of one question (population deviation), in four decimals; all 0 where the rule makes no
 * difference. So a rule's score says how far an option is from the others beside it, whatever the rule counts.
 */
function standardised(scores: readonly number[]): number[] {
  const [centre, deviation] = [mean([...scores]), standardDeviation([...scores])];
  return scores.map((score) => (deviation === 0 ? 0 : Math.round(((score - centre) / deviation) * 1e4) / 1e4 + 0));
}
