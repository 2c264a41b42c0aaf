import type { AddCommand } from "../../console/command.js";
import { parserOptions } from "../../console/option.js";
import { PAGE_OPTIONS } from "../../console/page-options.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe view`. */
export const viewCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command(
      "view [folders..]",
      "a page of all runs in a folder: those that go on, their scores, comparisons, questions",
      (command) =>
        command
          .usage(
            "$0 view [folders..]\n\nServes a page to this machine alone: the runs in a folder with their scores, how far those are\n" +
              "that go on, and the report of any of them, side by side. Writes nothing. Ctrl-C ends it.",
          )
          .positional("folders", {
            type: "string",
            array: true,
            describe: "folders that hold runs (default: results)",
          })
          .options(parserOptions(PAGE_OPTIONS))
          .example("$0 view", "those under results/")
          .example("$0 view results ../older --port 8000", "those of two folders, at a port of your choice"),
      async (argv) => {
        const { handleView } = await import("./view-handler.js");
        done(await handleView(suites, argv.folders ?? [], argv, console));
      },
    );
