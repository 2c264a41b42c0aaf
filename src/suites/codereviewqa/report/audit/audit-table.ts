import Table from "cli-table3";
import { LANGUAGES } from "../../../../base/language.js";
import { printable } from "../../../../base/text.js";
import type { AuditResult } from "../../audit/run-audit.js";
import type { ContaminationRow } from "../../metric/contamination/summarise.js";
import { differencesText, methodText, renamingText } from "./audit-differences.js";
import { memorisedLines, troubleLines } from "./audit-findings.js";
import { type FormNumbers, formName, formNumbers, STYLE, taskName } from "./audit-numbers.js";

/** What `probe audit` prints: the paper's Table 4, forms, languages, differences, and what stands out. */
export function auditText(result: AuditResult): string {
  const { audit, summary, folder } = result;
  const numbers = formNumbers(summary);
  const overall = numbers.filter(({ group }) => group === "all");
  const [audited] = audit.benchmarks;
  const sections = [
    [`${printable(audit.model.label)} · ${audit.sequences} texts of ${benchmarkCounts(audit)}`],
    ["By benchmark and form (paper, Table 4)", benchmarkTable(overall)],
    formTables(overall.filter(({ benchmark }) => benchmark === audited?.name)),
    languageTable(numbers.filter(({ benchmark, group }) => benchmark === audited?.name && group !== "all")),
    differencesText(overall),
    renamingText(overall, audited?.name ?? ""),
    memorisedLines(audit.results.memorised, audit.benchmarks.length > 1),
    troubleLines(audit),
    [methodText(audit)],
    [`Results: ${printable(folder, 1000)}`],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function benchmarkCounts({ benchmarks }: AuditResult["audit"]): string {
  return benchmarks.map(({ name, selected }) => `${printable(name)} (${selected} examples)`).join(", ");
}

function benchmarkTable(overall: readonly FormNumbers[]): string {
  const table = new Table({
    head: ["benchmark", "form", "texts", "perplexity (95 %)", "corpus", "median", "5-gram accuracy % (95 %)"],
    colAligns: ["left", "left", "right", "right", "right", "right", "right"],
    style: STYLE,
  });
  const isWhole = ({ form, task }: FormNumbers) => form !== "MCQA" || task === null;
  for (const row of overall.filter(isWhole)) {
    table.push([printable(row.benchmark), formName(row.form), ...numberCells(row)]);
  }
  return table.toString();
}

/** Perplexities and accuracy of the probes, where there are several. */
function formTables(overall: readonly FormNumbers[]): string[] {
  const probes = overall.filter(({ form, task }) => form === "MCQA" && task !== null);
  if (probes.length < 2) return [];
  const table = new Table({
    head: ["task", "texts", "perplexity (95 %)", "corpus", "median", "5-gram accuracy % (95 %)"],
    colAligns: ["left", "right", "right", "right", "right", "right"],
    style: STYLE,
  });
  for (const row of probes) table.push([taskName(row), ...numberCells(row)]);
  return [`MCQA by task and difficulty: ${printable(probes[0]?.benchmark ?? "")}`, table.toString()];
}

function numberCells({ metric }: FormNumbers): string[] {
  const [mean, corpus, median, accuracy] = [
    metric("perplexity_mean"),
    metric("perplexity_corpus"),
    metric("perplexity_median"),
    metric("ngram_accuracy"),
  ];
  return [
    String(mean?.n ?? 0),
    withInterval(mean, number),
    number(corpus?.value),
    number(median?.value),
    withInterval(accuracy, percent),
  ];
}

function languageTable(numbers: readonly FormNumbers[]): string[] {
  const languages = LANGUAGES.filter((language) => numbers.some(({ group }) => group === language));
  if (languages.length < 2) return [];
  const forms = (["ACR", "MCQA"] as const).filter((form) => numbers.some((row) => row.form === form));
  const table = new Table({
    head: ["language", ...forms.flatMap((form) => [`${form} texts`, "perplexity", "median", "5-grams %"])],
    colAligns: ["left", ...forms.flatMap(() => ["right", "right", "right", "right"] as const)],
    style: STYLE,
  });
  for (const language of languages) {
    const cells = forms.flatMap((form) => {
      const row = numbers.find((each) => each.group === language && each.form === form && isPooled(each));
      const mean = row?.metric("perplexity_mean");
      const median = number(row?.metric("perplexity_median")?.value);
      return [String(mean?.n ?? 0), number(mean?.value), median, percent(row?.metric("ngram_accuracy")?.value)];
    });
    table.push([language, ...cells]);
  }
  return [`By language: ${printable(numbers[0]?.benchmark ?? "")}`, table.toString()];
}

function isPooled({ form, task }: FormNumbers): boolean {
  return form === "ACR" || (form === "MCQA" && task === null);
}

type Show = (value: number | null | undefined) => string;

const number: Show = (value) => (value == null ? "–" : value >= 1e5 ? value.toExponential(2) : value.toFixed(2));
const percent: Show = (value) => (value == null ? "–" : (value * 100).toFixed(1));

function withInterval(row: ContaminationRow | undefined, show: Show): string {
  if (row?.value == null) return "–";
  return row.ciLow === null ? show(row.value) : `${show(row.value)} (${show(row.ciLow)}–${show(row.ciHigh)})`;
}
