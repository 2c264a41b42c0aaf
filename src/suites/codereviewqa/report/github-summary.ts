import { printable } from "../../../base/text.js";
import type { ScoredRun } from "../ask/score.js";
import type { AdjustedRow, ComparisonReport, RunComparison } from "../compare/compare.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { type BelowThreshold, comparedName } from "./ci/comparison-checks.js";
import { FormMetrics, formName } from "./data/probe-forms.js";
import { markdownText } from "./leaderboard-text.js";
import { commonestSymbol, fraction, judgeForm, percent } from "./verdict.js";

/** A run for the summary page of a GitHub job, in Markdown: scores with floors, and whether they mean anything. */
export function runMarkdown({ run, summary }: ScoredRun): string {
  const forms = run.forms.map((form) => ({ name: formName(form), metrics: new FormMetrics(summary, form) }));
  const choices = forms.filter(({ metrics }) => metrics.overall("invariant_accuracy") !== undefined);
  const generations = forms.filter(({ metrics }) => metrics.overall("em") !== undefined);
  const facts = [
    `${run.dataset.selected} examples`,
    `dataset ${printable(run.dataset.source, 200)}`,
    `run ${printable(run.run_id, 200)}`,
  ];
  return document([
    `## probe: ${markdownText(printable(run.model.label, 200))}`,
    facts.map(markdownText).join(" · "),
    ...warnings(run),
    ...(choices.length > 0 ? [choiceTable(choices)] : []),
    ...(generations.length > 0 ? [generationTable(generations)] : []),
  ]);
}

interface NamedForm {
  readonly name: string;
  readonly metrics: FormMetrics;
}

function warnings({ model, counts, generation_counts: generated, planned_answers: planned, ...run }: ScoredRun["run"]) {
  const answers = counts.chosen + counts.undecided + counts.failed;
  const generations = generated.complete + generated.truncated + generated.empty + generated.failed;
  const isShort = answers < planned && run.parameters["early_stop"] !== true;
  return [
    ...(model.check?.["forced"] === true
      ? ["**FORCED: the check refused this server; its numbers may mean nothing.**"]
      : []),
    ...(isShort ? [`**Incomplete: ${answers} of ${planned} answers.**`] : []),
    ...(generations < run.generations ? [`**Incomplete: ${generations} of ${run.generations} generations.**`] : []),
    ...(counts.failed > 0 ? [`**${counts.failed} answers failed.**`] : []),
    ...(generated.failed > 0 ? [`**${generated.failed} generations failed.**`] : []),
    ...(counts.undecided > 0 ? [`${counts.undecided} answers are undecided (a tie, or an unknown symbol).`] : []),
  ];
}

function choiceTable(forms: readonly NamedForm[]): string {
  const head = ["probe", "n", "invariant accuracy (95 %)", "floor", "agreement", "guessing", "mean accuracy"];
  return table(
    [...head, "commonest letter", "may be interpreted?"],
    forms.map(({ name, metrics }) => {
      const value = (metric: SummaryRow["metric"]) => fraction(metrics.overall(metric)?.value);
      const verdict = judgeForm((metric) => metrics.overall(metric));
      const text = markdownText(verdict.text);
      return [
        markdownText(name),
        String(metrics.score?.n ?? 0),
        withInterval(metrics.score),
        floorText(metrics),
        value("plurality_agreement"),
        value("plurality_agreement_null"),
        value("mean_accuracy"),
        letterText(metrics.overall("position_bias")),
        verdict.status === "no" ? `**${text}**` : text,
      ];
    }),
  );
}

const GENERATION_METRICS = ["em", "em_trim", "em_no_space", "em_no_comment", "bleu", "edit_similarity"] as const;

function generationTable(forms: readonly NamedForm[]): string {
  return table(
    ["probe", "n", "exact match (95 %)", "trimmed", "without spaces", "without comments", "BLEU-4", "edit similarity"],
    forms.flatMap(({ name, metrics }) => {
      const cells = (names: readonly SummaryRow["metric"][]) =>
        names.map((each) => (each === "em" ? withInterval(metrics.score) : fraction(metrics.overall(each)?.value)));
      const n = String(metrics.score?.n ?? 0);
      return [
        [markdownText(name), n, ...cells(GENERATION_METRICS)],
        ...(metrics.overall("floor_copy_em") === undefined
          ? []
          : [
              [
                "floor: the code unchanged",
                n,
                ...cells(GENERATION_METRICS.map((each) => `floor_copy_${each}` as const)),
              ],
            ]),
      ];
    }),
  );
}

function withInterval(row: SummaryRow | undefined): string {
  const isBounded = row !== undefined && row.ciLow !== null && row.ciHigh !== null;
  return `${fraction(row?.value)}${isBounded ? ` (${fraction(row.ciLow)}–${fraction(row.ciHigh)})` : ""}`;
}

/** The higher floor: the majority class where there is one, else all orders guessed. */
function floorText(metrics: FormMetrics): string {
  const majority = metrics.overall("floor_majority");
  if (majority !== undefined) return `${fraction(majority.value)} ${markdownText(majority.note)}`;
  const guessed = metrics.overall("floor_invariant")?.value;
  return guessed == null ? "–" : guessed < 0.001 ? guessed.toExponential(0) : fraction(guessed);
}

function letterText(bias: SummaryRow | undefined): string {
  return bias?.value == null ? "–" : `${commonestSymbol(bias)} ${percent(bias.value)}`;
}

/** Likewise, of runs compared; `null`: without a threshold. */
export function comparisonMarkdown({ comparisons }: ComparisonReport, threshold: BelowThreshold | null): string {
  return document(comparisons.flatMap((comparison) => comparisonParts(comparison, threshold)));
}

function comparisonParts({ baseline, candidate, rows }: RunComparison, threshold: BelowThreshold | null): string[] {
  const name = ({ run, folder }: RunComparison["baseline"]) =>
    markdownText(`${printable(run.model.label, 200)} (${printable(folder, 200)})`);
  const head = ["probe", "n", "baseline", "candidate", "difference (95 %)", "adjusted p"];
  const limit = threshold === null ? [] : [`at least ${threshold.threshold}?`];
  const isBelow = (row: AdjustedRow) => threshold?.below.some(({ row: found }) => found === row) === true;
  return [
    `## probe: ${name(candidate)} against ${name(baseline)}`,
    "Share right: of questions under all orders; of generations (em) by exact match.",
    table(
      [...head, ...limit],
      rows.map((row) => [...comparedCells(row), ...(threshold === null ? [] : [isBelow(row) ? "**NO**" : "yes"])]),
    ),
  ];
}

function comparedCells(row: AdjustedRow): string[] {
  const { n, baseline, candidate, difference, interval } = row.invariantAccuracy;
  const range = interval === null ? "" : ` (${signed(interval.low)} to ${signed(interval.high)})`;
  const p = row.adjustedPValue < 0.0001 ? "<0.0001" : row.adjustedPValue.toFixed(4);
  const name = markdownText(comparedName(row));
  return [name, String(n), fraction(baseline), fraction(candidate), `${signed(difference)}${range}`, markdownText(p)];
}

function signed(value: number): string {
  const digits = Math.abs(value).toFixed(3);
  return Number(digits) === 0 ? digits : `${value < 0 ? "−" : "+"}${digits}`;
}

/** Numbers to the right; names and what is said in words to the left. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    line(head.map((title, i) => (i === 0 || title.endsWith("?") ? "---" : "---:"))),
    ...rows.map(line),
  ].join("\n");
}

/** Begins and ends with a blank line: the page may hold what other steps wrote. */
function document(parts: readonly string[]): string {
  return `\n${parts.join("\n\n")}\n\n`;
}
