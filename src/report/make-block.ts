import type { Estimate } from "../stats/interval.js";
import type {
  Block,
  Cell,
  Column,
  Inline,
  Interval,
  NumberCell,
  NumberFormat,
  TableBlock,
  TextBlock,
  Tone,
} from "./block.js";

/** A column with how a row's cell is made: defined once, it stands in every table of its subject. */
export interface ColumnOf<T> extends Column {
  readonly cell: (item: T) => Cell;
}

/** A table whose rows are items. */
export function tableOf<T>(
  caption: string | null,
  columns: readonly ColumnOf<T>[],
  items: readonly T[],
  more: Pick<TableBlock, "isSortable" | "isCompact" | "isCards" | "references"> = {},
): TableBlock {
  return {
    kind: "table",
    caption,
    columns: columns.map(({ cell: _, ...column }) => column),
    rows: items.map((item) => columns.map(({ cell }) => cell(item))),
    ...more,
  };
}

/** A sentence. */
export function sentence(...parts: readonly Inline[]): TextBlock {
  return { kind: "text", parts };
}

/** The subject of a page's section, in a sentence or a few. */
export function lead(...parts: readonly Inline[]): TextBlock {
  return { kind: "text", role: "lead", parts };
}

/** A sentence that is to be noticed. */
export function notice(tone: Tone, ...parts: readonly Inline[]): TextBlock {
  return { kind: "text", tone, parts };
}

/** Blocks that stand only where a condition holds. */
export function when(condition: boolean, ...blocks: readonly Block[]): readonly Block[] {
  return condition ? blocks : [];
}

export function heading(level: 1 | 2 | 3, text: string): Block {
  return { kind: "heading", level, text };
}

export function textCell(text: string | readonly string[], tone?: Tone): Cell {
  return { kind: "text", text, ...(tone === undefined ? {} : { tone }) };
}

/** A number, or a dash where there is none. */
export function numberCell(
  value: number | null | undefined,
  format: NumberFormat,
  more: Partial<Omit<NumberCell, "kind" | "value" | "format">> = {},
): Cell {
  return value === null || value === undefined ? MISSING : { kind: "number", value, format, ...more };
}

export const MISSING: Cell = { kind: "missing" };
export const EMPTY: Cell = { kind: "missing", isEmpty: true };

/** Bounds where both are known. */
export function intervalOf(low: number | null | undefined, high: number | null | undefined): Interval | null {
  return low === null || low === undefined || high === null || high === undefined ? null : { low, high };
}

/** A value that has its bounds beside it, as rows of `summary.csv` do. */
function boundedCell(
  row: { readonly value: number | null; readonly ciLow: number | null; readonly ciHigh: number | null } | undefined,
  format: NumberFormat,
): Cell {
  return numberCell(row?.value, format, { interval: intervalOf(row?.ciLow, row?.ciHigh) });
}

/** Parts of a column with a default: importance 1, no width, no short label. */
type ColumnChoice = Partial<Pick<Column, "importance" | "width" | "shortLabel">>;

/** A column of any cells, to the left. */
export function leftColumn<T>(
  id: string,
  label: string,
  cell: (item: T) => Cell,
  choice: ColumnChoice = {},
): ColumnOf<T> {
  return { id, label, align: "left", importance: 1, ...choice, cell };
}

/** A column of any cells, to the right. */
export function rightColumn<T>(
  id: string,
  label: string,
  cell: (item: T) => Cell,
  choice: ColumnChoice = {},
): ColumnOf<T> {
  return { id, label, align: "right", importance: 1, ...choice, cell };
}

/** A column of words, to the left. */
export function textColumn<T>(
  id: string,
  label: string,
  text: (item: T) => string | readonly string[],
  choice: ColumnChoice = {},
): ColumnOf<T> {
  return leftColumn(id, label, (item) => textCell(text(item)), choice);
}

/** A column of numbers, to the right; a dash where there is none. */
export function numberColumn<T>(
  id: string,
  label: string,
  format: NumberFormat,
  value: (item: T) => number | null | undefined,
  choice: ColumnChoice = {},
): ColumnOf<T> {
  return rightColumn(id, label, (item) => numberCell(value(item), format), choice);
}

/** A value that may be absent, with the bounds of its interval. */
type BoundedValue = Pick<Estimate, "low" | "high"> & { readonly value: number | null };

/** A column of numbers, each with its interval where it has one. */
export function estimateColumn<T>(
  id: string,
  label: string,
  format: NumberFormat,
  estimate: (item: T) => BoundedValue | null | undefined,
  choice: ColumnChoice = {},
): ColumnOf<T> {
  const cell = (item: T) => {
    const found = estimate(item);
    return numberCell(found?.value, format, { interval: intervalOf(found?.low, found?.high) });
  };
  return rightColumn(id, label, cell, choice);
}

/** A column of values that have their bounds beside them, as rows of `summary.csv` do. */
export function boundedColumn<T>(
  id: string,
  label: string,
  format: NumberFormat,
  row: (item: T) => Parameters<typeof boundedCell>[0],
  choice: ColumnChoice = {},
): ColumnOf<T> {
  return rightColumn(id, label, (item) => boundedCell(row(item), format), choice);
}
