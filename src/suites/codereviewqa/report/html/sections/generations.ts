import type { FormMetrics, ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import { generationCaution } from "../../generation-table.js";
import { fraction } from "../../verdict.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import { type Section, type TableCell, tableMarkup } from "../section.js";

const MATCHES = [
  ["character for character", "em", "floor_copy_em", "paper_em"],
  ["text around it forgiven", "em_trim", "floor_copy_em_trim", "paper_em_trim"],
  ["whitespace removed", "em_no_space", "floor_copy_em_no_space", "paper_em_no_space"],
  ["comments and whitespace removed", "em_no_comment", "floor_copy_em_no_comment", "paper_em_no_comment"],
] as const;

/** The revisions that models wrote: matches, similarity, how they ended; `null` without any. */
export function generationSection({ data }: PageParts): Section | null {
  const tables = data.forms
    .filter(({ probe }) => probe.kind === "generation")
    .flatMap((form) => data.models.flatMap((model) => modelTables(model, form)));
  if (tables.length === 0) return null;
  return {
    id: "revisions",
    title: "Written revisions (ACR)",
    body: markup`<p class="lead">Share of generated revisions that are the right one: corrected, beside what repeating the code unchanged gives, and beside what the paper’s released script computes, quirks included (its Table 7).</p>${tables}`,
  };
}

function modelTables(model: ReportModel, form: ReportForm): Markup[] {
  const metrics = model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const written = model.generations.filter(({ task }) => task === form.task);
  const count = (status: string) => written.filter((each) => each.status === status).length;
  const complete = count("complete");
  const counts = `${complete} complete, ${count("truncated")} truncated, ${count("empty")} empty, ${count("failed")} failed`;
  const similar = (["bleu", "edit_similarity"] as const).map((name) => {
    const floor = metrics.overall(name === "bleu" ? "floor_copy_bleu" : "floor_copy_edit_similarity");
    const unchanged = floor === undefined ? "" : ` (unchanged ${fraction(floor.value)})`;
    return `${name === "bleu" ? "BLEU-4" : "edit similarity"} ${fraction(metrics.overall(name)?.value)}${unchanged}`;
  });
  const cautions = generationCaution(form.name, (name) => metrics.overall(name), { complete });
  return [
    tableMarkup({
      caption: `${model.name}: exact match, n = ${written.length}`,
      head: ["Compared", "Corrected (95 %)", "Repeating the code", "As the paper’s script (95 %)"],
      rows: MATCHES.map(([name, em, floor, paper]): (TableCell | string)[] => [
        name,
        rate(metrics, em),
        fraction(metrics.overall(floor)?.value),
        rate(metrics, paper),
      ]),
    }),
    markup`<p class="lead">${[...similar, counts].join("; ")}.</p>`,
    ...(cautions.length > 0 ? [markup`<p class="notice">${cautions.map((line) => line.trim()).join(" ")}</p>`] : []),
  ];
}

function rate(metrics: FormMetrics, name: Parameters<FormMetrics["overall"]>[0]): TableCell {
  const row = metrics.overall(name);
  if (row === undefined || row.value === null) return { text: "–" };
  const interval = row.ciLow !== null && markup` <small>(${fraction(row.ciLow)}–${fraction(row.ciHigh)})</small>`;
  return { text: markup`${fraction(row.value)}${interval}` };
}
