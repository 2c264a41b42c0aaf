import type { AddCommand } from "../../console/command.js";
import { MODEL_OPTIONS } from "../../console/model-options.js";
import { parserOptions } from "../../console/option.js";

const { promptMode: _mode, allowGenerated: _generated, ...SURROGATE_OPTIONS } = MODEL_OPTIONS;

/** `probe dataset build`. */
export const buildCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "build <input>",
    "make records with the options of every question from code reviews",
    (command) =>
      command
        .usage(
          "$0 dataset build <input> --out FILE [--surrogate M]\n\n" +
            "Makes official records from triples of pre-review code, review and post-review code. Wrong\n" +
            "locations are drawn; wrong revisions are infilled by a surrogate model. A build that was stopped\n" +
            "goes on with the same command.",
        )
        .positional("input", {
          type: "string",
          demandOption: true,
          describe: "JSONL file of raw triples, or of records with or without options",
        })
        .options({
          out: { type: "string", requiresArg: true, describe: "JSONL file to write (required)" },
          surrogate: {
            type: "string",
            requiresArg: true,
            describe: "model that scores, infills and embeds: alias, provider:name or .gguf (without: no SI)",
          },
          scorer: { type: "string", requiresArg: true, describe: "model that scores in the surrogate's place" },
          embedder: { type: "string", requiresArg: true, describe: "model that embeds in the surrogate's place" },
          seed: { type: "string", requiresArg: true, describe: "decides every draw (default: 0)" },
          limit: { type: "string", requiresArg: true, describe: "build the first N examples" },
          method: {
            type: "string",
            requiresArg: true,
            describe: "wrong options: matched, that give nothing away, or by the paper alone (default: matched)",
          },
          "cl-order": {
            type: "string",
            requiresArg: true,
            describe: "wrong locations of --method paper: sampled, or first in lexicographic order (default: sampled)",
          },
          "only-complete": { type: "boolean", describe: "leave out records of which a question could not be built" },
          ...parserOptions(SURROGATE_OPTIONS),
          "skip-invalid": { type: "boolean", describe: "leave out lines that are no code reviews and say how many" },
          overwrite: { type: "boolean", describe: "replace the output if it exists" },
          json: { type: "boolean", describe: "print one JSON document instead of the tables" },
          quiet: { alias: "q", type: "boolean", describe: "no messages, no progress" },
        })
        .example("$0 dataset build reviews.jsonl --out bench.jsonl --surrogate tiny", "with the bundled model, to try")
        .example(
          "$0 dataset build reviews.jsonl --out bench.jsonl --surrogate qwen2.5-coder-7b.gguf --seed 7",
          "with a real one",
        ),
    async (argv) => {
      const { handleBuild } = await import("./build-handler.js");
      done(await handleBuild(argv, console));
    },
  );
