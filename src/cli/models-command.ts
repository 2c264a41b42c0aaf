import type { AddCommand } from "./command.js";
import { EXIT } from "./exit-codes.js";

/** `probe models`. */
export const modelsCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "models",
    "list the model aliases, and where downloads are kept",
    (command) =>
      command
        .usage("$0 models\n\nLists what --model understands by name.")
        .option("json", { type: "boolean", describe: "print one JSON document" })
        .example("$0 models", "the aliases shipped, and those of probe.config.json"),
    async (argv) => {
      const { loadAliases } = await import("../model/aliases.js");
      const { modelsFolder } = await import("../model/llama/model-file.js");
      const { aliasTable } = await import("../report/alias-table.js");
      const aliases = [...(await loadAliases(console.workingDirectory)).values()];
      const downloads = modelsFolder();
      console.out(
        argv.json === true ? `${JSON.stringify({ downloads, aliases }, null, 2)}\n` : aliasTable(aliases, downloads),
      );
      done(EXIT.done);
    },
  );
