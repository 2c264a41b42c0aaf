import { promptName } from "../../../../../base/language.js";
import { bestOf, type LeaderboardRow, type LeaderboardTable } from "../../leaderboard.js";
import { agreementText, bindsText, PAPER_COLUMN, points } from "../../leaderboard-text.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import { type Section, type TableCell, tableMarkup } from "../section.js";

/** The paper's Tables 7–12 in form; for several models only. */
export function leaderboardSection({ leaderboards, data }: PageParts): Section | null {
  if (data.models.length < 2) return null;
  return {
    id: "leaderboard",
    title: "Leaderboard",
    body: markup`<p class="lead">Percent, as in the paper’s Tables 7–12. PPA is plurality agreement; in brackets its distance from the floor 1/N and from the mean of uniform guessing. Binds: whether the model binds letters to options. The best of each column is marked. A column’s heading sorts by it.</p><div class="board">${leaderboards.map(boardTable)}</div>`,
  };
}

function boardTable(table: LeaderboardTable): Markup {
  const { form, floor, languages, paperTable, rows } = table;
  const isChoice = floor !== null;
  const like = paperTable === null ? "" : `, as ${paperTable}`;
  const counts = new Set(rows.map(({ n }) => n));
  const sameN = counts.size === 1 ? (rows[0]?.n ?? null) : null;
  const columns: ((row: LeaderboardRow) => number | null)[] = [
    ...(isChoice ? [({ agreement }: LeaderboardRow) => agreement] : []),
    ...languages.map(
      (language) =>
        ({ byLanguage }: LeaderboardRow) =>
          byLanguage.get(language) ?? null,
    ),
    ({ overall }) => overall.value,
    ...(isChoice ? [] : [({ paperScore }: LeaderboardRow) => paperScore]),
  ];
  const best = columns.map((column) => bestOf(rows, column));
  const cell = (row: LeaderboardRow, i: number, text: string | Markup): TableCell => {
    const value = columns[i]?.(row) ?? null;
    return { text, sort: value, isBest: value !== null && value === best[i] };
  };
  return tableMarkup({
    caption: `${form.name}: ${form.title}${like}${sameN === null ? "" : `; n = ${sameN}`}`,
    head: [
      "Model",
      ...(sameN === null ? ["n"] : []),
      ...(isChoice ? [`PPA (floor ${points(floor)})`, "Binds"] : []),
      ...languages.map(promptName),
      "Overall",
      ...(isChoice ? [] : [PAPER_COLUMN]),
    ],
    rows: rows.map((row) => {
      const values = columns.map((column) => points(column(row)));
      const offset = isChoice ? 1 : 0;
      return [
        row.model,
        ...(sameN === null ? [{ text: String(row.n), sort: row.n }] : []),
        ...(isChoice ? [cell(row, 0, agreementMarkup(row)), bindsCell(row)] : []),
        ...languages.map((_, i) => cell(row, i + offset, values[i + offset] ?? "–")),
        cell(row, languages.length + offset, overallMarkup(row)),
        ...(isChoice ? [] : [cell(row, columns.length - 1, points(row.paperScore))]),
      ];
    }),
    isSortable: true,
  });
}

function bindsCell(row: LeaderboardRow): TableCell {
  const text = bindsText(row);
  const status = row.verdict?.status ?? "unknown";
  const order = ["no", "barely", "below_floor", "yes"].indexOf(status === "below_floor" ? "yes" : status);
  const sort = order === -1 ? null : order;
  return { text: markup`<span class="badge ${status === "below_floor" ? "yes" : status}">${text}</span>`, sort };
}

function agreementMarkup(row: LeaderboardRow): Markup {
  const [value = "", distances] = agreementText(row).split(" (");
  return markup`${value}${distances !== undefined && markup` <small>(${distances}</small>`}`;
}

function overallMarkup({ overall: { value, ciLow, ciHigh } }: LeaderboardRow): Markup {
  const interval = ciLow !== null && ciHigh !== null && markup` <small>(${points(ciLow)}–${points(ciHigh)})</small>`;
  return markup`${points(value)}${interval}`;
}
