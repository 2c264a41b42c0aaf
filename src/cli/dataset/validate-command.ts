import type { AddCommand } from "../../console/command.js";

/** `probe dataset validate`. */
export const validateCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "validate <files..>",
    "check every record of JSONL files; exit code 2 when one is invalid",
    (command) =>
      command
        .usage(
          "$0 dataset validate <files..>\n\nChecks syntax, types, line numbers, set sizes and distinct options of records, and whether raw triples can be built from. Problems of one kind are told once, with their number; --json lists each.",
        )
        .positional("files", {
          type: "string",
          array: true,
          demandOption: true,
          describe: "JSONL files of official records or of raw triples",
        })
        .option("json", { type: "boolean", describe: "print one JSON document" })
        .example("$0 dataset validate my-reviews.jsonl", "file, line, field, expected, found"),
    async (argv) => {
      const { handleValidate } = await import("./validate-handler.js");
      done(await handleValidate(argv.files, argv.json === true, console));
    },
  );
