import { mean, standardDeviation } from "simple-statistics";
import { ProbeError } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import type { Difficulty, Example } from "../../dataset/example.js";
import type { ChoiceProbe, OptionsView, Question } from "../question.js";
import { buildQuestions, type ProbeForm } from "../question-build.js";
import { CHANGE_TYPE_RULES } from "./change-type-rules.js";
import type { QuestionFloors } from "./floor-record.js";
import { LOCATION_RULES } from "./location-rules.js";
import { type Rule, type RuleSight, shareOfRight } from "./rule.js";
import { SOLUTION_RULES } from "./solution-rules.js";
import { TEXT_RULES } from "./text-rules.js";

/** What of a question the rules need. */
type AskedQuestion = Pick<Question, "task" | "difficulty" | "exampleId" | "language" | "options">;
/** What of a probe. */
type RuledProbe = Pick<ChoiceProbe, "answerClass" | "rules">;

interface RuleScores {
  readonly rule: string;
  readonly sees: RuleSight;
  /** In the order of the options. */
  readonly scores: readonly number[];
}

/**
 * What every rule of the probe makes of one question (spec §7, *Floors*): CTR, CL and SI have rules of their own, any
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
    language: question.language,
    answerClass: probe.answerClass(example),
    shares: Object.fromEntries(all.map(({ rule, scores }) => [rule, shareOfRight(scores)])),
    sees: Object.fromEntries(all.map(({ rule, sees }) => [rule, sees])),
    scores: Object.fromEntries(
      all.filter(({ sees }) => sees !== "lexical").map(({ rule, scores }) => [rule, standardised(scores)]),
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

function scoresOf(question: AskedQuestion, example: Example, { rules }: RuledProbe): RuleScores[] {
  const { preReviewLines, review, changeType } = example;
  switch (question.task) {
    case "CTR":
      return apply(CHANGE_TYPE_RULES, { changeTypes: [changeType, ...example.changeTypeDistractors], review });
    case "CL": {
      const wrong = example.locationDistractors?.[formOf(question.difficulty)] ?? [];
      return apply(LOCATION_RULES, {
        locations: [example.location, ...wrong],
        lines: preReviewLines,
        review,
        changeType,
      });
    }
    case "SI":
      return apply(SOLUTION_RULES, { solutions: question.options, preReviewLines, review });
    default:
      return apply<OptionsView>([...TEXT_RULES, ...(rules ?? [])], { options: question.options, example });
  }
}

/** As the probe CL itself reads a question without a difficulty. */
function formOf(difficulty: Difficulty | null): Difficulty {
  return difficulty ?? "easy";
}

function apply<View>(rules: readonly Rule<View>[], view: View): RuleScores[] {
  return rules.map((rule) => ({ rule: rule.name, sees: rule.sees, scores: rule.score(view) }));
}

function requireScores({ task, exampleId, options }: AskedQuestion, rule: string, scores: readonly number[]): void {
  if (scores.length === options.length && scores.every(Number.isFinite)) return;
  throw new ProbeError(
    "bad_input",
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
