import { type FieldType, MISMATCH, mismatch, oneOf } from "./field-type.js";
import type { Cell, Column, ColumnDescription } from "./table.js";

/** Line of a journal, parsed. */
type Line = Record<string, unknown>;

/** Column of a table; it stands behind another where it says so, else in the order of the fields. */
export interface PlacedColumn<Row> extends Column<Row> {
  readonly behind?: string | undefined;
}

/** Field of a recorded thing: its part of the line, its value in memory, its columns. */
export interface Field<T> {
  /** Name in the line, where it is not that of the key. */
  readonly name?: string;
  /** The line does not have it: it follows from the others. */
  readonly isDerived?: true;
  /**
   * Value in memory.
   * @param record the fields before it, read
   * @throws Error naming the field, what was expected and what was found
   */
  read(line: Line, name: string, record: unknown): T;
  /** Puts the value into the line. */
  write(line: Line, name: string, value: T, record: unknown): void;
  /**
   * Columns of the field.
   * @param of gives the field's value of a row
   */
  columns<Row>(name: string, of: (row: Row) => T): readonly PlacedColumn<Row>[];
}

/** Fields by their keys in memory, in the order of the line; in the line `exampleId` is called `example_id`. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** Value of a field in memory. */
type ValueOf<F> = F extends Field<infer T> ? T : never;

/** Thing in memory whose fields are declared in a table; a field that may be absent is an optional property. */
export type RecordOf<F extends Fields> = {
  readonly [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>;
} & { readonly [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]> };

/** Column of a field in the tables. */
interface FieldColumn<T> {
  /** Name of the column, where it is not that of the field. */
  readonly name?: string;
  /** Meaning, for the data dictionary. */
  readonly column: string;
  /** Cell of a value; without it, the value. */
  readonly cell?: (value: T) => Cell;
  /** Column that it stands behind, where the table has another order than the line. */
  readonly behind?: string;
}

/**
 * Declares a field.
 * @param column its meaning, or its column; without it, the tables do not have the field
 */
export function field<T extends Cell | undefined>(type: FieldType<T>, column?: string | FieldColumn<T>): Field<T> {
  const about = typeof column === "string" ? { column } : column;
  return structured(type, (name) => (about === undefined ? [] : [columnOf(type, name, about)]));
}

function columnOf<T extends Cell | undefined>(
  { cellType }: FieldType<T>,
  name: string,
  { name: own, column, cell = (value) => value ?? null, behind }: FieldColumn<T>,
): PlacedColumn<T> {
  return { name: own ?? name, type: cellType, description: column, value: cell, behind };
}

/** Declares a field of any type, with any number of columns, such as a list with one for each of its entries. */
export function structured<T>(
  type: FieldType<T>,
  columns: (name: string) => readonly PlacedColumn<T>[] = () => [],
): Field<T> {
  return {
    read: (line, name) => {
      const value = type.read(line[name]);
      if (value === MISMATCH) throw mismatch(name, type.expected, line[name]);
      return value;
    },
    write: (line, name, value) => {
      line[name] = type.write(value);
    },
    columns: (name, of) => columns(name).map((column) => ({ ...column, value: (row) => column.value(of(row)) })),
  };
}

/** The same field under a name of its own in the line. */
export function named<T>(name: string, same: Field<T>): Field<T> {
  return { ...same, name };
}

/** Declares a field that follows from those before it: memory and tables have it, the line does not. */
export function derived<Source, T extends Cell>(
  type: ColumnDescription["type"],
  column: string,
  derive: (record: Source) => T,
): Field<T> {
  return {
    isDerived: true,
    read: (_line, _name, record: Source) => derive(record),
    write: () => undefined,
    columns: (name, of) => [{ name, type, description: column, value: of }],
  };
}

/** Value that has one of several forms, told apart by their `status`. */
type VariantOf<V extends Readonly<Record<string, Fields>>> = {
  [S in keyof V & string]: { readonly status: S } & RecordOf<V[S]>;
}[keyof V & string];

interface VariantOptions {
  /** Fields of the other forms in a line: `null`, or left out. */
  readonly others: "null" | "left out";
  /** Column of the status. */
  readonly status?: FieldColumn<string>;
}

/**
 * Declares a value that has one of several forms. The line has its status and the fields of its form beside the other
 * fields; forms that name the same column share it.
 * @param forms fields by status
 */
export function variants<V extends Readonly<Record<string, Fields>>>(
  forms: V,
  { others, status: statusColumn }: VariantOptions,
): Field<VariantOf<V>> {
  const tables = new Map(Object.entries(forms).map(([status, fields]) => [status, entriesOf(fields)]));
  const statusField = field(oneOf([...tables.keys()]), statusColumn);
  const written = [...tables.values()].flat().filter(({ field: { isDerived } }) => isDerived !== true);
  const blank = others === "null" ? Object.fromEntries(written.map(({ name }) => [name, null])) : {};
  return {
    read: (line) => {
      const status = statusField.read(line, "status", line);
      return readEntries<VariantOf<V>>({ status }, tables.get(status) ?? [], line);
    },
    write: (line, _, value) => {
      line["status"] = value.status;
      Object.assign(line, blank);
      writeEntries(line, tables.get(value.status) ?? [], value);
    },
    columns: (_, of) => [
      ...statusField.columns("status", (row: Parameters<typeof of>[0]) => of(row).status),
      ...sharedColumns(tables, of),
    ],
  };
}

/** Columns of all forms; one that several have takes its cell from the form that a row has. */
function sharedColumns<Row>(
  tables: ReadonlyMap<string, readonly Entry[]>,
  of: (row: Row) => { readonly status: string },
): PlacedColumn<Row>[] {
  const shared = new Map<string, { column: PlacedColumn<Row>; values: Map<string, Column<Row>["value"]> }>();
  for (const [status, entries] of tables) {
    for (const column of columnsOfEntries(entries, of)) {
      const known = shared.get(column.name) ?? { column, values: new Map() };
      known.values.set(status, column.value);
      shared.set(column.name, known);
    }
  }
  return [...shared.values()].map(({ column, values }) => ({
    ...column,
    value: (row) => values.get(of(row).status)?.(row) ?? null,
  }));
}

/** Table of the fields of a recorded thing: its reader, its writer, its columns. */
export interface RecordTable<T> {
  /** Record as one line of JSON, without the line end. */
  encode(record: T): string;
  /** @throws Error naming the field, what was expected and what was found */
  decode(line: string): T;
  /**
   * Columns of the fields in the order of the table.
   * @param more columns that are computed from more than the record
   */
  columns<Row extends T>(more?: readonly PlacedColumn<Row>[]): Column<Row>[];
}

/**
 * Makes the table of the fields of a recorded thing. A new field is declared here alone: its type, its place in the line,
 * its check and its columns with their meanings follow.
 * @param kind first field of each line, where lines have one: tells records of one kind from those of another
 */
export function recordTable<F extends Fields>(fields: F, kind?: string): RecordTable<RecordOf<F>> {
  const entries = entriesOf(fields);
  return {
    encode: (record) => {
      const line: Line = kind === undefined ? {} : { kind };
      writeEntries(line, entries, record);
      return JSON.stringify(line);
    },
    decode: (text) => {
      const line: unknown = JSON.parse(text);
      if (!isLine(line)) throw mismatch("the line", "an object", line);
      if (kind !== undefined && line["kind"] !== kind) throw mismatch("kind", `"${kind}"`, line["kind"]);
      return readEntries({}, entries, line);
    },
    columns: <Row extends RecordOf<F>>(more: readonly PlacedColumn<Row>[] = []) =>
      inOrder([...columnsOfEntries(entries, (row: Row) => row), ...more]),
  };
}

/** Columns of fields that several tables share. */
export function fieldColumns<F extends Fields>(fields: F): Column<RecordOf<F>>[] {
  return recordTable(fields).columns();
}

/** Columns in the order in which they are declared, each behind the one that it names. */
function inOrder<Row>(columns: readonly PlacedColumn<Row>[]): Column<Row>[] {
  const withFollowers = ({ behind: _, ...column }: PlacedColumn<Row>): Column<Row>[] => [
    column,
    ...columns.filter(({ behind }) => behind === column.name).flatMap(withFollowers),
  ];
  const ordered = columns.filter(({ behind }) => behind === undefined).flatMap(withFollowers);
  if (ordered.length === columns.length) return ordered;
  const lost = columns.find(({ name }) => !ordered.some((column) => column.name === name));
  throw new RangeError(`Expected a column ${lost?.behind} for ${lost?.name} to stand behind, found none.`);
}

interface Entry {
  /** Name of the field in memory. */
  readonly key: string;
  /** Name of the field in the line. */
  readonly name: string;
  readonly field: Field<unknown>;
}

function entriesOf(fields: Fields): Entry[] {
  return Object.entries(fields).map(([key, field]) => ({ key, name: field.name ?? lineName(key), field }));
}

/** Name of a field in lines and tables, such as `example_id` of `exampleId`. */
export function lineName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isLine(found: unknown): found is Line {
  return typeof found === "object" && found !== null;
}

function readEntries<T>(record: Line, entries: readonly Entry[], line: Line): T {
  for (const { key, name, field } of entries) {
    const value = field.read(line, name, record);
    if (value !== undefined) record[key] = value;
  }
  return record as T;
}

function writeEntries(line: Line, entries: readonly Entry[], record: object): void {
  const values = record as Line;
  for (const { key, name, field } of entries) field.write(line, name, values[key], record);
}

function columnsOfEntries<Row>(entries: readonly Entry[], of: (row: Row) => object): PlacedColumn<Row>[] {
  return entries.flatMap(({ key, name, field }) => field.columns(name, (row: Row) => (of(row) as Line)[key]));
}
