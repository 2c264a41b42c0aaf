import Table from "cli-table3";
import { printable } from "../../../base/text.js";
import type { AdjustedRow, ComparisonReport, RunComparison } from "../compare/compare.js";
import type { PairedMeans } from "../compare/paired-means.js";
import { rowLabel } from "../compare/paired-row.js";
import type { ComparableRun } from "../record/comparable-run.js";

/** Adjusted p-values up to this are called a difference. */
const LEVEL = 0.05;
const STYLE = { head: [], border: [], compact: true };

/** What `probe compare` prints: each pair of runs, what can be concluded, and how it was computed. */
export function compareText(report: ComparisonReport): string {
  return [...report.comparisons.map(comparisonText), methodText(report)].join("\n");
}

function comparisonText(comparison: RunComparison): string {
  const { baseline, candidate, rows } = comparison;
  const lines = [
    `baseline:  ${runName(baseline)}`,
    `candidate: ${runName(candidate)}`,
    `${[`${baseline.run.dataset.selected} examples`, ...askedCounts(baseline)].join(", ")}, the same in both runs`,
    ...alsoDiffer(comparison),
    ...[baseline, candidate].filter(isForced).map(({ folder }) => forcedLine(folder)),
    shareTitle(rows),
    accuracyTable(rows),
    ...rows.map((row) => `  ${rowName(row)}: ${verdict(row)}`),
    ...lostLines(rows),
    ...meansLines(rows),
    ...similarityLines(rows),
  ];
  return `${lines.join("\n")}\n`;
}

/** Such as `32 questions` and `16 generations`. */
function askedCounts({ questions, generations }: ComparableRun): string[] {
  return [
    ...(questions.length > 0 ? [`${questions.length} questions`] : []),
    ...(generations.length > 0 ? [`${generations.length} generations`] : []),
  ];
}

function shareTitle(rows: readonly AdjustedRow[]): string {
  const titles = [
    ...(rows.some(isOfQuestions) ? ["invariant accuracy (right under all orders)"] : []),
    ...(rows.some(isOfGenerations) ? ["exact match (em) of the generated revision"] : []),
  ].join("; ");
  return titles.slice(0, 1).toUpperCase() + titles.slice(1);
}

type QuestionRow = AdjustedRow & { readonly kind: "questions" };
type GenerationRow = AdjustedRow & { readonly kind: "generations" };

function isOfQuestions(row: AdjustedRow): row is QuestionRow {
  return row.kind === "questions";
}

function isOfGenerations(row: AdjustedRow): row is GenerationRow {
  return row.kind === "generations";
}

function runName({ run, folder }: ComparableRun): string {
  return `${printable(run.model.label)} · ${printable(folder, 1000)}`;
}

function isForced({ run }: ComparableRun): boolean {
  return run.model.check?.["forced"] === true;
}

function forcedLine(folder: string): string {
  return `FORCED: the check refused the server of ${printable(folder, 1000)}; its numbers may mean nothing.`;
}

function alsoDiffer({ alsoDiffer: differences }: RunComparison): string[] {
  if (differences.length === 0) return [];
  const shown = differences.map(
    ({ name, baseline, candidate }) => `${printable(name)} ${show(baseline)} / ${show(candidate)}`,
  );
  return [`The runs also differ in: ${shown.join("; ")}`];
}

function show(value: unknown): string {
  return printable(JSON.stringify(value) ?? "none", 60);
}

function rowName(row: AdjustedRow): string {
  return printable(rowLabel(row) ?? "all");
}

function accuracyTable(rows: readonly AdjustedRow[]): string {
  const table = new Table({
    head: [
      "probe",
      "n",
      "baseline",
      "candidate",
      "difference (95 %)",
      "only one right",
      "p",
      "adjusted p",
      "detectable",
    ],
    style: STYLE,
  });
  for (const row of rows) {
    const { n, baseline, candidate } = row.invariantAccuracy;
    table.push([
      rowName(row),
      String(n),
      baseline.toFixed(3),
      candidate.toFixed(3),
      difference(row.invariantAccuracy),
      `${row.onlyBaseline} / ${row.onlyCandidate}`,
      probability(row.pValue),
      probability(row.adjustedPValue),
      row.detectableDifference === null ? "–" : row.detectableDifference.toFixed(3),
    ]);
  }
  return table.toString();
}

/** Mean accuracy and plurality agreement, where any question has them in both runs. */
function meansLines(allRows: readonly AdjustedRow[]): string[] {
  const rows = allRows.filter(isOfQuestions);
  if (rows.length === 0) return [];
  if (rows.every(({ meanAccuracy }) => meanAccuracy === null)) {
    return ["Mean accuracy and agreement: absent (a run stopped early, or no question has all its answers in both)"];
  }
  const table = new Table({
    head: ["probe", "n", "mean accuracy", "difference (95 %)", "agreement", "difference (95 %)"],
    style: STYLE,
  });
  for (const row of rows) {
    const n = row.meanAccuracy?.n ?? 0;
    table.push([rowName(row), String(n), ...meansCells(row.meanAccuracy), ...meansCells(row.pluralityAgreement)]);
  }
  return ["Over the single orders (baseline / candidate)", table.toString()];
}

/** Edit similarity of the generations. */
function similarityLines(rows: readonly AdjustedRow[]): string[] {
  const generations = rows.filter(isOfGenerations);
  if (generations.length === 0) return [];
  const table = new Table({ head: ["probe", "n", "edit similarity", "difference (95 %)"], style: STYLE });
  for (const row of generations) {
    const { form, editSimilarity } = row;
    table.push([printable(form.task), String(editSimilarity?.n ?? 0), ...meansCells(editSimilarity)]);
  }
  return ["Mean over the generations that failed in neither run (baseline / candidate)", table.toString()];
}

function meansCells(means: PairedMeans | null): string[] {
  if (means === null) return ["–", "–"];
  return [`${means.baseline.toFixed(3)} / ${means.candidate.toFixed(3)}`, difference(means)];
}

function difference({ difference: value, interval }: PairedMeans): string {
  if (interval === null) return signed(value);
  // All examples differ alike: resampling them says nothing of others.
  if (interval.high - interval.low < 1e-9) return `${signed(value)} (no spread)`;
  return `${signed(value)} (${signed(interval.low)} to ${signed(interval.high)})`;
}

function signed(value: number): string {
  const digits = Math.abs(value).toFixed(3);
  return Number(digits) === 0 ? digits : `${value < 0 ? "-" : "+"}${digits}`;
}

function probability(p: number): string {
  return p < 0.0001 ? "<0.0001" : p.toFixed(4);
}

/** What may be said of a row, in words. */
function verdict(row: AdjustedRow): string {
  const { difference: value } = row.invariantAccuracy;
  if (row.adjustedPValue <= LEVEL) {
    return `the ${value > 0 ? "candidate" : "baseline"} is better by ${Math.abs(value).toFixed(3)}`;
  }
  const least = row.detectableDifference;
  const size = least === null ? "" : `; this many ${row.kind} find differences from about ${least.toFixed(3)}`;
  return `no difference shown${circumstance(row)}${size}`;
}

function circumstance(row: AdjustedRow): string {
  const { onlyBaseline, onlyCandidate, pValue, invariantAccuracy } = row;
  const { baseline } = invariantAccuracy;
  if (onlyBaseline + onlyCandidate > 0) return pValue <= LEVEL ? ", as all tests are counted" : "";
  if (row.kind === "generations") {
    if (baseline === 0) return ", neither run matches any revision";
    return baseline === 1 ? ", both runs match every revision" : ", both runs match the same revisions";
  }
  if (baseline === 0) return ", neither run is right on any question";
  return baseline === 1 ? ", both runs are right on every question" : ", both runs are right on the same questions";
}

function lostLines(rows: readonly AdjustedRow[]): string[] {
  const lost = rows.filter((row) => row.form !== null && row.lost.baseline + row.lost.candidate > 0);
  const lines = (some: readonly AdjustedRow[], title: string) =>
    some.length === 0 ? [] : [title, ...some.map(lostLine)];
  return [
    ...lines(
      lost.filter(isOfQuestions),
      "Questions lost only because orders failed or were undecided; they count as not right:",
    ),
    ...lines(lost.filter(isOfGenerations), "Generations lost because they failed; they count as not matched:"),
  ];
}

function lostLine(row: AdjustedRow): string {
  return `  ${rowName(row)}: baseline ${row.lost.baseline}, candidate ${row.lost.candidate}`;
}

function methodText({ comparisons, tests, resamples, seed }: ComparisonReport): string {
  const hasOverall = comparisons.some(({ rows }) => rows.some(({ test }) => test === "sign_flip_by_example"));
  const hasGenerations = comparisons.some(({ rows }) => rows.some(isOfGenerations));
  const lines = [
    "difference: candidate minus baseline; interval: bootstrap by example, " +
      `${resamples.toLocaleString("en-US")} resamples, seed ${seed}`,
    "only one right: questions that only the baseline / only the candidate has right under all orders" +
      (hasGenerations ? "; of ACR, revisions that it alone matches" : ""),
    ...(hasGenerations
      ? [`em: character for character, echoed line numbers removed${hasOverall ? '; "all" is without it' : ""}`]
      : []),
    "p: McNemar's exact test, two-sided" +
      (hasOverall ? "; for all probes together the exact sign-flip test by example" : ""),
    `adjusted p: Benjamini-Hochberg over the ${tests} tests shown; up to ${LEVEL} is called a difference`,
    "detectable: the least true difference that one test at 0.05 finds in 80 % of samples of this size",
  ];
  return `${lines.join("\n")}\n`;
}
