import type { AddCommand } from "../../console/command.js";
import { type SuiteEntry, tableNames } from "../../run/suite-entry.js";

/** `probe report`. */
export const reportCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command(
      "report <runs..>",
      "write a report page for one or many runs, and a leaderboard",
      (command) =>
        command
          .usage(
            "$0 report <runs..> [--out FILE.html]\n\n" +
              "One self-contained HTML page: whether the scores show comprehension, with intervals and\n" +
              "floors, charts, a leaderboard for several runs, and a browser of every question with what the model\n" +
              "chose in every order. Opens from disk. Reads the journals, calls no model and no network.\n" +
              "Folders of audits may be named among the runs: their contamination tables are added.",
          )
          .positional("runs", {
            type: "string",
            array: true,
            demandOption: true,
            describe: "folders of runs, and of audits",
          })
          .option("out", {
            type: "string",
            requiresArg: true,
            describe: "the page (default: report.html in the run's folder; for several runs in this folder)",
          })
          .option("table", {
            type: "string",
            requiresArg: true,
            describe: `instead of the page a table: ${tableNames(suites).join(", ")}`,
          })
          .option("format", {
            type: "string",
            requiresArg: true,
            describe: "of the table: md, csv, latex (default: for the terminal, or as --out ends)",
          })
          .option("dataset", {
            type: "string",
            array: true,
            requiresArg: true,
            describe: "the file a run asked about, if it is not where it was; repeated for several",
          })
          .option("leaderboard-md", {
            type: "string",
            requiresArg: true,
            describe: "write the leaderboard as Markdown too",
          })
          .option("leaderboard-csv", {
            type: "string",
            requiresArg: true,
            describe: "write the leaderboard as CSV too",
          })
          .option("overwrite", { type: "boolean", describe: "replace files that exist" })
          .option("json", { type: "boolean", describe: "print one JSON document in place of the message" })
          .example("$0 report results/20261121T230354Z-tiny-1f2e3d4c", "the page of one run, in its folder")
          .example("$0 report results/a results/b --out ab.html", "two models side by side")
          .example("$0 report results/*/ --table scores", "every model on every probe (paper, Table 2)")
          .example("$0 report results/*/ --table languages --out tables.tex", "Tables 7 to 12, for a paper")
          .example(
            "$0 report results/*/ --leaderboard-md LEADERBOARD.md",
            "all runs and audits, and a table for a README",
          ),
      async (argv) => {
        const { handleReport } = await import("./report-handler.js");
        done(await handleReport(suites, argv, console));
      },
    );
