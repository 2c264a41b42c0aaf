import type { Block, ChartBlock } from "../../../../report/block.js";
import type { FrontPoint, IntervalPoint } from "../../../../report/chart-data.js";
import { lead, sentence } from "../../../../report/make-block.js";
import { paretoFront } from "../../../../stats/pareto-front.js";
import { scoreboard } from "../../../../verdict/scoreboard.js";
import type { ReportForm } from "../probe-forms.js";
import type { ReportModel } from "../report-data.js";
import { floorOf } from "../score-blocks.js";
import { seriesLegend } from "./groups-section.js";
import type { PageParts, Series } from "./page-parts.js";

/** Scores with their intervals, beside means over the orders and floors. */
export function scoreCharts({ data, series }: PageParts): Block[] {
  const { models, forms } = data;
  const cut =
    series.length < models.length
      ? [sentence(`Charts show the first ${series.length} of ${models.length} models; tables and browser have all.`)]
      : [];
  return [
    {
      kind: "legend",
      entries: [
        { mark: "score", label: "score, with its 95 % interval" },
        { mark: "mean", label: "mean over the orders: the nearer to the score, the steadier" },
        { mark: "floor", label: "floor: reached without reading the review" },
      ],
    },
    ...cut,
    { kind: "group", layout: "charts", blocks: chartsOf(forms, series) },
  ];
}

function chartsOf(forms: readonly ReportForm[], series: readonly Series[]): ChartBlock[] {
  const [only] = series;
  if (series.length === 1 && only !== undefined) {
    const points = forms.flatMap((form) => pointOf(form, only, form.name));
    return [{ kind: "chart", title: "Score by probe", chart: { type: "intervals", points } }];
  }
  // As in the table: what is written, then what is chosen.
  const isWritten = ({ probe }: ReportForm) => probe.kind === "generation";
  return [...forms.filter(isWritten), ...forms.filter((form) => !isWritten(form))].map((form) => {
    const points = series.flatMap((one) => pointOf(form, one, one.label));
    return { kind: "chart", title: `${form.name}: ${form.title}`, chart: { type: "intervals", points } };
  });
}

function pointOf(form: ReportForm, one: Series, row: string): IntervalPoint[] {
  const metrics = one.model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const { value = null, ciLow: low = null, ciHigh: high = null } = metrics.score ?? {};
  const mean = metrics.overall("mean_accuracy")?.value ?? null;
  return [{ row, series: { ...one, label: "" }, value, low, high, mean, floor: floorOf(metrics.find) }];
}

/** What a run cost for each question and generation that it asked, and in which unit. */
interface Cost {
  readonly unit: string;
  readonly amount: number;
}

/** Money where the price is known, else tokens; `null` where neither is. */
export function costOfRun({ run }: Pick<ReportModel, "run">, by: "money" | "tokens"): Cost | null {
  const asked = run.questions + run.generations;
  if (asked === 0) return null;
  if (by === "money") {
    const { cost, price } = run;
    return cost === null || price === null ? null : { unit: price.currency, amount: (cost / asked) * 1000 };
  }
  const { prompt, completion } = run.tokens;
  return prompt === null ? null : { unit: "tokens", amount: (prompt + (completion ?? 0)) / asked };
}

/** Mean scores against costs, of two models and more whose costs are in one unit; else nothing. */
export function costFront({ data, series }: PageParts): Block[] {
  const rows = scoreboard(data.models.map(({ verdicts }) => verdicts)).rows;
  for (const by of ["money", "tokens"] as const) {
    const costs = series.map(({ model }) => costOfRun(model, by));
    const [first] = costs;
    if (series.length < 2 || first == null) continue;
    if (!costs.every((cost) => cost !== null && cost.amount > 0 && cost.unit === first.unit)) continue;
    const points = series.flatMap((one, i): (FrontPoint & { readonly series: Series })[] => {
      const score = rows.find(({ runId }) => runId === one.model.run.run_id)?.mean;
      const cost = costs[i]?.amount;
      return score == null || cost === undefined ? [] : [{ series: one, cost, score }];
    });
    if (points.length < 2) continue;
    const costLabel = by === "money" ? `${first.unit} for 1,000 questions` : "tokens for a question, all orders";
    const front = paretoFront(points).map(({ series: { model } }) => model.name);
    const why = by === "money" ? "by the price of each run" : "in tokens, as not every run has a price";
    return [
      lead(
        `What a better score costs, ${why}: no other model is both cheaper than and better than ${front.join(", ")} ` +
          "(the dashed line). Scores are means over the forms that all were asked.",
      ),
      ...seriesLegend(series),
      {
        kind: "group",
        layout: "charts",
        blocks: [{ kind: "chart", title: "Mean score against cost", chart: { type: "front", points, costLabel } }],
      },
    ];
  }
  return [];
}
