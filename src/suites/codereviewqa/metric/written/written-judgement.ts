import { sum } from "simple-statistics";
import type { TextScoring } from "../../../../question/question.js";
import { WRITTEN_SENTENCES } from "../../../../report/judgement-words.js";
import { type Judgement, NO_NUMBERS } from "../../../../verdict/judgement.js";
import { type Rival, testRung } from "../../../../verdict/rung.js";
import type { CaseOf } from "../../record/run-file.js";
import { ruledAnswers } from "./open-answers.js";
import type { ScoredGeneration } from "./scored-generation.js";

/** Texts that can be held against rules: of each, whether it is exactly right. */
interface Written {
  readonly clusters: readonly string[];
  readonly values: readonly number[];
}

/** Judges exact match against repeating the code unchanged, by the one-sided sign-flip test by cluster. */
export function judgeGenerations(generations: readonly ScoredGeneration[], caseOf: CaseOf | null = null): Judgement {
  const pairs = generations.flatMap((generation) => {
    const { measured } = generation;
    if (measured?.copy == null) return [];
    return [{ generation, mine: Number(measured.score.em), its: Number(measured.copy.score.em) }];
  });
  const right = generations.filter(({ measured }) => measured?.score.em === true).length;
  const written = {
    clusters: clustersOf(
      pairs.map(({ generation }) => generation),
      caseOf,
    ),
    values: pairs.map(({ mine }) => mine),
  };
  const copy = { rule: "copy", shares: pairs.map(({ its }) => its) };
  return judgeWritten(right, generations.length, written, [copy], () => "repeating the code unchanged");
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
