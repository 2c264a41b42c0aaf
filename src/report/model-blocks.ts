import { shorten } from "../base/text.js";
import type { CheckedWay, CheckReport } from "../model/check/check-report.js";
import type { Alias } from "../model/model-aliases.js";
import type { Block, Cell, Tone } from "./block.js";
import { type ColumnOf, EMPTY, notice, sentence, tableOf, textCell } from "./make-block.js";

/** What `probe models` shows. */
export function aliasBlocks(aliases: readonly Alias[], downloads: string): Block[] {
  return [
    tableOf(null, ALIAS_COLUMNS, aliases),
    sentence(
      "Besides: a .gguf file, llama:FILE, openai:NAME, huggingface:NAME, scripted:always-A, scripted:oracle, " +
        "scripted:uniform, scripted:FILE.jsonl.",
    ),
    sentence(`Downloads are kept in ${downloads}`),
  ];
}

const ALIAS_COLUMNS: readonly ColumnOf<Alias>[] = [
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

const STATUS: Readonly<Record<CheckedWay["status"], { readonly text: string; readonly tone: Tone }>> = {
  works: { text: "works", tone: "good" },
  refused: { text: "REFUSED", tone: "bad" },
  not_offered: { text: "not offered", tone: "plain" },
  not_tried: { text: "not tried", tone: "plain" },
};
const NOTE_WIDTH = 68;
const LONGEST_NOTE = 400;

/** What `probe models check` shows. */
export function checkBlocks(label: string, report: CheckReport): Block[] {
  const server = Object.entries(report.server).map(([name, value]) => `${name} ${String(value)}`);
  return [
    sentence([label, ...report.endpoints, ...server].join(" · ")),
    tableOf(null, CHECK_COLUMNS, report.ways),
    conclusion(report),
  ];
}

const CHECK_COLUMNS: readonly ColumnOf<CheckedWay>[] = [
  { id: "way", label: "way", align: "left", importance: 1, cell: ({ way }) => textCell(way) },
  {
    id: "extraction",
    label: "extraction",
    align: "left",
    importance: 3,
    cell: ({ extraction }) => textCell(extraction),
  },
  {
    id: "result",
    label: "result",
    align: "left",
    importance: 1,
    cell: ({ status }) => textCell(STATUS[status].text, STATUS[status].tone),
  },
  measured("right", ({ right }) => textCell(`${right} of 4`)),
  measured("letter mass", ({ symbolMass }) => textCell(symbolMass.toFixed(4))),
  measured("repeats to", ({ repeatDifference }) => textCell(`${repeatDifference.toExponential(0)} nats`)),
  {
    id: "notes",
    label: "notes",
    align: "left",
    importance: 1,
    width: NOTE_WIDTH,
    cell: ({ notes }) => textCell(notes.map((note) => shorten(note, LONGEST_NOTE)).join("; ")),
  },
];

type Measures = NonNullable<CheckedWay["measures"]>;

function measured(label: string, of: (measures: Measures) => Cell): ColumnOf<CheckedWay> {
  const cell = ({ measures }: CheckedWay) => (measures === null ? EMPTY : of(measures));
  return { id: label, label, align: "left", importance: 2, cell };
}

function conclusion({ chosen, forced }: CheckReport): Block {
  if (chosen === null) return notice("bad", "No way works: this model is refused (--force asks it all the same).");
  return forced
    ? notice("bad", `FORCED: answers would be taken by ${chosen}, which the check refuses.`)
    : notice("good", `Answers are taken by: ${chosen}.`);
}
