import { CI_OPTIONS } from "../../console/ci-options.js";
import type { OptionValues } from "../../console/option.js";
import {
  choiceOption,
  numberOption,
  positionals,
  repeatedOption,
  switchOption,
  textOption,
  wholeOption,
} from "../../console/option-kinds.js";
import { LATEX_WIDTHS } from "../../report/latex.js";
import { type SuiteEntry, tableNames } from "../../run/suite-entry.js";

/** The options of `probe report`. */
export function reportOptions(suites: readonly SuiteEntry[]) {
  const tables = tableNames(suites);
  return {
    runs: positionals("folders of runs, and of audits", { isRun: true }),
    out: textOption("the page (default: report.html in the run's folder; for several runs in this folder)"),
    table: choiceOption(`instead of the page a table: ${tables.join(", ")}`, tables, null),
    format: choiceOption(
      "of the table: md, csv, latex (default: for the terminal, or as --out ends)",
      ["md", "csv", "latex"],
      null,
    ),
    width: choiceOption("of a LaTeX table: column (default) or page, of a paper", LATEX_WIDTHS, null),
    dataset: repeatedOption("the file a run asked about, if it is not where it was; repeated for several"),
    leaderboardMd: textOption("write the leaderboard as Markdown too"),
    leaderboardCsv: textOption("write the leaderboard as CSV too"),
    overwrite: switchOption("replace files that exist"),
    json: switchOption("print one JSON document in place of the message"),
  };
}

export type ReportValues = OptionValues<ReturnType<typeof reportOptions>>;

/** The options of `probe compare`. */
export const COMPARE_OPTIONS = {
  runs: positionals("folders of finished runs", { isRun: true }),
  allPairs: switchOption("compare every run with every other, not with the first"),
  failUnder: numberOption(
    "exit code 5 when candidate minus baseline in invariant accuracy (of ACR: em) is under this, for any " +
      "probe or all: 0 allows no drop, -0.02 a drop of two points, 0.05 asks for a gain",
    {
      fits: (value) => value >= -1 && value <= 1,
      refusal: (flag, text) => `Expected a difference from -1 to 1 for --${flag}, such as -0.02, found "${text}".`,
    },
    null,
  ),
  seed: wholeOption("seed of the bootstrap (default: 0)", 0, 0),
  json: switchOption("print one JSON document instead of the tables"),
  ...CI_OPTIONS,
};

export type CompareValues = OptionValues<typeof COMPARE_OPTIONS>;
