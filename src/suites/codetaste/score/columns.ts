import type { ScoreColumn, ScoreValue } from "../../../trial/adapter.js";
import type { Scores } from "./scores.js";

type Line = readonly [
  ScoreColumn["name"],
  ScoreColumn["kind"],
  ScoreColumn["description"],
  (scores: Scores) => ScoreValue,
];

/** The verdict on a trial: a no-op passes, and follows the rules that happen to hold already. */
export const HEADLINE = "refactored";

const LINES: readonly Line[] = [
  ["ifr", "mean", "Rules followed/rules; empty: not every rule was run, or there is no rule.", (own) => own.ifr],
  ["ifr_published", "mean", "Likewise as released: missing results hold no match.", (own) => own.published.ifr],
  ["ifr_additive", "mean", "Of the rules that look for what is to come.", (own) => own.ifrAdditive],
  ["ifr_reductive", "mean", "Of the rules that look for what is to go.", (own) => own.ifrReductive],
  ["ifr_supported", "mean", "Of the rules that were run.", (own) => own.ifrSupported],
  ["rules_supported", "count", "Rules that were run.", (own) => own.rulesSupported],
  ["pass", "share", "As many tests pass as in any baseline run, and no more fail.", (own) => own.pass],
  ["alignment", "mean", "Pass × IFR.", (own) => own.alignment],
  ["alignment_additive", "mean", "Pass × IFR of the additive rules.", (own) => own.alignmentAdditive],
  ["alignment_reductive", "mean", "Pass × IFR of the reductive rules.", (own) => own.alignmentReductive],
  ["precision", "mean", "Changed lines that a rule wanted/changed lines.", (own) => own.precision],
  ["precision_added", "mean", "Likewise of added lines.", (own) => own.precisionAdded],
  ["precision_removed", "mean", "Likewise of removed lines.", (own) => own.precisionRemoved],
  [HEADLINE, "share", "Passes, and follows every rule.", (own) => own.isWhole],
];

/** What the suite adds to `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = LINES.map(([name, kind, description]) => ({
  ...{ name, kind, description },
}));

/** The scores by their columns. */
export function scoreValues(scores: Scores): Record<string, ScoreValue> {
  return Object.fromEntries(LINES.map(([name, , , value]) => [name, value(scores)]));
}
