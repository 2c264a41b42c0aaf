import { leaderboardTables } from "../../verdict/leaderboard.js";
import { scoreboard } from "../../verdict/scoreboard.js";
import { formLabel, type RunVerdicts } from "../../verdict/verdict.js";
import type { Block, Cell, Column, TableBlock } from "../block.js";
import { MISSING, sentence, textCell } from "../make-block.js";
import {
  floorSentence,
  leaderboardMethod,
  leaderboardTable,
  SIGNS,
  scoresTable,
  titleOf,
} from "./leaderboard-blocks.js";

/** Tables that can be had by themselves: on a terminal, as Markdown, CSV and LaTeX, and on a page. */
export interface TableSet {
  readonly tables: readonly NamedTable[];
  /** Notes for the reader, behind the tables; not in CSV. */
  readonly notes: readonly Block[];
  /** `true`: a terminal shows rows as columns, as these are many and it has room for few. */
  readonly isWide: boolean;
}

/** One of them. */
interface NamedTable {
  /** Tells tables of one set apart in a file, such as `CL hard`. */
  readonly name: string;
  readonly block: TableBlock;
}

/** Every run on every form (paper, Table 2). */
export function scoresSet(runs: readonly RunVerdicts[]): TableSet {
  const board = scoreboard(runs);
  const block = scoresTable(board, "Scores in percent");
  return { tables: [{ name: "scores", block }], notes: [...floorSentence(board), SIGNS], isWide: false };
}

/** Every form by group, such as language (paper, Tables 7 to 12). */
export function groupsSet(runs: readonly RunVerdicts[]): TableSet {
  const boards = leaderboardTables(runs);
  const tables = boards.map((table): NamedTable => {
    return { name: formLabel(table.form), block: leaderboardTable(table, titleOf(table)) };
  });
  return { tables, notes: [sentence(leaderboardMethod(boards)), SIGNS], isWide: true };
}

/** All of it as blocks, for where there is room. */
export function setBlocks({ tables, notes }: TableSet): Block[] {
  return [...tables.map(({ block }) => block), ...notes];
}

/** The tables for a terminal. */
export function terminalBlocks({ tables, notes, isWide }: TableSet): Block[] {
  return [...tables.map(({ block }) => (isWide ? transposed(block) : block)), ...notes];
}

/** Columns that fill a terminal of 80 characters; others are left out where there is no room. */
const MOST_COLUMNS = 6;

/** Longer names break into lines of this many characters. */
const NAME_WIDTH = 9;

/**
 * The same table with a column a row and a row a column, for where it has many columns and few rows. What names a row
 * stands on top; numbers stand alone.
 */
function transposed({ columns, rows, references = [], caption }: TableBlock): TableBlock {
  const [first, ...others] = columns;
  const all = [...rows, ...references];
  const label: Column = { id: first?.id ?? "", label: first?.label ?? "", align: "left", importance: 1 };
  const numbers = all.map((_, i): Column => {
    const isFirst = i < MOST_COLUMNS || i >= rows.length;
    return { id: String(i), label: i < rows.length ? String(i + 1) : "", align: "right", importance: isFirst ? 1 : 3 };
  });
  const names = all.map(([cell]): Cell => {
    const name = cell?.kind === "text" ? [cell.text].flat().join(" ") : "";
    return textCell(name.match(new RegExp(`.{1,${NAME_WIDTH}}`, "gsu")) ?? [""]);
  });
  return {
    kind: "table",
    caption,
    isCompact: true,
    columns: [label, ...numbers],
    rows: [
      [textCell(""), ...names],
      ...others.map(({ label: name, shortLabel }, i) => [
        textCell(shortLabel ?? name),
        ...all.map((row) => row[i + 1] ?? MISSING),
      ]),
    ],
  };
}
