import type { AddCommand } from "../../console/command.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe runs`. */
export const runsCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command(
      "runs [folder]",
      "list the runs in a folder: when, which model, how far, what they came to",
      (command) =>
        command
          .usage("$0 runs [folder]\n\nLists the runs in a folder, the newest first: a line a probe. Writes nothing.")
          .positional("folder", { type: "string", describe: "folder that holds runs (default: results)" })
          .option("json", { type: "boolean", describe: "print one JSON document" })
          .example("$0 runs", "those under results/")
          .example("$0 runs --wide", "their folders too"),
      async (argv) => {
        const { handleRuns } = await import("../view/runs-handler.js");
        done(await handleRuns(suites, argv.folder, argv.json === true, console));
      },
    );
