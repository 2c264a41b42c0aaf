import type { AddCommand } from "../../console/command.js";

/** `probe dataset filter`. */
export const filterCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "filter <in>",
    "leave out reviews that are unclear or unfaithful by the paper's heuristics, each with its reason",
    (command) =>
      command
        .usage(
          "$0 dataset filter <in> --out FILE\n\nWrites the reviews that pass the paper's heuristics (Appendix C), each " +
            "line as it stood. Left out are reviews of under 10 characters, with a ``` code block, or that mention " +
            "indentation, spacing, lint, revert, as above or ditto (in any case, also within a word).",
        )
        .positional("in", {
          type: "string",
          demandOption: true,
          describe: "JSONL file of raw triples or official records",
        })
        .options({
          out: { type: "string", requiresArg: true, describe: "JSONL file of what is kept (required)" },
          drops: {
            type: "string",
            requiresArg: true,
            describe: "JSONL file of what is not: line, id, language, reason, matched text",
          },
          "skip-invalid": { type: "boolean", describe: "leave out invalid records and say how many" },
          overwrite: { type: "boolean", describe: "replace files that exist" },
          json: { type: "boolean", describe: "print the funnel as one JSON document" },
        })
        .example("$0 dataset filter mine.jsonl --out clean.jsonl", "the funnel: how many were dropped, and why")
        .example("$0 dataset filter mine.jsonl --out clean.jsonl --drops drops.jsonl", "and every single drop"),
    async (argv) => {
      const { handleFilter } = await import("./filter-handler.js");
      done(await handleFilter(argv, console));
    },
  );
