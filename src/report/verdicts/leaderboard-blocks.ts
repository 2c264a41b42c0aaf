import { groupName } from "../../base/language.js";
import type { Judgement } from "../../verdict/judgement.js";
import type { LeaderboardFloor, LeaderboardRow, LeaderboardTable } from "../../verdict/leaderboard.js";
import type { Block, Cell, Inline, TableBlock } from "../block.js";
import { worthOf } from "../judgement-words.js";
import {
  type ColumnOf,
  EMPTY,
  heading,
  intervalOf,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../make-block.js";
import { type Markdown, renderMarkdown } from "../markdown.js";
import { SIGNS } from "./score-table.js";

/** The leaderboards as Markdown tables; the best of each column in bold. */
export function leaderboardMarkdown(tables: readonly LeaderboardTable[], notes: readonly string[]): Markdown {
  return renderMarkdown([
    heading(1, "Leaderboard"),
    ...notes.map((note) => sentence(note)),
    sentence(leaderboardMethod(tables)),
    SIGNS,
    ...tables.flatMap((table): Block[] => [heading(2, titleOf(table)), leaderboardTable(table, null)]),
  ]);
}

/** Explains how leaderboards are read; agreements and their distances only where there are any. */
export function leaderboardMethod(tables: readonly LeaderboardTable[]): string {
  const hasDistances = tables.some(({ rows }) =>
    rows.some(({ columns }) => columns.some(({ distances }) => distances.length > 0)),
  );
  return (
    "Percent, by score; behind each its verdict. Floor: the highest score on the same questions that needs no " +
    "comprehension. Best (bold) is a score above it that is better than the next, as probe compare would say (p < 0.05)." +
    (hasDistances
      ? " In brackets behind an agreement: its distance from 1/N, and from the mean of uniform guessing."
      : "")
  );
}

/** Such as `CL easy: change localisation, easy`; one word where both are the same. */
export function titleOf({ form }: LeaderboardTable): string {
  return form.name === form.title ? form.name : `${form.name}: ${form.title}`;
}

/** One leaderboard: a verdict a score, the floor below. */
export function leaderboardTable(table: LeaderboardTable, caption: string | null): TableBlock {
  const columns = columnsOf(table);
  const floors = table.rows.length === 0 ? [] : table.floors;
  const references = floors.map((floor) => columns.map(({ floor: cell }) => cell?.(floor) ?? EMPTY));
  return tableOf(caption, columns, table.rows, { isSortable: true, references });
}

type Value = (row: LeaderboardRow) => number | null;
type CellNote = Omit<Parameters<typeof numberCell>[2] & object, "isBest">;

/** A column, and what the floor is of what it shows. */
interface BoardColumn extends ColumnOf<LeaderboardRow> {
  readonly floor?: (floor: LeaderboardFloor) => Cell;
}

/** The columns of every leaderboard. */
function columnsOf({ groups, form }: LeaderboardTable): BoardColumn[] {
  const points = (
    id: string,
    label: string,
    value: Value,
    note: (row: LeaderboardRow) => CellNote,
    group: string | null,
  ): BoardColumn =>
    rightColumn(id, label, (row) =>
      numberCell(value(row), "points", { ...note(row), ...(row.bestOn.has(group) && { isBest: true }) }),
    );
  const overall = points(
    "overall",
    "Overall",
    (row) => row.overall.value,
    ({ overall: { ciLow, ciHigh }, judgement }) => ({ interval: intervalOf(ciLow, ciHigh), ...worthOf(judgement) }),
    null,
  );
  return [
    {
      ...textColumn("model", "Model", ({ model }) => model),
      floor: ({ model }) => textCell(model === null ? "Floor" : `Floor (${model})`),
    },
    numberColumn("n", "n", "count", ({ n }) => n, { importance: 2 }),
    { ...overall, floor: ({ value, rule }) => numberCell(value, "points", rule === null ? {} : { note: [rule] }) },
    ...groups.map((group): BoardColumn => {
      const column = points(
        group,
        groupName(group),
        ({ byGroup }) => byGroup.get(group) ?? null,
        ({ groupJudgements, judgement }) => {
          const own = groupJudgements.get(group);
          return { ...(own && groupWorth(own)), ...(judgement?.mark && { badge: judgement.mark }) };
        },
        group,
      );
      return { ...column, importance: 3, floor: ({ byGroup }) => numberCell(byGroup.get(group), "points") };
    }),
    ...form.columns.map(({ id, label, unit }, i): BoardColumn => {
      const format = unit === undefined ? "points" : FORMATS[unit];
      const cell = (row: LeaderboardRow) => numberCell(row.columns[i]?.value, format, distancesOf(row, i));
      return { ...rightColumn(id, label, cell), importance: 3 };
    }),
  ];
}

const FORMATS = { share: "points", number: "coefficient", amount: "short" } as const;

/** A group of which no score could be told from chance says so, in place of a sign. */
function groupWorth(judgement: Judgement): CellNote {
  const isTooFew = judgement.state === "unknown" && judgement.clusters !== null;
  return isTooFew ? { note: ["too few"] } : worthOf(judgement);
}

/** Such as `(+65.8; +45.3)`. */
function distancesOf({ columns }: LeaderboardRow, column: number): CellNote {
  const distances = columns[column]?.distances ?? [];
  if (distances.length === 0) return {};
  const parts = distances.flatMap(({ value }, i): Inline[] => [
    ...(i === 0 ? [] : ["; "]),
    { value, format: "points_change" },
  ]);
  return { note: ["(", ...parts, ")"] };
}
