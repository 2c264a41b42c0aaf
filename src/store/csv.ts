import { stringify } from "csv-stringify/sync";
import { writeAtomically } from "./atomic-write.js";
import type { TableDefinition } from "./table.js";

/** A cell; `null` is written as an empty field. */
export type Cell = string | number | boolean | null;

const ROWS_A_WRITE = 500;

/**
 * Writes a table: UTF-8, header, RFC 4180, `.` decimals, empty for absent, `true`/`false`. A text that a spreadsheet
 * would take for a formula is prefixed with `'`. Streams: holds a few hundred rows.
 */
export async function writeTable(
  path: string,
  table: TableDefinition,
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
): Promise<void> {
  await writeAtomically(path, async (append) => {
    let block: (readonly Cell[])[] = [table.columns.map(({ name }) => name)];
    for await (const row of rows) {
      block.push(row);
      if (block.length >= ROWS_A_WRITE) {
        await append(formatRows(block));
        block = [];
      }
    }
    await append(formatRows(block));
  });
}

/** Rows as CSV text. */
export function formatRows(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    cast: {
      boolean: (value) => String(value),
      // What is not a number is absent.
      number: (value) => (Number.isFinite(value) ? String(value) : ""),
    },
    escape_formulas: true,
    record_delimiter: "\r\n",
    // Unless told, a lone line break goes unquoted when the record delimiter is another.
    quote_record_delimiter: true,
  });
}
