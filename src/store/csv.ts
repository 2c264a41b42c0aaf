import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Options, stringify } from "csv-stringify/sync";
import { sha256OfFile } from "../base/sha256.js";
import { writeAtomically } from "./atomic-write.js";
import { type Cell, cellsOf, type Table, type TableDescription, type TableRows } from "./table.js";

const BYTES_A_WRITE = 1 << 18;
/** Some rows: to add each by itself takes longer, and what is made of many is no longer short-lived. */
const CHARACTERS_AT_ONCE = 1 << 13;
/** UTF-8 bytes of a UTF-16 unit, at most. */
const MOST_BYTES_A_UNIT = 3;

/**
 * Formulas as spreadsheets recognise them (OWASP, "CSV injection"): `=`, `+`, `-` or `@`, or their full-width forms,
 * first or behind blanks and line breaks, which some programs skip; a tab or a carriage return first.
 */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;

/**
 * Writes a table: UTF-8, header, RFC 4180, `.` decimals, empty for absent, `true`/`false`. A text that a spreadsheet
 * would take for a formula is prefixed with `'`. Streams: holds the bytes of some rows, and the rows that come together.
 */
export async function writeTable<Row>(path: string, table: Table<Row>, rows: TableRows<Row>): Promise<void> {
  await writeAtomically(path, async (append) => {
    const formatter = new RowFormatter();
    const block = new ByteBlock(append);
    let text = formatter.format(headerOf(table));
    for await (const together of Symbol.asyncIterator in rows ? rows : [rows]) {
      for (const row of together) {
        text += formatter.format(cellsOf(table.columns, row));
        if (text.length < CHARACTERS_AT_ONCE) continue;
        await block.add(text);
        text = "";
      }
    }
    await block.add(text);
    await block.flush();
  });
}

/** Gathers texts as bytes, in the same memory again and again. */
class ByteBlock {
  readonly #append: (bytes: Uint8Array | string) => Promise<void>;
  readonly #bytes = Buffer.allocUnsafe(BYTES_A_WRITE);
  #filled = 0;

  constructor(append: (bytes: Uint8Array | string) => Promise<void>) {
    this.#append = append;
  }

  async add(text: string): Promise<void> {
    const most = text.length * MOST_BYTES_A_UNIT;
    if (this.#filled + most > this.#bytes.length) await this.flush();
    if (most > this.#bytes.length) await this.#append(text);
    else this.#filled += this.#bytes.write(text, this.#filled);
  }

  async flush(): Promise<void> {
    await this.#append(this.#bytes.subarray(0, this.#filled));
    this.#filled = 0;
  }
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
  for (let i = 0; i < row.length; i++) {
    const cell = row[i];
    if (typeof cell === "number" && !Number.isFinite(cell)) return null;
    if (typeof cell === "string" && cell !== before[i] && cell !== "" && !PLAIN.test(cell)) return null;
  }
  // An absent cell is an empty field here too.
  return `${row.join(",")}\r\n`;
}

const FORM: Options = {
  cast: {
    boolean: (value) => String(value),
    // Numbers that are not finite are absent.
    number: (value) => (Number.isFinite(value) ? String(value) : ""),
    string: (value) => (FORMULA.test(value) ? `'${value}` : value),
  },
  record_delimiter: "\r\n",
  // Unless told, a lone line break goes unquoted when the record delimiter is another.
  quote_record_delimiter: true,
};

/** Writes `datapackage.json`: Frictionless table schemas, size and hash of each table in `folder`. */
export async function writeDataPackage(
  folder: string,
  runId: string,
  tables: readonly TableDescription[],
): Promise<void> {
  const resources = await Promise.all(tables.map((table) => describeTable(folder, table)));
  const descriptor = {
    profile: "tabular-data-package",
    name: runId.toLowerCase().replace(/[^a-z0-9._-]+/g, "-"),
    title: `Results of the run ${runId}`,
    resources,
  };
  await writeAtomically(join(folder, "datapackage.json"), (append) =>
    append(`${JSON.stringify(descriptor, null, 2)}\n`),
  );
}

async function describeTable(folder: string, table: TableDescription): Promise<object> {
  const path = join(folder, table.file);
  return {
    profile: "tabular-data-resource",
    name: table.file.replace(/\.csv$/, ""),
    path: table.file,
    title: table.title,
    format: "csv",
    mediatype: "text/csv",
    encoding: "utf-8",
    bytes: (await stat(path)).size,
    hash: `sha256:${await sha256OfFile(path)}`,
    schema: {
      fields: table.columns.map(({ name, type, description }) => ({ name, type, description })),
      missingValues: [""],
      primaryKey: table.primaryKey,
    },
  };
}
