import type { LanguageDraw } from "../../../dataset/curate/stratified-sample.js";
import type { Column, TableBlock } from "../../../report/block.js";
import { type ColumnOf, numberCell, tableOf, textCell } from "../../../report/make-block.js";

/** What a sample took from each language, and over how many repositories it is spread. */
export function sampleTable(languages: readonly LanguageDraw[]): TableBlock {
  return tableOf(null, COLUMNS, languages);
}

const COLUMNS: readonly ColumnOf<LanguageDraw>[] = [
  { id: "language", label: "language", align: "left", importance: 1, cell: ({ language }) => textCell(language) },
  count("available", 2, ({ available }) => available),
  count("taken", 1, ({ taken }) => taken),
  count("repositories", 1, (draw) => named(draw).length),
  count("of them taken from", 2, (draw) => named(draw).filter(({ taken }) => taken > 0).length),
  count("most from one", 3, ({ repositories }) => Math.max(0, ...repositories.map(({ taken }) => taken))),
];

function named({ repositories }: LanguageDraw) {
  return repositories.filter(({ repo }) => repo !== null);
}

function count(
  label: string,
  importance: Column["importance"],
  of: (draw: LanguageDraw) => number,
): ColumnOf<LanguageDraw> {
  return { id: label, label, align: "right", importance, cell: (draw) => numberCell(of(draw), "count") };
}
