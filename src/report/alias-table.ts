import Table from "cli-table3";
import { printable } from "../base/text.js";
import type { Alias } from "../model/aliases.js";

/** What `probe models` prints. */
export function aliasTable(aliases: readonly Alias[], downloads: string): string {
  const table = new Table({ head: ["alias", "model", "about"], style: { head: [], border: [], compact: true } });
  for (const { name, model, description, origin } of aliases) {
    const about = [description ?? "", origin === "shipped" ? "" : `(${origin})`]
      .filter((part) => part !== "")
      .join(" ");
    table.push([printable(name), printable(model), printable(about)]);
  }
  return `${table.toString()}\nBesides: a .gguf file, llama:FILE, openai:NAME, huggingface:NAME, scripted:always-A, scripted:oracle, scripted:uniform, scripted:FILE.jsonl.\nDownloads are kept in ${printable(downloads, 1000)}\n`;
}
