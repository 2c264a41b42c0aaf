import { counted, shorten } from "../../base/text.js";
import { modelName, wayTo } from "../../model/vendor/model-name.js";
import type { Block, Cell, Inline, NumberFormat, Quantity } from "../../report/block.js";
import { CONTROL, judgementParts, WORTHLESS_DIFFERENCE } from "../../report/judgement-words.js";
import {
  type ColumnOf,
  heading,
  leftColumn,
  MISSING,
  notice,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../report/make-block.js";
import { type Markdown, renderMarkdownPart } from "../../report/markdown.js";
import { costBlocks } from "../../report/verdicts/cost-blocks.js";
import { isControl, type PairedMeans, type PairedRow } from "../../verdict/paired-comparison.js";
import type { RunVerdicts, ValueUnit, VerdictForm } from "../../verdict/verdict.js";
import type { ScoredRun } from "../score-folder.js";
import {
  type ComparisonReport,
  clusterName,
  LEVEL,
  methodBlocks,
  type RunComparison,
  type RunDifference,
  type RunGain,
  verdictsOf,
} from "./compare-runs.js";
import type { BelowThreshold } from "./comparison-checks.js";
import { isSequential } from "./run-differences.js";
import { spendingBlocks } from "./spending.js";

/** The report of `probe compare`: each pair of runs, the conclusions, and the method. */
export function comparisonBlocks(report: ComparisonReport): Block[] {
  return reportBlocks(report, null, "");
}

function reportBlocks(report: ComparisonReport, threshold: BelowThreshold | null, prefix: string): Block[] {
  return [
    ...report.comparisons.flatMap((comparison) => [
      heading(
        2,
        `${prefix}${modelName(comparison.candidate.run.model)} against ${modelName(comparison.baseline.run.model)}`,
      ),
      ...pairBlocks(comparison, threshold),
    ]),
    ...costBlocks(comparedRuns(report)),
    heading(3, "Method"),
    ...methodBlocks(report),
  ];
}

/** Verdicts of all runs, each once, in the order in which they were named. */
export function comparedRuns({ comparisons }: ComparisonReport): RunVerdicts[] {
  return [
    ...new Set(comparisons.flatMap(({ baseline, candidate }) => [baseline.score.verdicts, candidate.score.verdicts])),
  ];
}

/** The report for the page of a GitHub job; `threshold` `null`: none was given. */
export function comparisonMarkdown(report: ComparisonReport, threshold: BelowThreshold | null): Markdown {
  return renderMarkdownPart(reportBlocks(report, threshold, "probe: "));
}

function pairBlocks(comparison: RunComparison, threshold: BelowThreshold | null): Block[] {
  const { baseline, candidate, rows, alsoDiffer } = comparison;
  return [
    {
      kind: "facts",
      facts: [
        { name: "baseline", parts: [runName(baseline)] },
        { name: "candidate", parts: [runName(candidate)] },
      ],
    },
    ...pairedBlocks(comparison),
    ...alsoDifferBlocks(alsoDiffer),
    ...[baseline, candidate].flatMap(({ run, folder }) =>
      run.model.check?.["forced"] === true
        ? [notice("bad", `FORCED: the check refused the server of ${folder}; its numbers may mean nothing.`)]
        : [],
    ),
    tableOf(shareTitle(rows), shareColumns(threshold), rows),
    { kind: "list", items: rows.map((row) => [`${row.label}: `, ...conclusionParts(row)]) },
    ...spendingBlocks(comparison),
    ...worthBlocks(rows),
    ...lostBlocks(rows),
    ...meansBlocks(comparison),
  ];
}

/** What one run gains over another: shares, what they cost, and means. */
export function gainBlocks(gain: RunGain): Block[] {
  const { rows } = gain;
  return [tableOf(shareTitle(rows), shareColumns(null), rows), ...spendingBlocks(gain), ...meansBlocks(gain)];
}

function runName({ run, folder }: ScoredRun): string {
  return [modelName(run.model), ...wayTo(run.model), folder].join(" · ");
}

/** Items that are paired, and what the numbers then are of. */
function pairedBlocks(comparison: RunComparison): Block[] {
  const { baseline, candidate } = comparison;
  const paired = verdictsOf(comparison).baseline;
  const counts = askedCounts(baseline.suite, paired).join(", ");
  const [before, after] = [baseline.score.verdicts, candidate.score.verdicts];
  if (!isSequential({ baseline: before, candidate: after })) return [sentence(`${counts}, the same in both runs`)];
  const [all, others] = [before.verdicts.length, after.verdicts.length];
  return [
    sentence(
      `${counts} that both runs asked, of ${all} and ${others}: asked until decided, a run leaves what its verdict does not ` +
        "need. Shares and differences are of these pairs alone, not of the whole runs.",
    ),
  ];
}

/** Such as `32 examples`, `32 questions` and `16 generations`; before them `10 tasks` where items are parts or trials of such. */
function askedCounts(suite: ScoredRun["suite"], { forms, verdicts }: RunVerdicts): string[] {
  const itemsOf = new Map(forms.map(({ name, items }) => [name, items]));
  const count = (items: string) => verdicts.filter(({ form }) => itemsOf.get(form) === items).length;
  const trials = new Set(forms.filter(({ kind }) => kind === "trial").map(({ name }) => name));
  const examples = new Set(verdicts.filter(({ form }) => !trials.has(form)).map(({ item }) => item)).size;
  const clusters = new Set(verdicts.map(({ cluster }) => cluster)).size;
  return [
    ...(clusterName(verdicts) === "task" ? [counted(clusters, "tasks")] : []),
    ...(examples > 0 ? [counted(examples, "examples")] : []),
    ...suite.items.flatMap((items) => (count(items) === 0 ? [] : [counted(count(items), items)])),
  ];
}

function shareTitle(rows: readonly PairedRow[]): string {
  const titles = [...new Set(rows.flatMap(({ form }) => form?.score.title ?? []))].join("; ");
  return titles.slice(0, 1).toUpperCase() + titles.slice(1);
}

/** The columns of every table of shares that are right; with a threshold, whether it is kept. */
function shareColumns(threshold: BelowThreshold | null): ColumnOf<PairedRow>[] {
  const share = (id: "baseline" | "candidate"): ColumnOf<PairedRow> => {
    const cell = (row: PairedRow) => numberCell(row.share[id], "fraction");
    return rightColumn(id, id, cell);
  };
  return [
    PROBE,
    { ...number("n", "count", (row) => row.share.n), importance: 2 },
    share("baseline"),
    share("candidate"),
    rightColumn("difference", "difference (95 %)", (row) => differenceCell(row.share)),
    rightColumn(
      "only_one_right",
      "only one right",
      ({ onlyBaseline, onlyCandidate }) => ({
        kind: "pair",
        first: { value: onlyBaseline, format: "count" },
        second: { value: onlyCandidate, format: "count" },
      }),
      { importance: 3, shortLabel: "only one" },
    ),
    number("p", "pvalue", ({ pValue }) => pValue),
    { ...number("adjusted p", "pvalue", ({ adjustedPValue }) => adjustedPValue), shortLabel: "adj. p", importance: 1 },
    number("detectable", "points", ({ detectableDifference }) => detectableDifference),
    ...(threshold === null ? [] : [thresholdColumn(threshold)]),
  ];
}

const PROBE: ColumnOf<PairedRow> = textColumn("probe", "probe", (row) => row.label);

function number(label: string, format: NumberFormat, of: (row: PairedRow) => number | null): ColumnOf<PairedRow> {
  return numberColumn(label, label, format, (row) => of(row), { importance: 3 });
}

function thresholdColumn({ threshold, below }: BelowThreshold): ColumnOf<PairedRow> {
  const isBelow = (row: PairedRow) => below.some(({ row: found }) => found === row);
  return leftColumn("fail_under", `at least ${threshold}?`, (row) => {
    if (isControl(row)) return textCell(CONTROL);
    return isBelow(row) ? textCell("NO", "bad") : textCell("yes", "good");
  });
}

/** Further measures, a table for the forms that have the same ones. */
function meansBlocks({ baseline, rows }: RunGain): Block[] {
  const sets = new Map(
    baseline.score.verdicts.forms.map(({ values, items }) => [
      values.map(({ name }) => name).join(" "),
      { values, items },
    ]),
  );
  return [...sets].flatMap(([names, { values, items }]): Block[] => {
    const own = rows.filter((row) => Object.keys(row.values).join(" ") === names);
    if (own.length === 0 || values.length === 0) return [];
    const titles = values.map(({ title }) => title).join(" and ");
    if (own.every((row) => Object.values(row.values).every((means) => means === null))) {
      return [sentence(`Absent: ${titles} (no item has them in both runs)`)];
    }
    const told = values.filter(({ name }) => own.some((row) => row.values[name] != null));
    const columns: ColumnOf<PairedRow>[] = [
      PROBE,
      numberColumn("n", "n", "count", (row) => Object.values(row.values).find((means) => means !== null)?.n ?? 0, {
        importance: 2,
      }),
      ...told.flatMap((value, i) => meansColumns(value, i === 0)),
    ];
    return [tableOf(`Means over the ${items} (baseline / candidate)`, columns, own)];
  });
}

/** Warning where either score is one that needs no comprehension: a difference says nothing of comprehension. */
function worthBlocks(rows: readonly PairedRow[]): Block[] {
  const items = rows.flatMap(({ label, judgements }): Inline[][] => {
    if (judgements === null) return [];
    return Object.entries(judgements).flatMap(([side, judgement]) =>
      judgement === null || judgement.state === "above_floor" || judgement.state === "unsteady"
        ? []
        : [[`${label}, ${side}: `, ...judgementParts(judgement)]],
    );
  });
  if (items.length === 0) return [];
  return [notice("warning", WORTHLESS_DIFFERENCE), { kind: "list", items }];
}

function meansColumns({ name, title, unit }: VerdictForm["values"][number], isFirst: boolean): ColumnOf<PairedRow>[] {
  // The first of them is what a narrow terminal has room for.
  const importance = isFirst ? 1 : 2;
  const of = ({ values }: PairedRow) => values[name] ?? null;
  return [
    rightColumn(title, title, (row) => pairCell(of(row), unit), { importance }),
    rightColumn(`${title} difference`, "difference (95 %)", (row) => differenceCell(of(row), unit), { importance }),
  ];
}

function pairCell(means: PairedMeans | null, unit: ValueUnit = "share"): Cell {
  if (means === null) return MISSING;
  const format = unit === "share" ? "fraction" : "coefficient";
  return { kind: "pair", first: { value: means.baseline, format }, second: { value: means.candidate, format } };
}

function differenceCell(means: PairedMeans | null, unit: ValueUnit = "share"): Cell {
  if (means === null) return MISSING;
  const { difference, interval } = means;
  return numberCell(difference, unit === "share" ? "change" : "coefficient_change", { interval });
}

/** Conclusion of a row. */
function conclusionParts(row: PairedRow): Inline[] {
  const { difference } = row.share;
  const size = (value: number): Quantity => ({ value, format: "size" });
  if (row.adjustedPValue <= LEVEL) {
    const [better, tone] = difference > 0 ? (["candidate", "good"] as const) : (["baseline", "bad"] as const);
    const by = [" by ", size(Math.abs(difference))];
    if (isControl(row)) return [`the ${better} is higher`, ...by];
    return [{ kind: "toned", text: `the ${better} is better`, tone }, ...by];
  }
  const least = row.detectableDifference;
  return [
    `no difference shown${circumstance(row, LEVEL)}`,
    ...(least === null ? [] : [`; this many ${row.items} find differences from about `, size(least)]),
  ];
}

function lostBlocks(rows: readonly PairedRow[]): Block[] {
  const lost = rows.filter((row) => row.form !== null && row.lost.baseline + row.lost.candidate > 0);
  if (lost.length === 0) return [];
  return [
    notice("warning", "Lost only because something failed, was undecided or is missing; they count as not passed:"),
    {
      kind: "list",
      items: lost.map(({ label, lost: own }) => [`${label}: baseline ${own.baseline}, candidate ${own.candidate}`]),
    },
  ];
}

/** Longest value that is shown of a setting. */
const LONGEST = 60;

/** Settings in which two runs differ besides what is compared; nothing without any. */
export function alsoDifferBlocks(differences: readonly RunDifference[]): Block[] {
  if (differences.length === 0) return [];
  const shown = differences.map(({ name, baseline, candidate }) => `${name} ${show(baseline)} / ${show(candidate)}`);
  return [notice("warning", `The runs also differ in: ${shown.join("; ")}`)];
}

function show(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "none", LONGEST);
}

/** Reason why no difference is shown, where that can be said; begins with a comma. */
function circumstance(row: PairedRow, level: number): string {
  const { onlyBaseline, onlyCandidate, pValue, share, items } = row;
  const { baseline } = share;
  if (onlyBaseline + onlyCandidate > 0) return pValue <= level ? ", as all tests are counted" : "";
  if (baseline === 0) return `, neither run passes any of the ${items}`;
  return baseline === 1 ? `, both runs pass all of the ${items}` : `, both runs pass the same ${items}`;
}
