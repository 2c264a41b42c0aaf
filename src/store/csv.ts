import { type Options, stringify } from "csv-stringify/sync";
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

/** A text that stands in a table as it is: no quotes, no guard. */
const PLAIN = /^[A-Za-z0-9_](?:[A-Za-z0-9_.:/ -]*[A-Za-z0-9_])?$/;

/** Rows as CSV text. */
export function formatRows(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => plainRecord(row) ?? stringify([[...row]], FORM)).join("");
}

/** The record of a row of plain cells, as nearly all are: several times as fast. `null`: it has others. */
function plainRecord(row: readonly Cell[]): string | null {
  if (row.length < 2) return null;
  let record = "";
  for (const [i, cell] of row.entries()) {
    if (typeof cell === "string" && cell !== "" && !PLAIN.test(cell)) return null;
    const isAbsent = cell === null || (typeof cell === "number" && !Number.isFinite(cell));
    record += `${i === 0 ? "" : ","}${isAbsent ? "" : String(cell)}`;
  }
  return `${record}\r\n`;
}

const FORM: Options = {
  cast: {
    boolean: (value) => String(value),
    // What is not a number is absent.
    number: (value) => (Number.isFinite(value) ? String(value) : ""),
    string: (value) => (FORMULA.test(value) ? `'${value}` : value),
  },
  record_delimiter: "\r\n",
  // Unless told, a lone line break goes unquoted when the record delimiter is another.
  quote_record_delimiter: true,
};
