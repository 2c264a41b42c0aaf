/** A cell; `null` is an absent value: an empty field, `null` in JSON. */
export type Cell = string | number | boolean | null;

/** Description of a column for its readers: name, Frictionless type, meaning. */
export interface ColumnDescription {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly description: string;
}

/** A column: its description, and how a row gives its value. */
export interface Column<Row> extends ColumnDescription {
  /** The cell of a row; `null` where it is absent. */
  readonly value: (row: Row) => Cell;
}

/** Description of a table, without the code that fills its cells. */
export interface TableDescription {
  /** File name in its folder. */
  readonly file: string;
  readonly title: string;
  readonly primaryKey: readonly string[];
  readonly columns: readonly ColumnDescription[];
}

/** The one definition of a table: header, cells, schema, dictionary and `--json` entries are made from it. */
export interface Table<Row> extends TableDescription {
  readonly columns: readonly Column<Row>[];
}

/** Rows of a table. A stream hands over some rows at a time: a wait for each of a million takes too long. */
export type TableRows<Row> = Iterable<Row> | AsyncIterable<Iterable<Row>>;

/** A column as it is written down: name, type, description, value. */
export type ColumnLine<Row> = readonly [
  ColumnDescription["name"],
  ColumnDescription["type"],
  ColumnDescription["description"],
  Column<Row>["value"],
];

/** Columns from the lines in which a table writes them down. */
export function columnsOf<Row>(lines: readonly ColumnLine<Row>[]): Column<Row>[] {
  return lines.map(([name, type, description, value]) => ({ name, type, description, value }));
}

/** Columns about a part of a row, as columns of the row. */
export function columnsAbout<Row, Part>(partOf: (row: Row) => Part, columns: readonly Column<Part>[]): Column<Row>[] {
  return columns.map(({ value, ...column }) => ({ ...column, value: (row) => value(partOf(row)) }));
}

/** Cells of a row, in the order of the columns. */
export function cellsOf<Row>(columns: readonly Column<Row>[], row: Row): Cell[] {
  const cells: Cell[] = [];
  for (const { value } of columns) cells.push(value(row));
  return cells;
}

/** A row as `--json` prints it: its cells by the names of their columns. */
export function entryOf<Row>(columns: readonly Column<Row>[], row: Row): Record<string, Cell> {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(row)]));
}
