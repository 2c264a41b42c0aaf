import { LANGUAGES } from "../../../../../base/language.js";
import type { ContaminationRow } from "../../../metric/contamination/summarise.js";
import { troubleLines } from "../../audit/audit-findings.js";
import { type FormNumbers, formNumbers, taskName } from "../../audit/audit-numbers.js";
import type { AuditReport } from "../../data/audit-report.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import { numbersMarkup, type Section, type TableCell, tableMarkup } from "../section.js";

const MAX_MEMORISED = 50;

/** The tables of audits (paper §8, Table 4); `null` without any. */
export function contaminationSection({ audits }: PageParts): Section | null {
  if (audits.length === 0) return null;
  return {
    id: "contamination",
    title: "Contamination",
    body: markup`<p class="lead">How well the model knows the texts of the benchmark before it is asked anything (paper §8): perplexity, and the share of 5-grams that it continues word for word. Low perplexity and many hits, compared with another benchmark or with renamed code, suggest that it has seen them.</p>${audits.flatMap(auditTables)}`,
  };
}

function auditTables({ audit, summary }: AuditReport): Markup[] {
  const numbers = formNumbers(summary);
  const { label } = audit.model;
  const overall = numbers.filter(({ group }) => group === "all");
  const [audited] = audit.benchmarks;
  const languages = numbers.filter(({ benchmark, group }) => benchmark === audited?.name && group !== "all");
  return [
    tableMarkup({
      caption: `${label}: by benchmark and form`,
      head: ["Benchmark", "Form", "Texts", "Perplexity (95 %)", "Corpus", "Median", "5-gram accuracy (95 %)"],
      rows: overall.map((row) => [row.benchmark, { text: taskName(row), isText: true }, ...numberCells(row)]),
    }),
    ...(languages.length > 0 ? [numbersMarkup(languageTable(label, languages))] : []),
    memorisedTable(audit),
    ...troubleLines(audit).map((line) => markup`<p class="notice">${line}</p>`),
  ];
}

function languageTable(label: string, numbers: readonly FormNumbers[]): Markup {
  return tableMarkup({
    caption: `${label}: by language`,
    head: ["Language", "Form", "Texts", "Perplexity (95 %)", "Corpus", "Median", "5-gram accuracy (95 %)"],
    rows: LANGUAGES.flatMap((language) =>
      numbers
        .filter(({ group, form, task }) => group === language && (form !== "MCQA" || task === null))
        .map((row) => [language, { text: taskName(row), isText: true }, ...numberCells(row)]),
    ),
  });
}

function numberCells({ metric }: FormNumbers): (TableCell | string)[] {
  const perplexity = metric("perplexity_mean");
  return [
    String(perplexity?.n ?? 0),
    withInterval(perplexity, number),
    number(metric("perplexity_corpus")?.value),
    number(metric("perplexity_median")?.value),
    withInterval(metric("ngram_accuracy"), percent),
  ];
}

type Show = (value: number | null | undefined) => string;

const number: Show = (value) => (value == null ? "–" : value >= 1e5 ? value.toExponential(2) : value.toFixed(2));
const percent: Show = (value) => (value == null ? "–" : `${(value * 100).toFixed(1)} %`);

function withInterval(row: ContaminationRow | undefined, show: Show): TableCell {
  if (row?.value == null) return { text: "–" };
  const interval =
    row.ciLow !== null && row.ciHigh !== null && markup` <small>(${show(row.ciLow)}–${show(row.ciHigh)})</small>`;
  return { text: markup`${show(row.value)}${interval}` };
}

function memorisedTable({ model, results }: AuditReport["audit"]): Markup {
  const { memorised } = results;
  if (memorised.length === 0)
    return markup`<p class="lead">No text looks memorised: none has every 5-gram hit or a perplexity far below the others of its form.</p>`;
  const rest = memorised.length > MAX_MEMORISED ? `, the first ${MAX_MEMORISED} of ${memorised.length}` : "";
  return tableMarkup({
    caption: `${model.label}: texts that look memorised${rest}`,
    head: ["Example", "Benchmark", "Language", "Form", "Perplexity", "Median", "Hits", "Hit text"],
    rows: memorised
      .slice(0, MAX_MEMORISED)
      .map((text) => [
        text.example_id,
        { text: text.benchmark, isText: true },
        { text: text.language, isText: true },
        { text: taskName(text), isText: true },
        number(text.perplexity),
        number(text.median_perplexity),
        text.ngram_hits === null ? "–" : `${text.ngram_hits}/${text.ngram_starts}`,
        { text: text.hits.map((hit) => JSON.stringify(hit.text)).join(" "), isText: true },
      ]),
  });
}
