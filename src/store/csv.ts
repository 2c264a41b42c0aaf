import { type Options, stringify } from "csv-stringify/sync";
import { writeAtomically } from "./atomic-write.js";
import { type Cell, cellsOf, type Table } from "./table.js";

const BYTES_A_WRITE = 1 << 18;
/** Of UTF-8, for a UTF-16 unit. */
const MOST_BYTES_A_UNIT = 3;

/**
 * What a spreadsheet takes for a formula (OWASP, "CSV injection"): `=`, `+`, `-` or `@`, or their full-width forms, first
 * or behind blanks and line breaks, which some programs skip; a tab or a carriage return first.
 */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;

/**
 * Writes a table: UTF-8, header, RFC 4180, `.` decimals, empty for absent, `true`/`false`. A text that a spreadsheet
 * would take for a formula is prefixed with `'`. Streams: holds the bytes of some rows, and of rows themselves two.
 */
export async function writeTable<Row>(
  path: string,
  table: Table<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
): Promise<void> {
  await writeAtomically(path, async (append) => {
    const formatter = new RowFormatter();
    const bytes = Buffer.allocUnsafe(BYTES_A_WRITE);
    await append(formatter.format(headerOf(table)));
    let filled = 0;
    for await (const row of rows) {
      const record = formatter.format(cellsOf(table.columns, row));
      const most = record.length * MOST_BYTES_A_UNIT;
      if (filled + most > bytes.length) {
        await append(bytes.subarray(0, filled));
        filled = 0;
      }
      if (most > bytes.length) await append(record);
      else filled += bytes.write(record, filled);
    }
    await append(bytes.subarray(0, filled));
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
  const formatter = new RowFormatter();
  return rows.map((row) => formatter.format(row)).join("");
}

/** Makes one row after the other text. */
class RowFormatter {
  /** The last row, where it is of plain cells. */
  #before: readonly Cell[] = [];

  format(row: readonly Cell[]): string {
    const plain = plainRecord(row, this.#before);
    this.#before = plain === null ? [] : row;
    return plain ?? stringify([[...row]], FORM);
  }
}

/**
 * The record of a row of plain cells, as nearly all are: several times as fast. `null`: it has others.
 * @param before a row of plain cells: what stands there too, as neighbours have most texts in common, is one
 */
function plainRecord(row: readonly Cell[], before: readonly Cell[]): string | null {
  if (row.length < 2) return null;
  let record = "";
  for (let i = 0; i < row.length; i++) {
    const cell = row[i] ?? null;
    if (typeof cell === "string" && cell !== "" && cell !== before[i] && !PLAIN.test(cell)) return null;
    const isAbsent = cell === null || (typeof cell === "number" && !Number.isFinite(cell));
    if (i > 0) record += ",";
    if (!isAbsent) record += String(cell);
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
