import type { Console } from "../console/console.js";
import { EXIT, type ExitCode } from "../console/console.js";
import { modelsFolder } from "../model/llama/model-file.js";
import { loadAliases, publicAlias } from "../model/model-aliases.js";
import { aliasBlocks } from "../report/model-blocks.js";
import { showBlocks } from "../report/terminal.js";

/** `probe models`: what `--model` understands by name. */
export async function handleAliases(isJson: boolean, console: Console): Promise<ExitCode> {
  const aliases = [...(await loadAliases(console.workingDirectory)).values()];
  const downloads = modelsFolder();
  if (isJson) console.out(`${JSON.stringify({ downloads, aliases: aliases.map(publicAlias) }, null, 2)}\n`);
  else showBlocks(console, aliasBlocks(aliases, downloads));
  return EXIT.done;
}
