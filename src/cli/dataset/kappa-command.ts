import type { AddCommand } from "../../console/command.js";

/** `probe dataset kappa`. */
export const kappaCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "kappa <a> <b>",
    "agreement of two annotators beyond chance, and what they disagree on",
    (command) =>
      command
        .usage(
          "$0 dataset kappa <a> <b>\n\nCohen's kappa with its 95 % interval (Fleiss, Cohen & Everitt 1969) over the " +
            "examples that both decided, and the list of conflicts. With --rounds or --round-size: its mean and " +
            "standard deviation over rounds of consecutive examples, as the paper reports it. With --resolve: writes the lines of the reviewed " +
            "data that both kept, and says what became of the others; only where a question was dropped is a line changed, " +
            "by its not_asked.",
        )
        .positional("a", { type: "string", demandOption: true, describe: "decisions file of one annotator" })
        .positional("b", { type: "string", demandOption: true, describe: "decisions file of the other" })
        .options({
          json: { type: "boolean", describe: "print one JSON document" },
          resolve: { type: "string", requiresArg: true, describe: "write the agreed set to this file" },
          resolutions: {
            type: "string",
            requiresArg: true,
            describe: "decisions file in which conflicts were resolved (made by: review --conflicts)",
          },
          data: {
            type: "string",
            requiresArg: true,
            describe: "the reviewed data (default: where the decisions file says)",
          },
          rounds: { type: "string", requiresArg: true, describe: "cut the examples into this many rounds" },
          "round-size": { type: "string", requiresArg: true, describe: "cut the examples into rounds of this many" },
          overwrite: { type: "boolean", describe: "replace the file of --resolve" },
        })
        .example("$0 dataset kappa ada.jsonl bob.jsonl", "kappa and conflicts")
        .example("$0 dataset kappa ada.jsonl bob.jsonl --rounds 46", "kappa by round too")
        .example(
          "$0 dataset kappa ada.jsonl bob.jsonl --resolve agreed.jsonl --resolutions both.jsonl",
          "the agreed set, resolved conflicts included",
        ),
    async (argv) => {
      const { handleKappa } = await import("./review/kappa-handler.js");
      done(await handleKappa(argv, console));
    },
  );
