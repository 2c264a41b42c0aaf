import { CI_OPTIONS } from "../../console/ci-options.js";
import type { AddCommand } from "../../console/command.js";
import { parserOptions } from "../../console/option.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe compare`. */
export const compareCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command(
      "compare <runs..>",
      "test whether runs over the same questions differ: paired tests and intervals",
      (command) =>
        command
          .usage(
            "$0 compare <baseline> <candidate..>\n\n" +
              "Compares each further run with the first, question by question: McNemar's exact test on\n" +
              "invariant correctness (of ACR: on exact match), bootstrap intervals by example, p-values\n" +
              "adjusted for their number (Benjamini-Hochberg), and the least difference that this many\n" +
              "questions can show.\n" +
              "Reads the journals, calls no model. Refuses unfinished runs and runs over different questions.",
          )
          .positional("runs", { type: "string", array: true, demandOption: true, describe: "folders of finished runs" })
          .option("all-pairs", { type: "boolean", describe: "compare every run with every other, not with the first" })
          .option("fail-under", {
            type: "string",
            requiresArg: true,
            describe:
              "exit code 5 when candidate minus baseline in invariant accuracy (of ACR: em) is under this, for any " +
              "probe or all: 0 allows no drop, -0.02 a drop of two points, 0.05 asks for a gain",
          })
          .option("seed", { type: "string", requiresArg: true, describe: "seed of the bootstrap (default: 0)" })
          .option("json", { type: "boolean", describe: "print one JSON document instead of the tables" })
          .options(parserOptions(CI_OPTIONS))
          .example("$0 compare results/base results/new", "is the new model better?")
          .example("$0 compare results/base results/new --fail-under -0.02", "in CI: exit code 5 when it got worse")
          .example(
            "$0 compare results/base results/new --fail-under 0 --junit compare.xml",
            "likewise, for a CI server",
          )
          .example("$0 compare results/a results/b results/c --all-pairs", "three pairs, adjusted together"),
      async (argv) => {
        const { handleCompare } = await import("../report/compare-handler.js");
        done(await handleCompare(suites, argv, console));
      },
    );
