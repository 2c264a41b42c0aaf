import { LANGUAGES } from "../../base/language.js";
import { type Funnel, type LanguageCounts, totalOf } from "../../dataset/funnel.js";
import type { TableBlock } from "../../report/block.js";
import { type ColumnOf, numberColumn, tableOf, textColumn } from "../../report/make-block.js";

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
    textColumn("what", "", ([name]) => name),
    numberColumn("all", "all", "count", ([, counts]) => totalOf(counts)),
    ...keys.map((key): ColumnOf<NamedCounts> => {
      return numberColumn(key, key, "count", ([, counts]) => counts[key] ?? 0, { importance: 2 });
    }),
  ];
  return tableOf(caption, columns, rows);
}
