import type { AddCommand } from "../../console/command.js";
import { EXIT } from "../../console/command.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe merge`. */
export const mergeCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command(
      "merge <runs..>",
      "join the shares of a split run (--shard) into the run that they are together",
      (command) =>
        command
          .usage(
            "$0 merge <runs..> --out DIR\n\nChecks that the runs are all shares of one, writes it to a new folder, and scores it.\n" +
              "Makes no model call; the shares are left as they are.",
          )
          .positional("runs", {
            type: "string",
            array: true,
            demandOption: true,
            describe: "folders of all shares, in any order",
          })
          .options({
            out: {
              type: "string",
              demandOption: true,
              requiresArg: true,
              describe: "the whole run's folder: a new one",
            },
            json: { type: "boolean", describe: "print one JSON document instead of the table" },
          })
          .example("$0 merge results/shard-* --out results/whole", "the run that was split"),
      async (argv) => {
        const { single } = await import("../../console/arguments.js");
        const { showBlocks } = await import("../../console/show-blocks.js");
        const { mergeRuns } = await import("../../run/merge-runs.js");
        const { runBlocks } = await import("../../run/run-blocks.js");
        const { scoredDocument } = await import("../run/scored-output.js");
        const out = single("out", argv.out) ?? "";
        const scored = await mergeRuns(suites, { folders: argv.runs, out, now: console.now });
        if (argv.json === true) console.out(`${JSON.stringify(scoredDocument(scored, []), null, 2)}\n`);
        else showBlocks(console, runBlocks(scored));
        done(scored.score.failed > 0 ? EXIT.failedAnswers : EXIT.done);
      },
    );
