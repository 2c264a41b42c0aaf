import type { AddCommand } from "../../../console/command.js";

/** `probe failures`. */
export const failuresCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "failures <runs..>",
    "where a model fails that does not write the right revision, and where one fails that does",
    (command) =>
      command
        .usage(
          "$0 failures <run..>\n\n" +
            "Of the examples whose revision the model did not write (ACR), the share that also fails CTR, CL,\n" +
            "SI and at least one of them (the paper's Table 3); the same of those it did write: success without\n" +
            "comprehension. And the accuracy of each step of CTR, CL, SI, ACR where the earlier ones are right.\n" +
            "Needs ACR and all probes, in one run or in several of the same model and examples; names what is\n" +
            "lacking. Reads the journals, calls no model.",
        )
        .positional("runs", { type: "string", array: true, demandOption: true, describe: "folders of finished runs" })
        .option("match", {
          type: "string",
          requiresArg: true,
          describe:
            "what counts as writing it: em (default), em_trim, em_no_space, em_no_comment, or as the paper's released " +
            "script counts: paper_em, paper_em_trim, paper_em_no_space, paper_em_no_comment",
        })
        .option("by", { type: "string", requiresArg: true, describe: "also by language or change_type" })
        .option("list", {
          type: "string",
          requiresArg: true,
          describe:
            "print the examples of one cell as CSV instead: non_match, match or all, a dot, and CTR, CL, CL_easy, " +
            "CL_hard, SI, SI_easy, SI_hard, any or none",
        })
        .option("out", { type: "string", requiresArg: true, describe: "also write a CSV file: a row an example" })
        .option("overwrite", { type: "boolean", describe: "replace the file of --out if it exists" })
        .option("json", { type: "boolean", describe: "print one JSON document, with the example ids of every cell" })
        .example("$0 failures results/tiny", "Table 3, its mirror, and the chain")
        .example("$0 failures results/a results/b --by language", "two models side by side, and by language")
        .example("$0 failures results/tiny --list match.any", "what was written without being understood"),
    async (argv) => {
      const { handleFailures } = await import("./failures-handler.js");
      done(await handleFailures(argv, console));
    },
  );
