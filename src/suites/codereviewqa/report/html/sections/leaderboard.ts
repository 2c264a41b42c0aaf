import { LEADERBOARD_METHOD, leaderboardTable, titleOf } from "../../../../../report/leaderboard-blocks.js";
import { lead } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import type { LeaderboardTable } from "../../../../../verdict/leaderboard.js";
import type { PageParts } from "../page-parts.js";

/** The paper's Tables 7–12 in form; for several models only. */
export function leaderboardSection({ leaderboards, data }: PageParts): BlockSection | null {
  if (data.models.length < 2) return null;
  const tables = leaderboards.map((table) => leaderboardTable(table, captionOf(table)));
  return {
    id: "leaderboard",
    title: "Leaderboard",
    blocks: [
      lead(`${LEADERBOARD_METHOD} The best of each column is marked. A column’s heading sorts by it.`),
      { kind: "group", layout: "board", blocks: tables },
    ],
  };
}

function captionOf(table: LeaderboardTable): string {
  return `${titleOf(table)}${table.form.paperTable === null ? "" : `, as ${table.form.paperTable}`}`;
}
