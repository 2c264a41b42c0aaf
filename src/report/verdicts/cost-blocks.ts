import { type CostRow, type CostSet, costSets } from "../../verdict/cost-front.js";
import { modelNames } from "../../verdict/leaderboard.js";
import type { RunVerdicts } from "../../verdict/verdict.js";
import type { Block, ChartBlock, LegendBlock } from "../block.js";
import { type ChartSeries, chartSeries, type FrontPoint } from "../chart-data.js";
import {
  type ColumnOf,
  heading,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../make-block.js";
import { DASH, money } from "../number-text.js";

/** A row of the table, with its set. */
interface ShownRow extends CostRow {
  readonly form: string | null;
}

/** Passes of runs of agents against what a trial costs, as a table and as charts; nothing where no run knows its costs. */
export function costBlocks(runs: readonly RunVerdicts[]): Block[] {
  const sets = costSets(runs);
  const rows = sets.flatMap(({ form, rows: own }) => own.map((row): ShownRow => ({ ...row, form })));
  if (rows.every(({ costUsd }) => costUsd === null)) return [];
  const names = modelNames(runs);
  const looks = chartSeries(names).map((series, i) => ({ series, name: names[i] ?? "" }));
  const charts = sets.flatMap((set) => chartOf(set, new Map(looks.map(({ name, series }) => [name, series]))));
  const legend: LegendBlock = {
    kind: "legend",
    entries: looks.map(({ series, name }) => ({ mark: "series", series, label: series.label, name })),
  };
  return [
    heading(3, "Cost against passes"),
    tableOf(null, COLUMNS, rows, { isCards: true }),
    sentence(
      "On the front: no other run costs at most as much and passes as often, one of both better. " +
        "Costs are of trials that were judged, over all attempts, at list prices; a run of which some are not known takes no part.",
    ),
    ...(charts.length === 0 ? [] : ([legend, { kind: "group", layout: "charts", blocks: charts }] as const)),
  ];
}

const COLUMNS: readonly ColumnOf<ShownRow>[] = [
  textColumn("model", "model", ({ model }) => model),
  textColumn("condition", "condition", ({ form }) => form ?? "all"),
  numberColumn("n", "n", "count", ({ n }) => n, { importance: 2 }),
  numberColumn("passed", "passed", "fraction", ({ passed }) => passed),
  rightColumn("cost_usd", "a trial costs", ({ costUsd, n, priced }) => {
    const known = priced === n ? "" : `, ${priced} of ${n} known`;
    return textCell(costUsd === null ? DASH : `${money(costUsd, "USD")}${known}`);
  }),
  textColumn("on_front", "on the front", ({ isOnFront }) => (isOnFront === null ? DASH : isOnFront ? "yes" : "no")),
];

/** A cost of nothing has no place on its axis: such a run is in the table alone. */
function chartOf({ form, rows }: CostSet, looks: ReadonlyMap<string, ChartSeries>): ChartBlock[] {
  const points = rows.flatMap(({ model, costUsd, isOnFront, passed }): FrontPoint[] => {
    const series = looks.get(model);
    return series === undefined || isOnFront === null || costUsd === null || costUsd === 0
      ? []
      : [{ series, cost: costUsd, score: passed }];
  });
  if (points.length < 2) return [];
  return [
    { kind: "chart", title: form ?? "all conditions", chart: { type: "front", points, costLabel: "USD a trial" } },
  ];
}
