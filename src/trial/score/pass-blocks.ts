import { groupBy } from "../../base/group-by.js";
import type { Block } from "../../report/block.js";
import { boundedCell, type ColumnOf, heading, numberCell, tableOf, textCell } from "../../report/make-block.js";
import type { TrialRun } from "../trial-run.js";
import type { SummaryRow } from "./trial-tables.js";

/** Numbers of one set of tasks, by their metric. */
interface PassRow {
  readonly name: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

/**
 * Pass@1, Pass@k and Pass^k of the agent that a run is about, k its trials a task: by condition, and by what else its suite
 * sets apart. Nothing where there is one trial a task and nothing is set apart.
 */
export function passBlocks(run: TrialRun, summary: readonly SummaryRow[], headline: string): Block[] {
  const [main] = run.agents;
  const own = summary.filter(({ agent, groupBy: by, condition }) => {
    return agent === main?.name && (by === "overall" || !run.conditions.includes(condition));
  });
  const k = run.trials_per_task;
  if (k === 1 && own.every(({ condition }) => run.conditions.includes(condition))) return [];
  const sets = [...groupBy(own, nameOf)].map(([name, rows]): PassRow => {
    return { name, rows: new Map(rows.map((row) => [row.metric, row])) };
  });
  const once = k === 1 ? headline : "pass_at_1";
  const shares: ColumnOf<PassRow>[] = [
    shareColumn(once, "Pass@1"),
    ...(k === 1 ? [] : [shareColumn(`pass_at_${k}`, `Pass@${k}`), shareColumn(`pass_hat_${k}`, `Pass^${k}`)]),
  ];
  return [heading(3, `${headline} by tasks`), tableOf(null, [NAME, count(once), ...shares], sets)];
}

function nameOf({ condition, groupBy: by, group }: SummaryRow): string {
  if (by === "overall") return condition;
  return `${by}: ${group}`;
}

const NAME: ColumnOf<PassRow> = {
  ...{ id: "set", label: "tasks", align: "left", importance: 1, width: 32 },
  cell: ({ name }) => textCell(name),
};

function count(metric: string): ColumnOf<PassRow> {
  return {
    ...{ id: "n", label: "n", align: "right", importance: 1 },
    cell: ({ rows }) => numberCell(rows.get(metric)?.n, "count"),
  };
}

function shareColumn(metric: string, label: string): ColumnOf<PassRow> {
  return {
    ...{ id: metric, label, align: "right", importance: 1 },
    cell: ({ rows }) => {
      const row = rows.get(metric);
      return boundedCell(row && { value: row.value, ciLow: row.low, ciHigh: row.high }, "fraction");
    },
  };
}
