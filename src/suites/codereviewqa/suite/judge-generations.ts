import { proportion } from "../../../stats/interval.js";
import { signFlipUpperTest } from "../../../stats/sign-flip.js";
import type { Judgement } from "../../../verdict/verdict.js";
import type { ScoredGeneration } from "../metric/generation-summary.js";
import { FLOOR_ALPHA } from "../metric/verdict.js";

/** Exact match against repeating the code unchanged: the one-sided sign-flip test by example, as for questions. */
export function judgeGenerations(generations: readonly ScoredGeneration[]): Judgement {
  const pairs = generations.flatMap(({ measured }) => {
    if (measured?.copy == null) return [];
    return [{ mine: Number(measured.score.em), copy: Number(measured.copy.score.em) }];
  });
  const right = generations.filter(({ measured }) => measured?.score.em === true).length;
  const score = proportion(right, generations.length)?.value ?? null;
  const known = { score, floorRule: "copy", floor: share(pairs.map(({ copy }) => copy)) };
  if (score === null || known.floor === null) {
    return { ...known, floorRule: null, state: "unknown", pValue: null, text: "unknown: no floor was measured" };
  }
  const pValue = signFlipUpperTest(pairs.map(({ mine, copy }) => mine - copy));
  const numbers = `exact match ${score.toFixed(3)}, repeating the code unchanged ${known.floor.toFixed(3)}`;
  if (2 ** -pairs.filter(({ copy }) => copy === 0).length >= FLOOR_ALPHA) {
    return { ...known, state: "unknown", pValue: null, text: `unknown: too few generations to tell (${numbers})` };
  }
  const isAbove = score > known.floor && pValue < FLOOR_ALPHA;
  const text = `${isAbove ? "above" : "at"} its floor: ${numbers}`;
  return { ...known, state: isAbove ? "above_floor" : "at_floor", pValue, text };
}

function share(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
