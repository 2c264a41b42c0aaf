import { visibleLine } from "../base/text.js";
import type { Cell as BlockCell, TableBlock } from "../report/block.js";
import { cellLines } from "../report/cell-text.js";
import type { TableSet } from "../report/verdicts/table-set.js";
import { formatRows } from "../store/csv.js";
import type { Cell } from "../store/table.js";
import type { LeaderboardRow, LeaderboardTable } from "../verdict/leaderboard.js";

/** A row by the names of its columns. */
type TableEntry = Readonly<Record<string, Cell>>;

/**
 * The rows of a set of tables as data: numbers as they are (rates as fractions 0–1), with bounds, judgement and note beside
 * them in columns named after theirs. What names would do to the eye is shown.
 */
export function tableEntries({ tables }: TableSet): TableEntry[] {
  return tables.flatMap(({ name, block }) => {
    const named = tables.length > 1 ? { table: name } : {};
    return entriesOf(block).map((entry) => ({ ...named, ...entry }));
  });
}

/** The entries as CSV, with every column that any row has. */
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

/** What a cell with a number has besides, in the order of the columns. */
const PARTS = ["ci_low", "ci_high", "verdict", "note"] as const;

function fieldsOf(id: string, cell: BlockCell): [string, Cell][] {
  if (cell.kind === "missing") return [[id, null]];
  if (cell.kind !== "number") return [[id, visibleLine(cellLines(cell).join(" "))]];
  const { value, interval, judgement, note = [] } = cell;
  const words = note.flatMap((part) => (typeof part === "string" ? [part] : []));
  // A note that has numbers repeats what other columns tell.
  const isPlain = words.length > 0 && words.length === note.length;
  const parts: Record<(typeof PARTS)[number], Cell | undefined> = {
    ci_low: interval?.low,
    ci_high: interval?.high,
    verdict: judgement,
    note: isPlain ? visibleLine(words.join("")) : undefined,
  };
  return [
    [id, value],
    ...PARTS.flatMap((part): [string, Cell][] => {
      const own = parts[part];
      return own === undefined ? [] : [[`${id}_${part}`, own]];
    }),
  ];
}

/** Columns that every leaderboard has. */
const COLUMNS: readonly (readonly [string, (row: LeaderboardRow, form: LeaderboardTable["form"]) => Cell])[] = [
  ["task", (_, { task }) => task],
  ["difficulty", (_, { difficulty }) => difficulty],
  ["ablation", (_, { ablation }) => ablation],
  ["model", ({ model }) => model],
  ["run_id", ({ runId }) => runId],
  ["n", ({ n }) => n],
  ["overall", ({ overall }) => overall.value],
  ["ci_low", ({ overall }) => overall.ciLow],
  ["ci_high", ({ overall }) => overall.ciHigh],
  ["verdict", ({ judgement }) => judgement?.state ?? null],
  ["floor", ({ judgement }) => judgement?.floor ?? null],
  ["floor_rule", ({ judgement }) => judgement?.floorRule ?? null],
  // Orders of each question, where these are not all.
  ["orders", (_, { orders }) => orders?.asked ?? null],
];

/**
 * All leaderboards as one CSV: a row a run and form; rates are fractions 0–1, empty where not measured. It is made to be
 * looked at, so what a name or a group of a run would do to the eye is shown, as in the other forms of the leaderboard.
 */
export function leaderboardCsv(tables: readonly LeaderboardTable[]): string {
  const numbers = [...new Set(tables.flatMap(({ rows }) => rows.flatMap((row) => [...numbersOf(row).keys()])))];
  const groups = [...new Set(tables.flatMap((table) => table.groups))].sort();
  const head = [...COLUMNS.map(([name]) => name), ...numbers, ...groups];
  const rows = tables.flatMap(({ form, rows: members }) =>
    members.map((row): Cell[] => {
      const own = numbersOf(row);
      return [
        ...COLUMNS.map(([, cell]) => cell(row, form)),
        ...numbers.map((name) => own.get(name) ?? null),
        ...groups.map((group) => row.byGroup.get(group) ?? null),
      ];
    }),
  );
  return formatRows(
    [head, ...rows].map((row) => row.map((cell) => (typeof cell === "string" ? visibleLine(cell) : cell))),
  );
}

/** The further numbers of a row by name: each column, and its distances. */
function numbersOf({ columns }: LeaderboardRow): ReadonlyMap<string, number | null> {
  return new Map(
    columns.flatMap((column) => [column, ...column.distances].map(({ id, value }) => [id, value] as const)),
  );
}
