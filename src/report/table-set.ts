import { leaderboardTables } from "../verdict/leaderboard.js";
import { scoreboard } from "../verdict/scoreboard.js";
import type { RunVerdicts } from "../verdict/verdict.js";
import type { Block, TableBlock } from "./block.js";
import { leaderboardMethod, leaderboardTable, titleOf } from "./leaderboard-blocks.js";
import { sentence } from "./make-block.js";
import { floorSentence, SIGNS, scoresTable } from "./scores-table.js";
import { transposed } from "./transpose.js";

/** Tables that can be had by themselves: on a terminal, as Markdown, CSV and LaTeX, and on a page. */
export interface TableSet {
  readonly tables: readonly NamedTable[];
  /** What a reader should know, behind them; not in CSV. */
  readonly notes: readonly Block[];
  /** Whether a terminal shows rows as columns: it has room for few columns, and these are many. */
  readonly isWide: boolean;
}

/** One of them. */
export interface NamedTable {
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
    return { name: table.form.name, block: leaderboardTable(table, titleOf(table)) };
  });
  return { tables, notes: [sentence(leaderboardMethod(boards)), SIGNS], isWide: true };
}

/** All of it as blocks, for where there is room. */
export function setBlocks({ tables, notes }: TableSet): Block[] {
  return [...tables.map(({ block }) => block), ...notes];
}

/** Likewise for a terminal. */
export function terminalBlocks({ tables, notes, isWide }: TableSet): Block[] {
  return [...tables.map(({ block }) => (isWide ? transposed(block) : block)), ...notes];
}
