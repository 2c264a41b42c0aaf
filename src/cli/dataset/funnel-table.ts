import { LANGUAGES } from "../../base/language.js";
import { type Funnel, type LanguageCounts, totalOf } from "../../dataset/funnel.js";
import type { TableBlock } from "../../report/block.js";
import { type ColumnOf, numberCell, tableOf, textCell } from "../../report/make-block.js";

type NamedCounts = readonly [string, LanguageCounts];

/** The funnel as a table: read, one row a reason, kept; in all and by language. */
export function funnelTable({ read, drops, kept }: Funnel, caption: string | null = null): TableBlock {
  const rows: NamedCounts[] = [
    ["read", read],
    ...drops.map(({ reason, counts }) => [`- ${reason}`, counts] as const),
    ["kept", kept],
  ];
  return countsTable(rows, caption);
}

/** Counts in all and by language, a row each; columns for the languages that any row has. */
export function countsTable(rows: readonly NamedCounts[], caption: string | null): TableBlock {
  const keys = [...LANGUAGES, "other" as const].filter((key) => rows.some(([, counts]) => counts[key] !== undefined));
  const columns: ColumnOf<NamedCounts>[] = [
    { id: "what", label: "", align: "left", importance: 1, cell: ([name]) => textCell(name) },
    {
      id: "all",
      label: "all",
      align: "right",
      importance: 1,
      cell: ([, counts]) => numberCell(totalOf(counts), "count"),
    },
    ...keys.map((key): ColumnOf<NamedCounts> => {
      return {
        id: key,
        label: key,
        align: "right",
        importance: 2,
        cell: ([, counts]) => numberCell(counts[key] ?? 0, "count"),
      };
    }),
  ];
  return tableOf(caption, columns, rows);
}
