import { stringify } from "csv-stringify/sync";
import { writeAtomically } from "./atomic-write.js";
import { type Cell, cellsOf, type Table } from "./table.js";

const ROWS_A_WRITE = 500;

/**
 * What a spreadsheet takes for a formula (OWASP, "CSV injection"): `=`, `+`, `-` or `@`, or their full-width forms, first
 * or behind blanks and line breaks, which some programs skip; a tab or a carriage return first.
 */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;

/**
 * Writes a table: UTF-8, header, RFC 4180, `.` decimals, empty for absent, `true`/`false`. A text that a spreadsheet
 * would take for a formula is prefixed with `'`. Streams: holds a few hundred rows.
 */
export async function writeTable<Row>(
  path: string,
  table: Table<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
): Promise<void> {
  await writeAtomically(path, async (append) => {
    let block: Cell[][] = [headerOf(table)];
    for await (const row of rows) {
      block.push(cellsOf(table.columns, row));
      if (block.length >= ROWS_A_WRITE) {
        await append(formatRows(block));
        block = [];
      }
    }
    await append(formatRows(block));
  });
}

/** A table as text, header first. */
export function tableText<Row>(table: Table<Row>, rows: readonly Row[]): string {
  return formatRows([headerOf(table), ...rows.map((row) => cellsOf(table.columns, row))]);
}

function headerOf<Row>({ columns }: Table<Row>): Cell[] {
  return columns.map(({ name }) => name);
}

/** Rows as CSV text. */
export function formatRows(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    cast: {
      boolean: (value) => String(value),
      // What is not a number is absent.
      number: (value) => (Number.isFinite(value) ? String(value) : ""),
      string: (value) => (FORMULA.test(value) ? `'${value}` : value),
    },
    record_delimiter: "\r\n",
    // Unless told, a lone line break goes unquoted when the record delimiter is another.
    quote_record_delimiter: true,
  });
}
