import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { single } from "../../../console/arguments.js";
import type { AdjustedRow, ComparisonReport, RunComparison } from "../compare/compare.js";
import { rowLabel } from "../compare/paired-row.js";

/** What a threshold for CI says of a comparison. */
export interface FailUnder {
  /** The least difference (candidate minus baseline) that is allowed, -1 to 1. */
  readonly threshold: number;
  /** The rows below it. */
  readonly below: readonly { readonly comparison: RunComparison; readonly row: AdjustedRow }[];
}

/**
 * The value of `--fail-under`: a fraction from -1 to 1.
 * @throws ProbeError `bad_input`
 */
export function parseFailUnder(value: string | readonly string[] | undefined): number | undefined {
  const text = single("fail-under", value);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== "" && number >= -1 && number <= 1) return number;
  throw new ProbeError(
    "bad_input",
    `Expected a difference from -1 to 1 for --fail-under, such as -0.02, found "${shorten(text, 120)}".`,
  );
}

/** Judges by the difference itself, not by its interval: a threshold, not a test. */
export function judgeFailUnder({ comparisons }: ComparisonReport, threshold: number): FailUnder {
  const below = comparisons.flatMap((comparison) =>
    comparison.rows.filter((row) => row.invariantAccuracy.difference < threshold).map((row) => ({ comparison, row })),
  );
  return { threshold, below };
}

/** One line a row below the threshold; none: nothing. */
export function failUnderText({ threshold, below }: FailUnder): string {
  return below
    .map(({ comparison, row }) => {
      const name = rowLabel(row) ?? "all probes";
      return `${comparison.candidate.folder}, ${shorten(name, 120)}: difference ${row.invariantAccuracy.difference.toFixed(4)} is under ${threshold} (--fail-under)\n`;
    })
    .join("");
}
