import { ProbeError } from "../../base/errors.js";
import { wholeNumber } from "../../console/arguments.js";
import { CI_OPTIONS } from "../../console/ci-options.js";
import { openCiOutput } from "../../console/ci-output.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { type GivenOptions, parseOptions } from "../../console/option.js";
import { showBlocks } from "../../console/show-blocks.js";
import { compareRuns } from "../../run/compare/compare-runs.js";
import { comparisonBlocks } from "../../run/compare/comparison-blocks.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { comparisonResult } from "../run/ci-result.js";
import { comparisonDocument } from "./compare-document.js";
import { failUnderText, judgeFailUnder, parseFailUnder } from "./fail-under.js";

type Text = string | string[] | undefined;

interface CompareArguments extends GivenOptions {
  readonly runs: readonly string[];
  readonly allPairs?: boolean | undefined;
  readonly failUnder?: Text;
  readonly seed?: Text;
  readonly json?: boolean | undefined;
}

/** `probe compare`: the tables, and exit code 5 when a difference is under `--fail-under`. */
export async function handleCompare(
  suites: readonly SuiteEntry[],
  given: CompareArguments,
  console: Console,
): Promise<ExitCode> {
  const allPairs = given.allPairs === true;
  const threshold = parseFailUnder(given.failUnder);
  if (given.runs.length < 2) {
    throw new ProbeError("bad_input", `Expected two or more runs to compare, found ${given.runs.length}.`);
  }
  if (allPairs && threshold !== undefined) {
    throw new ProbeError(
      "bad_input",
      "Expected --fail-under or --all-pairs, found both. --fail-under takes the first run as the baseline.",
    );
  }
  const seed = wholeNumber("seed", given.seed, 0) ?? 0;
  const ci = await openCiOutput(parseOptions(CI_OPTIONS, given), process.env);
  const report = await compareRuns(suites, { folders: given.runs, allPairs, seed });
  const failUnder = threshold === undefined ? null : judgeFailUnder(report, threshold);
  if (given.json === true) console.out(`${JSON.stringify(comparisonDocument(report, failUnder), null, 2)}\n`);
  else showBlocks(console, comparisonBlocks(report));
  await ci.write(comparisonResult(report, failUnder));
  if (failUnder === null || failUnder.below.length === 0) return EXIT.done;
  console.err(failUnderText(failUnder));
  return EXIT.belowThreshold;
}
