/** A value of a score: 0–1, `true` or `false`, a count, or a word; `null` where there is none. */
export type ScoreValue = number | boolean | string | null;

/** One column that a suite adds to `trials.csv`. */
export interface ScoreColumn {
  readonly name: string;
  /**
   * - `share`: true or false; the rate is reported
   * - `mean`: a number; the mean is reported
   * - `count`: likewise, whole
   * - `label`: a word; nothing is reported
   */
  readonly kind: "share" | "mean" | "count" | "label";
  readonly description: string;
  /** Conditions whose leaderboards show it beside the headline; absent: none. */
  readonly boards?: readonly string[];
  /** True if a judge has a part in it: it is worth what the judge is worth. */
  readonly isJudged?: true;
}
