import type { Console } from "../console/console.js";
import { EXIT, type ExitCode } from "../console/console.js";
import { jsonText } from "../console/json-output.js";
import { modelsFolder } from "../model/llama/model-file.js";
import { loadAliases, publicAlias } from "../model/model-aliases.js";
import { aliasBlocks } from "../report/model-blocks.js";
import { showBlocks } from "../report/terminal.js";

/** `probe models`: what `--model` understands by name. */
export async function handleAliases(isJson: boolean, console: Console): Promise<ExitCode> {
  const aliases = [...(await loadAliases(console.workingDirectory)).values()];
  const downloads = modelsFolder();
  if (isJson) console.out(jsonText({ downloads, aliases: aliases.map(publicAlias) }));
  else showBlocks(console, aliasBlocks(aliases, downloads));
  return EXIT.done;
}
