import { bestOf, type LeaderboardRow, type LeaderboardTable } from "../verdict/leaderboard.js";
import type { Block, Cell, Inline } from "./block.js";
import { type ColumnOf, heading, intervalOf, MISSING, numberCell, sentence, tableOf, textCell } from "./make-block.js";
import { type Markdown, renderMarkdown } from "./markdown.js";
import { STATE_WORDS } from "./state-words.js";

/** The leaderboards as Markdown tables; the best of each column in bold. */
export function leaderboardMarkdown(tables: readonly LeaderboardTable[], notes: readonly string[]): Markdown {
  return renderMarkdown([
    heading(1, "Leaderboard"),
    ...notes.map((note) => sentence(note)),
    sentence(LEADERBOARD_METHOD),
    ...tables.flatMap((table): Block[] => [heading(2, titleOf(table)), leaderboardTable(table, null)]),
  ]);
}

export const LEADERBOARD_METHOD =
  "Percent, with 95 % intervals. Verdict: what the score is worth; floor: the highest score on the same questions that " +
  "needs no comprehension, and the rule that gets it. Rows above their floor come first; only they can be best (bold). " +
  "In brackets behind an agreement: its distance from 1/N, and from the mean of uniform guessing.";

/** Such as `CL easy: change localisation, easy`. */
export function titleOf({ form }: LeaderboardTable): string {
  return `${form.name}: ${form.title}`;
}

/** One leaderboard. */
export function leaderboardTable(table: LeaderboardTable, caption: string | null): Block {
  return tableOf(caption, columnsOf(table), table.rows, { isSortable: true });
}

type Value = (row: LeaderboardRow) => number | null;
type More = (row: LeaderboardRow) => Omit<Parameters<typeof numberCell>[2] & object, "isBest">;

/** The columns of every leaderboard. */
function columnsOf({ rows, groups, form }: LeaderboardTable): ColumnOf<LeaderboardRow>[] {
  const points = (id: string, label: string, value: Value, more: More = () => ({})): ColumnOf<LeaderboardRow> => {
    const best = bestOf(rows, value);
    const cell = (row: LeaderboardRow): Cell => {
      const isBest = best !== null && value(row) === best && row.judgement.state === "above_floor";
      return numberCell(value(row), "points", { ...more(row), ...(isBest ? { isBest } : {}) });
    };
    return { id, label, align: "right", importance: 1, cell };
  };
  const overall = points(
    "overall",
    form.score.title,
    (row) => row.overall.value,
    ({ overall: { ciLow, ciHigh } }) => ({ interval: intervalOf(ciLow, ciHigh) }),
  );
  return [
    { id: "model", label: "Model", align: "left", importance: 1, cell: ({ model }) => textCell(model) },
    { id: "n", label: "n", align: "right", importance: 2, cell: ({ n }) => numberCell(n, "count") },
    overall,
    VERDICT,
    FLOOR,
    ...groups.map((group): ColumnOf<LeaderboardRow> => {
      return { ...points(group, group, ({ byGroup }) => byGroup.get(group) ?? null), importance: 3 };
    }),
    ...form.columns.map(({ id, label }, i): ColumnOf<LeaderboardRow> => {
      return { ...points(id, label, ({ columns }) => columns[i]?.value ?? null, distancesOf(i)), importance: 3 };
    }),
  ];
}

const VERDICT: ColumnOf<LeaderboardRow> = {
  id: "verdict",
  label: "Verdict",
  align: "left",
  importance: 1,
  cell: ({ judgement: { state } }) => {
    const { text, tone, order } = STATE_WORDS[state];
    return { kind: "text", text, tone, sort: order };
  },
};

const FLOOR: ColumnOf<LeaderboardRow> = {
  id: "floor",
  label: "Floor",
  align: "right",
  importance: 2,
  cell: ({ judgement: { floor, floorRule } }) =>
    floor === null ? MISSING : numberCell(floor, "points", floorRule === null ? {} : { note: [floorRule] }),
};

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
