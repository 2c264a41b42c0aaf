import { visibleLine } from "../../base/text.js";
import type { Cell as BlockCell, TableBlock } from "../../report/block.js";
import { cellLines } from "../../report/cell-text.js";
import type { TableSet } from "../../report/table-set.js";
import { formatRows } from "../../store/csv.js";
import type { Cell } from "../../store/table.js";

/** A row by the names of its columns. */
export type TableEntry = Readonly<Record<string, Cell>>;

/**
 * The rows of a set of tables as data: numbers as they are (rates as fractions 0–1), with bounds, verdict and note beside
 * them in columns named after theirs. What names would do to the eye is shown.
 */
export function tableEntries({ tables }: TableSet): TableEntry[] {
  return tables.flatMap(({ name, block }) => {
    const named = tables.length > 1 ? { table: name } : {};
    return entriesOf(block).map((entry) => ({ ...named, ...entry }));
  });
}

/** Likewise as CSV: every column that any row has. */
export function tableCsv(set: TableSet): string {
  const entries = tableEntries(set);
  const names = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  return formatRows([names, ...entries.map((entry) => names.map((name) => entry[name] ?? null))]);
}

function entriesOf({ columns, rows, references = [] }: TableBlock): TableEntry[] {
  const entry = (row: readonly BlockCell[]): [string, Cell][] =>
    columns.flatMap(({ id }, i) => fieldsOf(id, row[i] ?? { kind: "missing" }));
  // Every row has every field that any row of its column has, so that columns stand side by side.
  const all = [...rows, ...references].map(entry);
  const order = columns.flatMap(({ id }) => [id, ...PARTS.map((part) => `${id}_${part}`)]);
  const used = new Set(all.flatMap((fields) => fields.map(([name]) => name)));
  const names = order.filter((name) => used.has(name));
  return all.map((fields, i) => {
    const own = new Map(fields);
    const kind = references.length === 0 ? [] : [["is_reference", i >= rows.length] as const];
    return Object.fromEntries([...kind, ...names.map((name) => [name, own.get(name) ?? null] as const)]);
  });
}

const PARTS = ["ci_low", "ci_high", "verdict", "note"] as const;

function fieldsOf(id: string, cell: BlockCell): [string, Cell][] {
  if (cell.kind === "missing") return [[id, null]];
  if (cell.kind !== "number") return [[id, visibleLine(cellLines(cell).join(" "))]];
  const { value, interval, verdict, note = [] } = cell;
  const words = note.flatMap((part) => (typeof part === "string" ? [part] : []));
  return [
    [id, value],
    ...(interval == null
      ? []
      : ([
          [`${id}_ci_low`, interval.low],
          [`${id}_ci_high`, interval.high],
        ] as [string, Cell][])),
    ...(verdict === undefined ? [] : ([[`${id}_verdict`, verdict]] as [string, Cell][])),
    // A note that has numbers repeats what other columns tell.
    ...(words.length === 0 || words.length < note.length
      ? []
      : ([[`${id}_note`, visibleLine(words.join(""))]] as [string, Cell][])),
  ];
}
