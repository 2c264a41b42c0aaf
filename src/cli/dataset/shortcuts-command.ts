import type { AddCommand } from "../../console/command.js";

/** `probe dataset shortcuts`. */
export const shortcutsCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "shortcuts <file>",
    "measure what the questions give away: rules that pick an option without comprehension",
    (command) =>
      command
        .usage(
          "$0 dataset shortcuts <file>\n\nHow often simple rules are right that see only the options, options and code, or words of the\n" +
            "review; with 95 % intervals. The highest is the floor of a form: a score says something only above it.\n" +
            "Asks no model.",
        )
        .positional("file", {
          type: "string",
          demandOption: true,
          describe: "JSONL file of official records",
        })
        .options({
          out: { type: "string", requiresArg: true, describe: "write the JSON document to this file" },
          overwrite: { type: "boolean", describe: "replace the output if it exists" },
          json: { type: "boolean", describe: "print one JSON document, in full precision, instead of the tables" },
        })
        .example("$0 dataset shortcuts bench.jsonl", "the tables")
        .example("$0 dataset shortcuts bench.jsonl --json --out shortcuts.json", "for programs, also as a file"),
    async (argv) => {
      const { handleShortcuts } = await import("./shortcuts-handler.js");
      done(await handleShortcuts(argv, console));
    },
  );
