import type { TextScore, TextScoring } from "../../../../question/question.js";
import { numberText } from "../../../../report/number-text.js";
import { proportion, tInterval } from "../../../../stats/interval.js";
import type { CaseOf } from "../../record/run-file.js";
import type { ProbeMetric } from "../metric-names.js";
import { type Measure, meanByCase, measure, type SummaryRow, shareByCase, summariseGroups } from "../summary-row.js";
import { type ScoredGeneration, statusMeasures } from "./scored-generation.js";

/** Answers of a rule without comprehension to each question, in their order. */
interface RuledAnswers {
  readonly rule: TextScoring["rules"][number];
  readonly scores: readonly (TextScore | null)[];
}

/** Answers of each rule in place of the model's, a failed generation or not. */
export function ruledAnswers(scoring: TextScoring, generations: readonly ScoredGeneration[]): RuledAnswers[] {
  const answers = generations.flatMap(({ open }) => (open === undefined ? [] : [open]));
  const references = answers.map(({ reference }) => reference);
  return scoring.rules.map((rule) => {
    const write = rule.writer(references);
    return { rule, scores: answers.map(({ preReview, reference }) => scoring.score(write(preReview), reference)) };
  });
}

/** All metrics of a probe that scores what is written itself: overall, then by language, then by change type. */
export function summariseOpenAnswers(
  task: string,
  scoring: TextScoring,
  generations: readonly ScoredGeneration[],
  caseOf: CaseOf | null = null,
): SummaryRow[] {
  return summariseGroups({ task, difficulty: null }, generations, (members) => [
    ...answerMeasures(scoring, members, caseOf),
    ...statusMeasures(members, caseOf),
    ...ruleMeasures(scoring, members),
  ]);
}

/**
 * One n for all: a generation that failed, or that is no answer, counts as no match and as nothing in common, as leaving it
 * out would reward failing.
 */
function answerMeasures(
  { graded, exact }: TextScoring,
  generations: readonly ScoredGeneration[],
  caseOf: CaseOf | null,
): Measure[] {
  const n = generations.length;
  const name = graded.name as ProbeMetric;
  const right = shareByCase(generations, caseOf, ({ open }) => open?.score?.em === true);
  const shares = meanByCase(generations, caseOf, ({ open }) => open?.score?.graded ?? 0);
  const unread = shareByCase(generations, caseOf, ({ status, open }) => status !== "failed" && open?.score === null);
  return [
    measure("em", right, n, `${exact}; Wilson 95 % interval`, { graded: { name, title: graded.title } }),
    measure(name, shares, n, `${graded.note}; 0 for no answer and for a failed one`),
    measure("no_answer_rate", unread, n, "not in the form asked for; failed ones are not among these"),
  ];
}

function ruleMeasures(scoring: TextScoring, generations: readonly ScoredGeneration[]): Measure[] {
  const n = generations.length;
  return ruledAnswers(scoring, generations).map(({ rule, scores }) => {
    const right = scores.filter((score) => score?.em === true).length;
    const graded = tInterval(scores.map((score) => score?.graded ?? 0))?.value;
    const note = `${rule.text}; ${scoring.graded.title} ${graded === undefined ? "unknown" : numberText(graded, "fraction")}`;
    return measure(`floor_${rule.name}`, proportion(right, n), n, note);
  });
}
