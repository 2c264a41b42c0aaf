import { counted } from "../../base/text.js";
import { benjaminiHochberg } from "../../stats/p-values.js";
import type { Judgement } from "../../verdict/judgement.js";
import { RUNG_ALPHA } from "../../verdict/rung.js";
import { numberText } from "../number-text.js";

/** The tests behind all verdicts of a page. */
export interface PageTests {
  /** p of a verdict's test over all tests of the page (Benjamini & Hochberg), in words; empty where none was made. */
  readonly qText: (judgement: Judgement) => string;
  /** Number of verdicts that chance would pass; `null` for fewer than two tests. */
  readonly sentence: string | null;
}

const PASSING: readonly Judgement["state"][] = ["above_floor", "unsteady", "matches_words"];

export function pageTests(judgements: readonly Judgement[]): PageTests {
  const tested = judgements.flatMap((judgement) => {
    const { pValue } = judgement;
    return pValue === null ? [] : [{ judgement, pValue }];
  });
  const adjusted = benjaminiHochberg(tested.map(({ pValue }) => pValue));
  const qOf = new Map(tested.map(({ judgement }, i) => [judgement, adjusted[i] ?? 1]));
  const passed = tested.filter(({ judgement: { state } }) => PASSING.includes(state)).length;
  const n = tested.length;
  return {
    qText: (judgement) => {
      const q = qOf.get(judgement);
      return q === undefined ? "" : `; q ${numberText(q, "pvalue")}`;
    },
    sentence:
      n < 2
        ? null
        : `Of ${counted(n, "verdicts")} of this page that rest on a test, ${passed} are above what needs no reading. Were no ` +
          `model to understand anything, up to ${(n * RUNG_ALPHA).toFixed(1)} would be so by chance. q, behind each verdict in ` +
          "words, is p corrected for their number (Benjamini–Hochberg): below 0.05, fewer than one in twenty such are by chance.",
  };
}
