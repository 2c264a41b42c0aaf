import { fraction } from "../../verdict.js";
import { intervalChart } from "../charts/intervals.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import { numbersMarkup, type Section, type TableCell, tableMarkup } from "../section.js";
import { floorValue, scoreText, shortRate } from "./score-text.js";

/** Scores by task and difficulty, with intervals and floors. */
export function scoresSection(parts: PageParts): Section {
  return {
    id: "scores",
    title: "Scores by task and difficulty",
    body: markup`<p class="lead">Share of questions right under all orders of their options (ACR: exact match), with its 95 % interval.</p><ul class="key"><li><i class="floor"></i>floor: reached without reading the question</li></ul>${parts.series.length < parts.data.models.length && markup`<p class="notice">Charts show the first ${parts.series.length} of ${parts.data.models.length} models; tables and browser have all.</p>`}<div class="charts">${charts(parts)}</div>${scoreTables(parts)}`,
  };
}

function charts({ data, series }: PageParts): Markup[] {
  const point = (form: (typeof data.forms)[number], one: (typeof series)[number], row: string, label: string) => {
    const metrics = one.model.metrics.get(form);
    if (metrics?.isAsked !== true) return [];
    const { value = null, ciLow: low = null, ciHigh: high = null } = metrics.score ?? {};
    return [{ row, series: { ...one, label }, value, low, high, floor: floorValue(metrics) }];
  };
  const [only] = series;
  if (series.length === 1 && only !== undefined) {
    return [
      intervalChart(
        "Score by probe",
        data.forms.flatMap((form) => point(form, only, form.name, "")),
      ),
    ];
  }
  return data.forms.map((form) =>
    intervalChart(
      `${form.name}: ${form.title}`,
      series.flatMap((one) => point(form, one, one.label, "")),
    ),
  );
}

function scoreTables({ data }: PageParts): Markup {
  const tables = data.models.map((model) =>
    tableMarkup({
      caption: data.models.length === 1 ? "Scores" : `Scores of ${model.name}`,
      head: [
        "Probe",
        "n",
        "Score",
        "95 %",
        "Floor",
        "Mean accuracy",
        "Agreement",
        "Guessing",
        "Letter mass",
        "Undecided",
        "Failed",
      ],
      rows: data.forms.flatMap((form): (TableCell | string)[][] => {
        const metrics = model.metrics.get(form);
        if (metrics?.isAsked !== true) return [];
        const { value, interval } = scoreText(metrics);
        const rate = (name: Parameters<typeof metrics.overall>[0]) => fraction(metrics.overall(name)?.value);
        return [
          [
            form.name,
            String(metrics.score?.n ?? 0),
            value,
            interval,
            shortRate(floorValue(metrics)),
            rate("mean_accuracy"),
            rate("plurality_agreement"),
            rate("plurality_agreement_null"),
            rate("symbol_mass"),
            rate("undecided_rate"),
            rate("failure_rate"),
          ],
        ];
      }),
    }),
  );
  return data.models.length === 1 ? markup`${tables}` : numbersMarkup(...tables);
}
