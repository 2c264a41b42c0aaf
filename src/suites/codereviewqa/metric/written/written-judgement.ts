import { sum } from "simple-statistics";
import type { TextScore, TextScoring } from "../../../../question/question.js";
import { percent, pText, say } from "../../../../report/judgement-words.js";
import { numberText } from "../../../../report/number-text.js";
import { proportion, tInterval } from "../../../../stats/interval.js";
import { type Judgement, NO_NUMBERS } from "../../../../verdict/judgement.js";
import { type Rival, testRung } from "../../../../verdict/rung.js";
import type { CaseOf } from "../../record/run-file.js";
import type { ProbeMetric } from "../metric-names.js";
import { type Measure, meanByCase, measure, type SummaryRow, shareByCase, summariseGroups } from "../summary-row.js";
import { type ScoredGeneration, statusMeasures } from "./scored-generation.js";

/** Texts that can be held against rules: of each, whether it is exactly right. */
interface Written {
  readonly clusters: readonly string[];
  readonly values: readonly number[];
}

/** Numbers of a form whose answers are written. */
interface WrittenScore {
  readonly score: number;
  readonly floor: number;
  /** The floor's rule in words, such as `repeating the code unchanged`. */
  readonly rule: string;
  readonly pValue: number;
}

/** Sentences on forms whose answers are written. */
export const WRITTEN_SENTENCES = {
  noFloor: say("unknown", "no floor was measured"),
  tooFew: (found: WrittenScore) => say("too few", `no score could be told from chance (${writtenText(found)})`),
  notAbove: (found: WrittenScore) =>
    say("at its floor", `not shown to be above every rule: ${writtenText(found)} (${pText(found.pValue)})`),
  above: (found: WrittenScore) => say("above its floor", `${writtenText(found)} (${pText(found.pValue)})`),
} as const;

function writtenText({ score, floor, rule }: WrittenScore): string {
  return `exact match ${percent(score)}, ${rule} ${percent(floor)}`;
}

/** Rules of a revision in words. */
const REVISION_RULES: Readonly<Record<string, string>> = {
  copy: "repeating the code unchanged",
  nothing: "writing nothing",
};

/**
 * Judges exact match against repeating the code unchanged, and against writing nothing (right where a hunk is deleted
 * whole), by the one-sided sign-flip test by cluster.
 */
export function judgeGenerations(generations: readonly ScoredGeneration[], caseOf: CaseOf | null = null): Judgement {
  const pairs = generations.flatMap((generation) => {
    const { measured } = generation;
    if (measured?.copy == null) return [];
    const isDeleted = measured.ngrams.referenceTokens === 0;
    return [
      { generation, mine: Number(measured.score.em), its: Number(measured.copy.score.em), nothing: Number(isDeleted) },
    ];
  });
  const right = generations.filter(({ measured }) => measured?.score.em === true).length;
  const written = {
    clusters: clustersOf(
      pairs.map(({ generation }) => generation),
      caseOf,
    ),
    values: pairs.map(({ mine }) => mine),
  };
  const rivals = [
    { rule: "copy", shares: pairs.map(({ its }) => its) },
    { rule: "nothing", shares: pairs.map(({ nothing }) => nothing) },
  ];
  return judgeWritten(right, generations.length, written, rivals, (rule) => REVISION_RULES[rule] ?? rule);
}

/** Judges exact match against the rules of a probe that scores texts by itself, by the same test. */
export function judgeOpenAnswers(
  scoring: TextScoring,
  generations: readonly ScoredGeneration[],
  caseOf: CaseOf | null = null,
): Judgement {
  const values = generations.map(({ open }) => Number(open?.score?.em === true));
  const rivals = ruledAnswers(scoring, generations).map(({ rule, scores }): Rival => {
    return { rule: rule.name, shares: scores.map((score) => Number(score?.em === true)) };
  });
  return judgeWritten(
    sum(values),
    values.length,
    { clusters: clustersOf(generations, caseOf), values },
    rivals,
    (rule) => `the rule ${rule}`,
  );
}

/** Hunks of one task are one cluster; else each text is its own. */
function clustersOf(generations: readonly ScoredGeneration[], caseOf: CaseOf | null): string[] {
  return generations.map(({ exampleId }, i) => caseOf?.(exampleId) ?? String(i));
}

function judgeWritten(
  right: number,
  n: number,
  written: Written,
  rivals: readonly Rival[],
  nameOf: (rule: string) => string,
): Judgement {
  const score = n === 0 ? null : right / n;
  const rung = testRung(written, rivals);
  if (score === null || rung === null) {
    return { ...NO_NUMBERS, score, state: "unknown", sentence: WRITTEN_SENTENCES.noFloor };
  }
  const { best, hardest, hopeless } = rung;
  const numbers = { ...NO_NUMBERS, score, floor: best.share, floorRule: best.rule, clusters: rung.clusters };
  const test = { pValue: hardest.pValue, against: hardest.rule };
  const found = { score, floor: best.share, rule: nameOf(best.rule), pValue: hardest.pValue };
  if (rung.isReached) return { ...numbers, ...test, state: "above_floor", sentence: WRITTEN_SENTENCES.above(found) };
  return hopeless === null
    ? { ...numbers, ...test, state: "at_floor", sentence: WRITTEN_SENTENCES.notAbove(found) }
    : { ...numbers, state: "unknown", sentence: WRITTEN_SENTENCES.tooFew(found) };
}

/** Answers of a rule without comprehension to each question, in their order. */
interface RuledAnswers {
  readonly rule: TextScoring["rules"][number];
  readonly scores: readonly (TextScore | null)[];
}

/** Answers of each rule in place of the model's, a failed generation or not. */
function ruledAnswers(scoring: TextScoring, generations: readonly ScoredGeneration[]): RuledAnswers[] {
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
