import type { AddCommand } from "../console/command.js";
import { EXIT } from "../console/command.js";
import { MODEL_OPTIONS } from "../console/model-options.js";
import { parserOptions } from "../console/option.js";

/** `probe models`, `probe models check`. */
export const modelsCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "models",
    "list the model aliases; `models check NAME` tries a model out",
    (command) =>
      command
        .usage("$0 models [check <name>]\n\nLists what --model understands by name, and where downloads are kept.")
        .option("json", { type: "boolean", describe: "print one JSON document" })
        .example("$0 models", "the aliases shipped, and those of probe.config.json")
        .command(
          "check <name>",
          "ask a model questions whose answer is given away; show how answers can be taken from it",
          (check) =>
            check
              .usage(
                "$0 models check <name>\n\nFinds the best way to take answers from a model, and proves that its numbers are real.",
              )
              .positional("name", {
                type: "string",
                demandOption: true,
                describe: "alias, provider:name or .gguf file",
              })
              .options(parserOptions(MODEL_OPTIONS))
              .example("$0 models check openai:auto --base-url http://127.0.0.1:8000/v1", "a server of one's own"),
          async (argv) => {
            const { handleCheck } = await import("./models-handler.js");
            done(await handleCheck(argv, console));
          },
        ),
    async (argv) => {
      const { loadAliases } = await import("../model/model-aliases.js");
      const { publicAlias } = await import("../model/model-aliases.js");
      const { modelsFolder } = await import("../model/llama/model-file.js");
      const { aliasBlocks } = await import("../report/model-blocks.js");
      const { showBlocks } = await import("../console/show-blocks.js");
      const aliases = [...(await loadAliases(console.workingDirectory)).values()];
      const downloads = modelsFolder();
      if (argv.json === true)
        console.out(`${JSON.stringify({ downloads, aliases: aliases.map(publicAlias) }, null, 2)}\n`);
      else showBlocks(console, aliasBlocks(aliases, downloads));
      done(EXIT.done);
    },
  );
