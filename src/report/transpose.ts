import type { Cell, Column, TableBlock } from "./block.js";

/** As many columns fill a terminal of 80 characters; others are left out where there is no room. */
const MOST_COLUMNS = 6;

/** Longer names break into lines of this many characters. */
const NAME_WIDTH = 9;

/**
 * The same table with a column a row and a row a column, for where it has many columns and few rows. What names a row
 * stands on top; numbers stand alone.
 */
export function transposed({ columns, rows, references = [], caption }: TableBlock): TableBlock {
  const [first, ...others] = columns;
  const all = [...rows, ...references];
  const label: Column = { id: first?.id ?? "", label: first?.label ?? "", align: "left", importance: 1 };
  const numbers = all.map((_, i): Column => {
    const isFirst = i < MOST_COLUMNS || i >= rows.length;
    return { id: String(i), label: i < rows.length ? String(i + 1) : "", align: "right", importance: isFirst ? 1 : 3 };
  });
  const names = all.map(([cell]): Cell => ({ kind: "text", text: lines(nameOf(cell)) }));
  return {
    kind: "table",
    caption,
    isCompact: true,
    columns: [label, ...numbers],
    rows: [
      [{ kind: "text", text: "" }, ...names],
      ...others.map((column, i): readonly Cell[] => [
        { kind: "text", text: column.shortLabel ?? column.label },
        ...all.map((row): Cell => row[i + 1] ?? { kind: "missing" }),
      ]),
    ],
  };
}

function nameOf(cell: Cell | undefined): string {
  return cell?.kind === "text" ? [cell.text].flat().join(" ") : "";
}

function lines(name: string): string[] {
  return name.match(new RegExp(`.{1,${NAME_WIDTH}}`, "gsu")) ?? [""];
}
