import type { Block, ChartBlock, IntervalPoint } from "../../../../../report/block.js";
import { lead, notice } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import type { Series } from "../../data/series.js";
import { floorOf, scoreTable } from "../../scores.js";
import type { PageParts } from "../page-parts.js";

/** Scores by task and difficulty, with intervals and floors. */
export function scoresSection(parts: PageParts): BlockSection {
  const { data, series } = parts;
  const isCut = series.length < data.models.length;
  const tables = data.models.flatMap((model) => modelTable(model, data));
  return {
    id: "scores",
    title: "Scores by task and difficulty",
    blocks: [
      lead("Share of questions right under all orders of their options (ACR: exact match), with its 95 % interval."),
      { kind: "legend", entries: [{ mark: "floor", label: "floor: reached without reading the question" }] },
      ...(isCut
        ? [
            notice(
              "warning",
              `Charts show the first ${series.length} of ${data.models.length} models; tables and browser have all.`,
            ),
          ]
        : []),
      { kind: "group", layout: "charts", blocks: charts(parts) },
      ...(data.models.length === 1 ? tables : [{ kind: "details", summary: "The numbers", blocks: tables } as const]),
    ],
  };
}

function charts({ data, series }: PageParts): ChartBlock[] {
  const [only] = series;
  if (series.length === 1 && only !== undefined) {
    const points = data.forms.flatMap((form) => pointOf(form, only, form.name));
    return [{ kind: "chart", title: "Score by probe", chart: { type: "intervals", points } }];
  }
  return data.forms.map((form) => {
    const points = series.flatMap((one) => pointOf(form, one, one.label));
    return { kind: "chart", title: `${form.name}: ${form.title}`, chart: { type: "intervals", points } };
  });
}

function pointOf(form: ReportForm, one: Series, row: string): IntervalPoint[] {
  const metrics = one.model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const { value = null, ciLow: low = null, ciHigh: high = null } = metrics.score ?? {};
  const floor = floorOf(metrics.find)?.value ?? null;
  return [{ row, series: { ...one, label: "" }, value, low, high, floor }];
}

/** Of the probes with options; what was written has a section of its own. */
function modelTable(model: ReportModel, { models, forms }: PageParts["data"]): Block[] {
  const asked = forms.flatMap((form) => {
    const metrics = model.metrics.get(form);
    return form.probe.kind === "choice" && metrics?.isAsked === true ? [{ name: form.name, metric: metrics.find }] : [];
  });
  const caption = models.length === 1 ? "Scores" : `Scores of ${model.name}`;
  return asked.length === 0 ? [] : [scoreTable(asked, caption)];
}
