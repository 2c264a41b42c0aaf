import { numberText } from "../../../report/number-text.js";
import { proportion } from "../../../stats/interval.js";
import { signFlipUpperTest } from "../../../stats/sign-flip.js";
import type { Judgement } from "../../../verdict/verdict.js";
import type { TextScoring } from "../example/text-scoring.js";
import type { ScoredGeneration } from "../metric/generation-summary.js";
import { ruledAnswers } from "../metric/open-answers.js";
import { FLOOR_ALPHA } from "../metric/verdict.js";

/** What a way to answer without comprehension gets, a generation each, beside what the model got. */
interface Rival {
  /** Such as `copy`. */
  readonly rule: string;
  /** In words. */
  readonly text: string;
  readonly pairs: readonly { readonly mine: number; readonly its: number }[];
}

/** Exact match against repeating the code unchanged: the one-sided sign-flip test by example, as for questions. */
export function judgeGenerations(generations: readonly ScoredGeneration[]): Judgement {
  const pairs = generations.flatMap(({ measured }) => {
    if (measured?.copy == null) return [];
    return [{ mine: Number(measured.score.em), its: Number(measured.copy.score.em) }];
  });
  const right = generations.filter(({ measured }) => measured?.score.em === true).length;
  return judge(right, generations.length, [{ rule: "copy", text: "repeating the code unchanged", pairs }]);
}

/** Likewise against the best rule of a probe that scores what is written itself. */
export function judgeOpenAnswers(scoring: TextScoring, generations: readonly ScoredGeneration[]): Judgement {
  const mine = generations.map(({ open }) => Number(open?.score?.em === true));
  const rivals = ruledAnswers(scoring, generations).map(({ rule, scores }): Rival => {
    const pairs = mine.map((own, i) => ({ mine: own, its: Number(scores[i]?.em === true) }));
    return { rule: rule.name, text: `the rule ${rule.name}`, pairs };
  });
  return judge(mine.filter((own) => own === 1).length, generations.length, rivals);
}

function judge(right: number, n: number, rivals: readonly Rival[]): Judgement {
  const score = proportion(right, n)?.value ?? null;
  const [best] = rivals
    .flatMap((rival) => {
      const floor = share(rival.pairs.map(({ its }) => its));
      return floor === null ? [] : [{ ...rival, floor }];
    })
    .sort((a, b) => b.floor - a.floor);
  if (score === null || best === undefined) {
    const text = "unknown: no floor was measured";
    return { score, floor: null, floorRule: null, state: "unknown", pValue: null, text };
  }
  const known = { score, floorRule: best.rule, floor: best.floor };
  const pValue = signFlipUpperTest(best.pairs.map(({ mine, its }) => mine - its));
  const numbers = `exact match ${numberText(score, "fraction")}, ${best.text} ${numberText(best.floor, "fraction")}`;
  if (2 ** -best.pairs.filter(({ its }) => its === 0).length >= FLOOR_ALPHA) {
    return { ...known, state: "unknown", pValue: null, text: `unknown: too few generations to tell (${numbers})` };
  }
  const isAbove = score > best.floor && pValue < FLOOR_ALPHA;
  const text = `${isAbove ? "above" : "at"} its floor: ${numbers}`;
  return { ...known, state: isAbove ? "above_floor" : "at_floor", pValue, text };
}

function share(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
