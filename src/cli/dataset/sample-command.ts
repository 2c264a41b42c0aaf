import type { AddCommand } from "../../console/command.js";

/** `probe dataset sample`. */
export const sampleCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "sample <in>",
    "draw examples by language, and within a language evenly over the repositories",
    (command) =>
      command
        .usage(
          "$0 dataset sample <in> --out FILE --per-language N\n\nWrites a stratified sample, each line as it stood, in " +
            "file order. Within a language the repositories take turns in a random order, one example a turn, so that " +
            "no project dominates. Examples without a field `repo` count as one repository.",
        )
        .positional("in", {
          type: "string",
          demandOption: true,
          describe: "JSONL file of raw triples or official records",
        })
        .options({
          out: { type: "string", requiresArg: true, describe: "JSONL file of the sample (required)" },
          "per-language": {
            type: "string",
            requiresArg: true,
            describe: "examples of each language; all where there are fewer (required)",
          },
          seed: { type: "string", requiresArg: true, describe: "the same seed draws the same sample (default: 0)" },
          "skip-invalid": { type: "boolean", describe: "leave out invalid records and say how many" },
          overwrite: { type: "boolean", describe: "replace a file that exists" },
          json: { type: "boolean", describe: "print what was drawn as one JSON document" },
        })
        .example("$0 dataset sample clean.jsonl --out hundred.jsonl --per-language 100 --seed 1", "as in the paper"),
    async (argv) => {
      const { handleSample } = await import("./sample-handler.js");
      done(await handleSample(argv, console));
    },
  );
