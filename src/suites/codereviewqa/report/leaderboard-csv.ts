import { LANGUAGES } from "../../../base/language.js";
import { visibleLine } from "../../../base/text.js";
import { type Cell, formatRows } from "../../../store/csv.js";
import type { LeaderboardTable } from "./leaderboard.js";

const COLUMNS = [
  "task",
  "difficulty",
  "model",
  "run_id",
  "n",
  "plurality_agreement",
  "above_floor",
  "above_guessing",
  "binds_letters",
  ...LANGUAGES,
  "overall",
  "ci_low",
  "ci_high",
  "paper_em",
] as const;

/** All leaderboards as one CSV: a row a model and probe form; rates are fractions 0–1, empty where not measured. */
export function leaderboardCsv(tables: readonly LeaderboardTable[]): string {
  const rows = tables.flatMap(({ form, rows: members }) =>
    members.map((row): Cell[] => [
      form.task,
      form.difficulty,
      visibleLine(row.model),
      visibleLine(row.runId),
      row.n,
      row.agreement,
      row.aboveFloor,
      row.aboveGuessing,
      row.verdict === null || row.verdict.status === "unknown" ? null : row.verdict.status !== "no",
      ...LANGUAGES.map((language) => row.byLanguage.get(language) ?? null),
      row.overall.value,
      row.overall.ciLow,
      row.overall.ciHigh,
      row.paperScore,
    ]),
  );
  return formatRows([[...COLUMNS], ...rows]);
}
