import type { AddCommand } from "../../console/command.js";
import { parserOptions } from "../../console/option.js";
import { PAGE_OPTIONS } from "../../console/page-options.js";

/** `probe dataset review`. */
export const reviewCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "review <file>",
    "verify examples by hand, in the browser: keep, or drop for one of seven reasons",
    (command) =>
      command
        .usage(
          "$0 dataset review <file> --annotator NAME\n\nServes a page to this machine alone that shows hunk, comment, " +
            "revision and questions. Every decision is on disk at once; the same command goes on where it stopped. " +
            "Ctrl-C ends it.",
        )
        .positional("file", {
          type: "string",
          demandOption: true,
          describe: "JSONL file of raw triples or official records",
        })
        .options({
          annotator: {
            alias: "a",
            type: "string",
            requiresArg: true,
            describe: "who decides; part of the file's name",
          },
          out: {
            type: "string",
            requiresArg: true,
            describe: "where decisions are saved (default: <file>.review.<annotator>.jsonl)",
          },
          conflicts: {
            type: "string",
            array: true,
            requiresArg: true,
            describe: "two decisions files: show only what they disagree on, and who decided what (repeated)",
          },
          ...parserOptions(PAGE_OPTIONS),
          "skip-invalid": { type: "boolean", describe: "leave out lines that cannot be read and say how many" },
        })
        .example("$0 dataset review s.jsonl --annotator ada", "decide; saved in s.jsonl.review.ada.jsonl")
        .example(
          "$0 dataset review s.jsonl -a both --conflicts ada.jsonl --conflicts bob.jsonl",
          "resolve conflicts together",
        ),
    async (argv) => {
      const { handleReview } = await import("./review/review-handler.js");
      done(await handleReview(argv, console));
    },
  );
