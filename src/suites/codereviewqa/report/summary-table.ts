import Table from "cli-table3";
import { printable } from "../../../base/text.js";
import { money } from "../../../report/money.js";
import type { ScoredRun } from "../ask/score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { RunFile } from "../record/run-file.js";
import { generationLines } from "./generation-table.js";
import { commonestSymbol, fraction, judgeForm, percent } from "./verdict.js";

/** The overall metrics of one probe form, by name. */
interface FormMetrics {
  readonly name: string;
  readonly metric: (name: SummaryRow["metric"]) => SummaryRow | undefined;
}

/** The summary a person reads at the end of a run: scores with interval and floor, and whether they mean anything. */
export function summaryText({ run, summary, folder }: ScoredRun): string {
  const forms = overallByForm(summary);
  const choices = forms.filter(({ metric }) => metric("em") === undefined);
  const generations = forms.filter(({ metric }) => metric("em") !== undefined);
  const lines = [
    `${printable(run.model.label)} · ${run.dataset.selected} examples · ${recordedCounts(run)}`,
    ...(run.model.check?.["forced"] === true
      ? ["FORCED: the check refused this server; its numbers may mean nothing."]
      : []),
    ...(choices.length > 0 ? [scoreTable(choices), ...verdicts(choices)] : []),
    ...generations.flatMap(({ name, metric }) => generationLines(name, metric, run.generation_counts)),
    ...troubles(run),
    ...costLine(run),
    `Results: ${printable(folder, 1000)}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Such as `36 answers · 3 generations`. */
function recordedCounts(run: ScoredRun["run"]): string {
  return [
    ...(run.planned_answers > 0 ? [`${answersOf(run)} answers`] : []),
    ...(run.generations > 0 ? [`${generationsOf(run)} generations`] : []),
  ].join(" · ");
}

function answersOf({ counts }: ScoredRun["run"]): number {
  return counts.chosen + counts.undecided + counts.failed;
}

function generationsOf({ generation_counts: counts }: ScoredRun["run"]): number {
  return counts.complete + counts.truncated + counts.empty + counts.failed;
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

/** One line a probe: may its answers be interpreted at all (the MCSB gate)? */
function verdicts(forms: readonly FormMetrics[]): string[] {
  return [
    "May the answers be interpreted as comprehension?",
    ...forms.map((form) => `  ${form.name}: ${judgeForm(form.metric).text}`),
  ];
}

function troubles(run: ScoredRun["run"]): string[] {
  const { counts, generation_counts: generated, planned_answers: planned } = run;
  const answers = answersOf(run);
  const isEarlyStop = run.parameters["early_stop"] === true;
  return [
    ...(counts.undecided > 0 ? [`Undecided answers: ${counts.undecided} (a tie, or an unknown symbol).`] : []),
    ...failures("answers", counts),
    ...failures("generations", generated),
    ...(answers < planned && !isEarlyStop
      ? [`Incomplete: ${answers} of ${planned} answers. The same command goes on.`]
      : []),
    ...(generationsOf(run) < run.generations
      ? [`Incomplete: ${generationsOf(run)} of ${run.generations} generations. The same command goes on.`]
      : []),
    ...(isEarlyStop ? [`Early stop: ${answers} of ${planned} orders asked; agreement is not defined.`] : []),
  ];
}

function failures(
  what: string,
  { failed, failures: byKind }: Pick<RunFile["counts"], "failed" | "failures">,
): string[] {
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`);
  return failed > 0 ? [`Failed ${what}: ${failed} (${kinds.join(", ")}). The same command asks them again.`] : [];
}

function costLine({ cost, price, tokens }: ScoredRun["run"]): string[] {
  if (cost === null || price === null) return [];
  const prompt = tokens.prompt?.toLocaleString("en-US") ?? "unknown";
  const generated = tokens.completion === null ? "" : ` and ${tokens.completion.toLocaleString("en-US")} generated`;
  return [`Cost: ${money(cost, price.currency)} for ${prompt} prompt tokens${generated}, at prices of ${price.as_of}.`];
}
