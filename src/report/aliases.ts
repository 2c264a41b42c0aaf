import type { Alias } from "../model/model-aliases.js";
import type { Block } from "./block.js";
import { type ColumnOf, sentence, tableOf, textCell } from "./make-block.js";

/** What `probe models` shows. */
export function aliasBlocks(aliases: readonly Alias[], downloads: string): Block[] {
  return [
    tableOf(null, COLUMNS, aliases),
    sentence(
      "Besides: a .gguf file, llama:FILE, openai:NAME, huggingface:NAME, scripted:always-A, scripted:oracle, " +
        "scripted:uniform, scripted:FILE.jsonl.",
    ),
    sentence(`Downloads are kept in ${downloads}`),
  ];
}

const COLUMNS: readonly ColumnOf<Alias>[] = [
  { id: "alias", label: "alias", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
  { id: "model", label: "model", align: "left", importance: 1, cell: ({ model }) => textCell(model) },
  { id: "about", label: "about", align: "left", importance: 2, cell: (alias) => textCell(aboutOf(alias)) },
];

function aboutOf({ description, origin, replacesShipped }: Alias): string {
  return [
    description ?? "",
    origin === "shipped" ? "" : `(${origin}${replacesShipped === true ? ", in place of the program's own" : ""})`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
