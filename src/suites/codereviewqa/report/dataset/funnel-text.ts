import Table from "cli-table3";
import { LANGUAGES } from "../../../../base/language.js";
import { printable } from "../../../../base/text.js";
import { type Funnel, type LanguageCounts, totalOf } from "../../dataset/funnel.js";

/** The funnel as a table: read, one row a reason, kept; in all and by language. */
export function funnelText({ read, drops, kept }: Funnel): string {
  return countsText([
    ["read", read],
    ...drops.map(({ reason, counts }) => [`- ${reason}`, counts] as const),
    ["kept", kept],
  ]);
}

/** Counts in all and by language, a row each; columns for the languages that any row has. */
export function countsText(rows: readonly (readonly [string, LanguageCounts])[]): string {
  const columns = [...LANGUAGES, "other" as const].filter((key) =>
    rows.some(([, counts]) => counts[key] !== undefined),
  );
  const table = new Table({
    head: ["", "all", ...columns],
    colAligns: ["left", "right", ...columns.map(() => "right" as const)],
    style: { head: [], border: [], compact: true },
  });
  for (const [name, counts] of rows) {
    table.push([printable(name), String(totalOf(counts)), ...columns.map((key) => String(counts[key] ?? 0))]);
  }
  return `${table.toString()}\n`;
}
