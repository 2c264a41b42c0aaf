import type { AddCommand } from "../../console/command.js";

/** `probe dataset apply`. */
export const applyCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "apply <file> <decisions..>",
    "the examples and questions that the check by hand leaves",
    (command) =>
      command
        .usage(
          "$0 dataset apply <file> <decisions..> --out FILE\n\nWrites what one or more annotators kept: an example " +
            "that all of them keep stays as it stands; a question that one of them dropped by itself is named in the " +
            "record's `not_asked`, and no run asks it.",
        )
        .positional("file", { type: "string", demandOption: true, describe: "the file that was reviewed" })
        .positional("decisions", {
          type: "string",
          array: true,
          demandOption: true,
          describe: "decisions files about it, one an annotator",
        })
        .options({
          out: { type: "string", requiresArg: true, describe: "JSONL file of what is left (required)" },
          resolutions: {
            type: "string",
            requiresArg: true,
            describe: "decisions file in which conflicts were resolved (made by: review --conflicts)",
          },
          "keep-undecided": { type: "boolean", describe: "keep examples that nobody has dropped, decided or not" },
          overwrite: { type: "boolean", describe: "replace a file that exists" },
          json: { type: "boolean", describe: "print what became of the examples as one JSON document" },
        })
        .example("$0 dataset apply b.jsonl b.jsonl.review.ada.jsonl --out checked.jsonl", "what Ada left")
        .example("$0 dataset apply b.jsonl ada.jsonl bob.jsonl --out checked.jsonl", "what both kept"),
    async (argv) => {
      const { handleApply } = await import("./review/apply-handler.js");
      done(await handleApply(argv, console));
    },
  );
