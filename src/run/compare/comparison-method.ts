import type { Block } from "../../report/block.js";
import { LEAST_RESAMPLED } from "../../stats/bootstrap.js";
import type { PairedRow } from "../../verdict/paired-comparison.js";
import type { ComparisonReport } from "./compare-runs.js";

/** Adjusted p-values up to this are called a difference. */
export const LEVEL = 0.05;

/** Explanation of the numbers of a comparison, and of the tests behind them. */
export function methodBlocks({ comparisons, tests, resamples, seed }: ComparisonReport): Block[] {
  const has = (name: PairedRow["test"]) => comparisons.some(({ rows }) => rows.some(({ test }) => test === name));
  const facts: readonly (readonly [string, string])[] = [
    [
      "difference",
      `candidate minus baseline; interval by example: bootstrap, ${resamples.toLocaleString("en-US")} resamples, seed ${seed}; ` +
        `below ${LEAST_RESAMPLED} examples by Student's t; where p tells another tale, as wide as p has it`,
    ],
    ["only one right", "items that only the baseline / only the candidate passes"],
    [
      "p",
      "McNemar's exact test, two-sided" +
        (has("sign_flip_by_example")
          ? "; where an example has several items the exact sign-flip test by example"
          : "") +
        (has("anytime_bets") ? "; of runs that were asked until decided, bets that hold whenever one stops" : ""),
    ],
    [
      "adjusted p",
      `Benjamini-Hochberg over ${tests === 1 ? "the one test" : `the ${tests} tests`} shown; up to ${LEVEL} is called a difference`,
    ],
    ["detectable", "the least true difference that one test at 0.05 finds in 80 % of samples of this size"],
  ];
  return [{ kind: "facts", facts: facts.map(([name, text]) => ({ name, parts: [text] })) }];
}
