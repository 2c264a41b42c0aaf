import { shorten } from "../base/text.js";
import type { CheckedWay, CheckReport } from "../model/check/check-report.js";
import type { Alias } from "../model/model-aliases.js";
import type { Block, Cell, Tone } from "./block.js";
import { type ColumnOf, EMPTY, leftColumn, notice, sentence, tableOf, textCell, textColumn } from "./make-block.js";

/** The table of `probe models`. */
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
  textColumn("alias", "alias", ({ name }) => name),
  textColumn("model", "model", ({ model }) => model),
  textColumn("about", "about", (alias) => aboutOf(alias), { importance: 2 }),
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

/** The report of `probe models check`. */
export function checkBlocks(label: string, report: CheckReport): Block[] {
  const server = Object.entries(report.server).map(([name, value]) => `${name} ${String(value)}`);
  return [
    sentence([label, ...report.endpoints, ...server].join(" · ")),
    tableOf(null, CHECK_COLUMNS, report.ways),
    conclusion(report),
  ];
}

const CHECK_COLUMNS: readonly ColumnOf<CheckedWay>[] = [
  textColumn("way", "way", ({ way }) => way),
  textColumn("extraction", "extraction", ({ extraction }) => extraction),
  leftColumn("result", "result", ({ status }) => textCell(STATUS[status].text, STATUS[status].tone)),
  measured("right", ({ right }) => textCell(`${right} of 4`)),
  measured("letter mass", ({ symbolMass }) => textCell(symbolMass.toFixed(4))),
  measured("repeats to", ({ repeatDifference }) => textCell(`${repeatDifference.toExponential(0)} nats`)),
  textColumn("notes", "notes", ({ notes }) => notes.map((note) => shorten(note, LONGEST_NOTE)).join("; "), {
    width: NOTE_WIDTH,
  }),
];

type Measures = NonNullable<CheckedWay["measures"]>;

function measured(label: string, of: (measures: Measures) => Cell): ColumnOf<CheckedWay> {
  const cell = ({ measures }: CheckedWay) => (measures === null ? EMPTY : of(measures));
  return leftColumn(label, label, cell, { importance: 2 });
}

function conclusion({ chosen, forced, advice = "" }: CheckReport): Block {
  if (chosen === null) return notice("bad", `No way works: this model is refused. ${advice}`.trimEnd());
  return forced
    ? notice("bad", `FORCED: answers would be taken by ${chosen}, which the check refuses.`)
    : notice("good", `Answers are taken by: ${chosen}.`);
}
