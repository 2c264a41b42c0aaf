import { visibleLine } from "../../base/text.js";
import { formatRows } from "../../store/csv.js";
import type { Cell } from "../../store/table.js";
import type { LeaderboardRow, LeaderboardTable } from "../../verdict/leaderboard.js";

/**
 * All leaderboards as one CSV: a row a run and form; rates are fractions 0–1, empty where not measured. It is made to be
 * looked at, so what a name or a group of a run would do to the eye is shown, as in the other forms of the leaderboard.
 */
export function leaderboardCsv(tables: readonly LeaderboardTable[]): string {
  const numbers = [...new Set(tables.flatMap(({ rows }) => rows.flatMap((row) => [...numbersOf(row).keys()])))];
  const groups = [...new Set(tables.flatMap((table) => table.groups))].sort();
  const head = [
    ...["task", "difficulty", "ablation", "model", "run_id", "n", "overall", "ci_low", "ci_high"],
    ...["verdict", "floor", "floor_rule"],
    ...numbers,
    ...groups,
  ];
  const rows = tables.flatMap(({ form, rows: members }) =>
    members.map((row): Cell[] => {
      const own = numbersOf(row);
      return [
        ...[form.task, form.difficulty, form.ablation, row.model, row.runId, row.n],
        ...[row.overall.value, row.overall.ciLow, row.overall.ciHigh],
        ...[row.judgement.state, row.judgement.floor, row.judgement.floorRule],
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
  return new Map(columns.flatMap(({ id, value, distances }) => [[id, value] as const, ...distances.map(named)]));
}

function named({
  id,
  value,
}: {
  readonly id: string;
  readonly value: number | null;
}): readonly [string, number | null] {
  return [id, value];
}
