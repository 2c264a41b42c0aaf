import { LANGUAGES, languageName } from "../../base/language.js";
import type { Judgement } from "../../verdict/judgement.js";
import {
  bestOf,
  canBeBest,
  type LeaderboardFloor,
  type LeaderboardRow,
  type LeaderboardTable,
  type Worth,
} from "../../verdict/leaderboard.js";
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

/** How leaderboards are read; what agreements are measured against only where there are any. */
export function leaderboardMethod(tables: readonly LeaderboardTable[]): string {
  const hasDistances = tables.some(({ rows }) =>
    rows.some(({ columns }) => columns.some(({ distances }) => distances.length > 0)),
  );
  return (
    "Percent, by score; behind each its verdict. Floor: the highest score on the same questions that needs no " +
    "comprehension. Only what is above it can be best (bold)." +
    (hasDistances
      ? " In brackets behind an agreement: its distance from 1/N, and from the mean of uniform guessing."
      : "")
  );
}

/** Such as `CL easy: change localisation, easy`. */
export function titleOf({ form }: LeaderboardTable): string {
  return `${form.name}: ${form.title}`;
}

/** One leaderboard: a verdict a score, the floor below. */
export function leaderboardTable(table: LeaderboardTable, caption: string | null): TableBlock {
  const columns = columnsOf(table);
  const references = table.rows.length === 0 ? [] : floorRows(table, columns);
  return tableOf(caption, columns, table.rows, { isSortable: true, references });
}

type Value = (row: LeaderboardRow) => number | null;
type More = (row: LeaderboardRow) => Omit<Parameters<typeof numberCell>[2] & object, "isBest">;

/** A column, and what the floor is of what it shows. */
interface BoardColumn extends ColumnOf<LeaderboardRow> {
  readonly floor?: (floor: LeaderboardFloor) => Cell;
}

function floorRows({ floors }: LeaderboardTable, columns: readonly BoardColumn[]): Cell[][] {
  return floors.map((floor) => columns.map(({ floor: cell }) => cell?.(floor) ?? EMPTY));
}

/** The columns of every leaderboard. */
function columnsOf({ rows, groups, form }: LeaderboardTable): BoardColumn[] {
  const points = (id: string, label: string, value: Value, more: More = () => ({}), worth?: Worth): BoardColumn => {
    const best = bestOf(rows, value, worth);
    const cell = (row: LeaderboardRow): Cell => {
      const isBest = best !== null && value(row) === best && canBeBest(row, worth);
      return numberCell(value(row), "points", { ...more(row), ...(isBest ? { isBest } : {}) });
    };
    return rightColumn(id, label, cell);
  };
  const overall = points(
    "overall",
    "Overall",
    (row) => row.overall.value,
    ({ overall: { ciLow, ciHigh }, judgement }) => ({ interval: intervalOf(ciLow, ciHigh), ...worthOf(judgement) }),
  );
  return [
    MODEL,
    numberColumn("n", "n", "count", ({ n }) => n, { importance: 2 }),
    { ...overall, floor: ({ value, rule }) => numberCell(value, "points", rule === null ? {} : { note: [rule] }) },
    ...groups.map((group): BoardColumn => {
      const value: Value = ({ byGroup }) => byGroup.get(group) ?? null;
      // A language may be judged otherwise than the whole; where none is, the whole counts.
      const worth: Worth = ({ groupJudgements, judgement }) =>
        groupJudgements.size === 0 ? judgement : groupJudgements.get(group);
      const verdict: More = ({ groupJudgements, judgement: { mark } }) => ({
        ...verdictOf(groupJudgements.get(group)),
        ...(mark && { badge: mark }),
      });
      const column = points(group, groupName(group), value, verdict, worth);
      return { ...column, importance: 3, floor: ({ byGroup }) => numberCell(byGroup.get(group), "points") };
    }),
    ...form.columns.map(({ id, label, unit, hasBest }, i): BoardColumn => {
      const value: Value = ({ columns }) => columns[i]?.value ?? null;
      const shown = points(id, label, value, distancesOf(i));
      if (hasBest !== false) return { ...shown, importance: 3 };
      const format = unit === "number" ? "coefficient" : "points";
      return { ...shown, importance: 3, cell: (row) => numberCell(value(row), format) };
    }),
  ];
}

const MODEL: BoardColumn = {
  id: "model",
  label: "Model",
  align: "left",
  importance: 1,
  cell: ({ model }) => textCell(model),
  floor: ({ model }) => textCell(model === null ? "Floor" : `Floor (${model})`),
};

function verdictOf(judgement: Judgement | undefined): ReturnType<More> {
  return judgement === undefined ? {} : worthOf(judgement);
}

/** A language by its name; what else groups are called, as it is. */
export function groupName(group: string): string {
  const language = LANGUAGES.find((each) => each === group);
  return language === undefined ? group : languageName(language);
}

/** Such as `(+65.8; +45.3)`. */
function distancesOf(column: number): More {
  return ({ columns }) => {
    const distances = columns[column]?.distances ?? [];
    if (distances.length === 0) return {};
    const parts = distances.flatMap(({ value }, i): Inline[] => [
      ...(i === 0 ? [] : ["; "]),
      { value, format: "points_change" },
    ]);
    return { note: ["(", ...parts, ")"] };
  };
}
