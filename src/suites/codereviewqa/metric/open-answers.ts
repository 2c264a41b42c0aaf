import type { TextScore, TextScoring } from "../../../question/question.js";
import { numberText } from "../../../report/number-text.js";
import { meanEstimate, proportion } from "../../../stats/interval.js";
import type { ProbeMetric } from "./metric-names.js";
import { type ScoredGeneration, statusMeasures } from "./scored-generation.js";
import { type Measure, measure, type SummaryRow, summariseGroups } from "./summary-row.js";

/** What a rule without comprehension makes of each question, in their order. */
interface RuledAnswers {
  readonly rule: TextScoring["rules"][number];
  readonly scores: readonly (TextScore | null)[];
}

/** What each rule would have scored in place of the model, a failed generation or not. */
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
): SummaryRow[] {
  return summariseGroups({ task, difficulty: null }, generations, (members) => [
    ...answerMeasures(scoring, members),
    ...statusMeasures(members),
    ...ruleMeasures(scoring, members),
  ]);
}

/** A generation that failed, or that is no answer, counts as no match: leaving it out would reward failing. */
function answerMeasures({ graded, exact }: TextScoring, generations: readonly ScoredGeneration[]): Measure[] {
  const n = generations.length;
  const name = graded.name as ProbeMetric;
  const written = generations.filter(({ status }) => status !== "failed");
  const unread = written.filter(({ open }) => open?.score === null).length;
  const right = generations.filter(({ open }) => open?.score?.em === true).length;
  const shares = written.map(({ open }) => open?.score?.graded ?? 0);
  return [
    measure("em", proportion(right, n), n, `${exact}; Wilson 95 % interval`, { graded: { name, title: graded.title } }),
    measure(name, meanEstimate(shares), shares.length, `${graded.note}; 0 for no answer`),
    measure("no_answer_rate", proportion(unread, written.length), written.length, "not in the form asked for"),
  ];
}

function ruleMeasures(scoring: TextScoring, generations: readonly ScoredGeneration[]): Measure[] {
  const n = generations.length;
  return ruledAnswers(scoring, generations).map(({ rule, scores }) => {
    const right = scores.filter((score) => score?.em === true).length;
    const graded = meanEstimate(scores.map((score) => score?.graded ?? 0))?.value;
    const note = `${rule.text}; ${scoring.graded.title} ${graded === undefined ? "unknown" : numberText(graded, "fraction")}`;
    return measure(`floor_${rule.name}`, proportion(right, n), n, note);
  });
}
