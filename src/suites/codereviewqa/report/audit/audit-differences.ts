import Table from "cli-table3";
import { printable } from "../../../../base/text.js";
import type { AuditFile } from "../../audit/audit-file.js";
import { LEAST_EXAMPLES, tooFewText } from "../../metric/contamination/few-examples.js";
import type { ContaminationRow } from "../../metric/contamination/summarise.js";
import { type FormNumbers, STYLE, taskName } from "./audit-numbers.js";

/** How the forms of the same examples differ. */
export function differencesText(overall: readonly FormNumbers[]): string[] {
  const rows = overall.filter(({ metric }) => (metric("ln_perplexity_minus_acr")?.n ?? 0) > 0);
  if (rows.length === 0) return [];
  const table = new Table({
    head: ["benchmark", "form", "examples", "perplexity × (95 %)", "5-gram accuracy, points (95 %)"],
    colAligns: ["left", "left", "right", "right", "right"],
    style: STYLE,
  });
  for (const row of rows) {
    const difference = row.metric("ln_perplexity_minus_acr");
    const points = row.metric("ngram_accuracy_minus_acr");
    table.push([
      printable(row.benchmark),
      taskName(row),
      String(difference?.n ?? 0),
      shown(difference, (value) => Math.exp(value).toFixed(3)),
      shown(points, (value) => signed(value * 100, 1)),
    ]);
  }
  return ["The same examples in another form, beside ACR", table.toString()];
}

/** What renaming cost, and whether it cost the audited dataset more than the others: how well its names are known. */
export function renamingText(overall: readonly FormNumbers[], audited: string): string[] {
  const rows = overall.filter(({ metric }) => (metric("renaming_cost")?.n ?? 0) > 0);
  if (rows.length === 0) return [];
  const table = new Table({
    head: ["benchmark", "examples", "bits a replaced character (95 %)", `${printable(audited)} minus this (95 %)`],
    colAligns: ["left", "right", "right", "right"],
    style: STYLE,
  });
  for (const { benchmark, metric } of rows) {
    const cost = metric("renaming_cost");
    const below = metric("renaming_cost_difference");
    const bits = (value: number) => signed(value, 3);
    table.push([printable(benchmark), String(cost?.n ?? 0), shown(cost, bits), shown(below, bits)]);
  }
  return ["What renaming the identifiers costs", table.toString(), ...verdicts(rows, audited)];
}

function verdicts(rows: readonly FormNumbers[], audited: string): string[] {
  const name = printable(audited);
  const others = rows.filter(({ benchmark }) => benchmark !== audited);
  const own = rows.find(({ benchmark }) => benchmark === audited)?.metric("renaming_cost")?.n ?? 0;
  if (others.length === 0) {
    return [
      "  Alone it says little: all code loses by made-up names. Hold it against code the model cannot know: --against FILE.",
    ];
  }
  return others.map(({ benchmark, metric }) => {
    const row = metric("renaming_cost_difference");
    const other = printable(benchmark);
    const fewer = Math.min(own, row?.n ?? 0);
    if (fewer < LEAST_EXAMPLES || row?.ciLow == null || row.ciHigh === null)
      return `  ${name} beside ${other}: ${tooFewText(fewer)}`;
    if (row.ciLow > 0)
      return `  the model knows the names of ${name} better than those of ${other}: a sign of memorised code`;
    if (row.ciHigh < 0)
      return `  the model knows the names of ${name} less well than those of ${other}: no sign of memorised code`;
    return `  no difference shown between the names of ${name} and those of ${other}`;
  });
}

function shown(row: ContaminationRow | undefined, show: (value: number) => string): string {
  if (row?.value == null) return "–";
  return row.ciLow === null || row.ciHigh === null
    ? show(row.value)
    : `${show(row.value)} (${show(row.ciLow)} to ${show(row.ciHigh)})`;
}

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? "-" : "+"}${text}`;
}

/** How the numbers came about. */
export function methodText({ parameters, results }: AuditFile): string {
  const { ngram_n: n, ngram_starts: k, starts, seed } = parameters;
  const where = starts === "even" ? "evenly spread" : `drawn with seed ${seed}`;
  const resamples = (results?.resamples ?? 0).toLocaleString("en-US");
  return [
    "perplexity: exp of the mean negative log probability of a text's tokens; mean over texts, then over all tokens, median",
    `${n}-gram accuracy: ${k} places a text, ${where}; ${n} tokens each, all of them the model's own first choice`,
    "×: perplexity of the form divided by that of ACR, geometric mean over examples",
    `intervals: 95 %, bootstrap by example, ${resamples} resamples, seed ${seed}; below ${LEAST_EXAMPLES} examples by Student's t`,
  ].join("\n");
}
