import type { Block } from "../../report/block.js";
import {
  boundedCell,
  type ColumnOf,
  heading,
  numberCell,
  sentence,
  tableOf,
  textCell,
} from "../../report/make-block.js";
import type { SummaryRow } from "../score/trial-tables.js";
import type { TrialRun } from "../trial-run.js";
import { GOLD_METRICS } from "./gold-rows.js";

/** Numbers of one condition, by their metric. */
interface LikenessRow {
  readonly condition: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

/** How like the passing patches of the agent that a run is about are to right solutions, a row a condition; nothing where none is known. */
export function goldBlocks(run: TrialRun, summary: readonly SummaryRow[]): Block[] {
  const own = run.conditions.flatMap((condition): LikenessRow[] => {
    const rows = summary.filter(
      (row) => row.agent === run.agents[0]?.name && row.condition === condition && row.groupBy === "overall",
    );
    const byMetric = new Map(rows.map((row) => [row.metric, row]));
    return byMetric.has(GOLD_METRICS.copy) ? [{ condition, rows: byMetric }] : [];
  });
  if (own.length === 0) return [];
  return [
    heading(3, "Passing patches beside right solutions"),
    tableOf(null, COLUMNS, own),
    sentence(
      "Of all lines that either adds, the share that both add. Beside it what is reached without a thought: adding every line of the changed files again (copy), and the right solution of another task (other). Far above both, a solution may be remembered, or be the only one there is.",
    ),
  ];
}

const COLUMNS: readonly ColumnOf<LikenessRow>[] = [
  { id: "condition", label: "condition", align: "left", importance: 1, cell: ({ condition }) => textCell(condition) },
  {
    ...{ id: "n", label: "n", align: "right", importance: 1 },
    cell: ({ rows }) => numberCell(rows.get(GOLD_METRICS.jaccard)?.n, "count"),
  },
  share(GOLD_METRICS.jaccard, "like the right one"),
  baseline(GOLD_METRICS.copy, "copy"),
  baseline(GOLD_METRICS.other, "other"),
];

/** Its interval is in `summary.csv`. */
function baseline(metric: string, label: string): ColumnOf<LikenessRow> {
  return {
    ...{ id: metric, label, align: "right", importance: 1 },
    cell: ({ rows }) => numberCell(rows.get(metric)?.value, "fraction"),
  };
}

function share(metric: string, label: string): ColumnOf<LikenessRow> {
  return {
    ...{ id: metric, label, align: "right", importance: 1 },
    cell: ({ rows }) => {
      const row = rows.get(metric);
      return boundedCell(row && { value: row.value, ciLow: row.low, ciHigh: row.high }, "fraction");
    },
  };
}
