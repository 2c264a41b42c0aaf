import Table from "cli-table3";
import { printable } from "../domain/text.js";
import type { SummaryRow } from "../metric/summary.js";
import type { ScoredRun } from "../run/score.js";
import { money } from "./money.js";

/** The overall metrics of one probe form, by name. */
type FormMetrics = { readonly name: string; readonly metric: (name: string) => SummaryRow | undefined };

/** The summary a person reads at the end of a run: scores with interval and floor, and whether they mean anything. */
export function summaryText({ run, summary, folder }: ScoredRun): string {
  const forms = overallByForm(summary);
  const answers = run.counts.chosen + run.counts.undecided + run.counts.failed;
  const lines = [
    `${printable(run.model.label)} · ${run.dataset.selected} examples · ${answers} answers`,
    ...(run.model.check?.["forced"] === true
      ? ["FORCED: the check refused this server; its numbers may mean nothing."]
      : []),
    scoreTable(forms),
    ...verdicts(forms),
    ...troubles(run.counts, answers, run.planned_answers, run.parameters["early_stop"] === true),
    ...costLine(run),
    `Results: ${printable(folder, 1000)}`,
  ];
  return `${lines.join("\n")}\n`;
}

function overallByForm(summary: readonly SummaryRow[]): FormMetrics[] {
  const forms = new Map<string, Map<string, SummaryRow>>();
  for (const row of summary.filter(({ groupBy }) => groupBy === "overall")) {
    const name = row.difficulty === null ? row.task : `${row.task} ${row.difficulty}`;
    const metrics = forms.get(name) ?? new Map<string, SummaryRow>();
    forms.set(name, metrics.set(row.metric, row));
  }
  return [...forms].map(([name, metrics]) => ({ name, metric: (metric) => metrics.get(metric) }));
}

function scoreTable(forms: readonly FormMetrics[]): string {
  const table = new Table({
    head: ["probe", "n", "invariant accuracy", "floor", "agreement", "guessing", "mean accuracy", "commonest letter"],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, metric } of forms) {
    const invariant = metric("invariant_accuracy");
    table.push([
      name,
      String(invariant?.n ?? 0),
      withInterval(invariant),
      floor(metric),
      fraction(metric("plurality_agreement")?.value),
      fraction(metric("plurality_agreement_null")?.value),
      fraction(metric("mean_accuracy")?.value),
      commonest(metric("position_bias")),
    ]);
  }
  return table.toString();
}

function withInterval(row: SummaryRow | undefined): string {
  if (row === undefined || row.value === null) return "–";
  const interval = row.ciLow === null ? "" : ` (${fraction(row.ciLow)}–${fraction(row.ciHigh)})`;
  return `${fraction(row.value)}${interval}`;
}

function fraction(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toFixed(3);
}

/** The higher floor: the majority class where there is one, else all orders guessed. */
function floor(metric: FormMetrics["metric"]): string {
  const majority = metric("floor_majority");
  if (majority !== undefined) return `${fraction(majority.value)} ${majority.note}`;
  const invariant = metric("floor_invariant")?.value;
  return invariant == null ? "–" : invariant < 0.001 ? invariant.toExponential(0) : fraction(invariant);
}

function commonest(row: SummaryRow | undefined): string {
  if (row === undefined || row.value === null) return "–";
  return `${commonestSymbol(row)} ${percent(row.value)}`;
}

function commonestSymbol(row: SummaryRow): string {
  return /symbol, ([A-D])/.exec(row.note)?.[1] ?? "";
}

function percent(value: number): string {
  return `${(value * 100).toFixed(value < 0.1 && value > 0 ? 1 : 0)} %`;
}

/** One line a probe: may its answers be interpreted at all (the MCSB gate)? */
function verdicts(forms: readonly FormMetrics[]): string[] {
  return [
    "May the answers be interpreted as comprehension?",
    ...forms.map((form) => `  ${form.name}: ${verdict(form)}`),
  ];
}

function verdict({ metric }: FormMetrics): string {
  const gate = metric("mcsb_gate")?.value;
  const [agreement, guessing, bias] = [
    metric("plurality_agreement"),
    metric("plurality_agreement_null"),
    metric("position_bias"),
  ];
  if (gate == null || agreement?.value == null || guessing?.value == null) {
    return "unknown: agreement over all orders was not measured";
  }
  const numbers = `agreement ${fraction(agreement.value)}, guessing ${fraction(guessing.value)}`;
  if (gate === 0) {
    const letter = bias?.value == null ? "" : `; ${commonestSymbol(bias)} is ${percent(bias.value)} of its answers`;
    return `NO, the model does not bind letters to options (${numbers}${letter})`;
  }
  const [accuracy, majority] = [metric("invariant_accuracy"), metric("floor_majority")];
  if (accuracy?.value != null && majority?.value != null && accuracy.value <= majority.value) {
    return `yes (${numbers}), but the score is not above the majority floor ${fraction(majority.value)}`;
  }
  return `yes (${numbers})`;
}

function troubles(
  counts: ScoredRun["run"]["counts"],
  answers: number,
  planned: number,
  isEarlyStop: boolean,
): string[] {
  const kinds = Object.entries(counts.failures).map(([kind, count]) => `${kind} ${count}`);
  return [
    ...(counts.undecided > 0 ? [`Undecided answers: ${counts.undecided} (a tie, or an unknown symbol).`] : []),
    ...(counts.failed > 0
      ? [`Failed answers: ${counts.failed} (${kinds.join(", ")}). The same command asks them again.`]
      : []),
    ...(answers < planned && !isEarlyStop
      ? [`Incomplete: ${answers} of ${planned} answers. The same command goes on.`]
      : []),
    ...(isEarlyStop ? [`Early stop: ${answers} of ${planned} orders asked; agreement is not defined.`] : []),
  ];
}

function costLine({ cost, price, tokens }: ScoredRun["run"]): string[] {
  if (cost === null || price === null) return [];
  const prompt = tokens.prompt?.toLocaleString("en-US") ?? "unknown";
  return [`Cost: ${money(cost, price.currency)} for ${prompt} prompt tokens, at prices of ${price.as_of}.`];
}
