import type { AddCommand } from "../../console/command.js";

/** `probe dataset stats`. */
export const statsCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "stats <file>",
    "describe a file as the paper's Table 5 does: comments, edits, locations, ratios",
    (command) =>
      command
        .usage(
          "$0 dataset stats <file>\n\nMinimum, maximum, mean, standard deviation and quartiles of comment length, code " +
            "edit distance, change locations, code element ratio and specification ratio (paper, Appendix D).",
        )
        .positional("file", {
          type: "string",
          demandOption: true,
          describe: "JSONL file of raw triples or official records",
        })
        .options({
          language: {
            type: "string",
            array: true,
            requiresArg: true,
            describe: "only these languages: comma list or repeated",
          },
          csv: { type: "string", requiresArg: true, describe: "write the table to this CSV file, in full precision" },
          "skip-invalid": { type: "boolean", describe: "leave out invalid records and say how many" },
          overwrite: { type: "boolean", describe: "replace a CSV file that exists" },
          json: { type: "boolean", describe: "print one JSON document, in full precision, instead of the table" },
        })
        .example("$0 dataset stats mine.jsonl", "the table")
        .example("$0 dataset stats mine.jsonl --language py,go --csv stats.csv", "two languages, also as CSV"),
    async (argv) => {
      const { handleStats } = await import("./stats-handler.js");
      done(await handleStats(argv, console));
    },
  );
