import type { Block, Cell, Importance, Inline, NumberFormat, Quantity } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  MISSING,
  notice,
  numberCell,
  sentence,
  tableOf,
  textCell,
} from "../../../report/make-block.js";
import { type Markdown, renderMarkdownPart } from "../../../report/markdown.js";
import { plainText } from "../../../report/terminal.js";
import type { AdjustedRow, ComparisonReport, RunComparison } from "../compare/compare.js";
import type { PairedMeans } from "../compare/paired-means.js";
import type { ComparableRun } from "../record/comparable-run.js";
import { alsoDifferBlocks } from "./also-differ.js";
import { type BelowThreshold, comparedName } from "./ci/comparison-checks.js";
import { circumstance } from "./comparison-circumstance.js";

/** Adjusted p-values up to this are called a difference. */
const LEVEL = 0.05;

/** What `probe compare` shows: each pair of runs, what can be concluded, and how it was computed. */
export function comparisonBlocks(report: ComparisonReport): Block[] {
  return reportBlocks(report, null, "");
}

function reportBlocks(report: ComparisonReport, threshold: BelowThreshold | null, prefix: string): Block[] {
  return [
    ...report.comparisons.flatMap((comparison) => [
      heading(2, `${prefix}${comparison.candidate.run.model.label} against ${comparison.baseline.run.model.label}`),
      ...pairBlocks(comparison, threshold),
    ]),
    heading(3, "Method"),
    ...methodBlocks(report),
  ];
}

/** Likewise as plain text. */
export function compareText(report: ComparisonReport): string {
  return plainText(comparisonBlocks(report));
}

/** Likewise for the page of a GitHub job; `null`: without a threshold. */
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
    sentence(
      `${[`${baseline.run.dataset.selected} examples`, ...askedCounts(baseline)].join(", ")}, the same in both runs`,
    ),
    ...alsoDifferBlocks(alsoDiffer),
    ...[baseline, candidate].filter(isForced).map(({ folder }) => forcedNotice(folder)),
    tableOf(shareTitle(rows), shareColumns(threshold), rows),
    { kind: "list", items: rows.map((row) => [`${comparedName(row)}: `, ...verdictParts(row)]) },
    ...lostBlocks(rows),
    ...meansBlocks(rows),
    ...similarityBlocks(rows),
  ];
}

function runName({ run, folder }: ComparableRun): string {
  return `${run.model.label} · ${folder}`;
}

function isForced({ run }: ComparableRun): boolean {
  return run.model.check?.["forced"] === true;
}

function forcedNotice(folder: string): Block {
  return notice("bad", `FORCED: the check refused the server of ${folder}; its numbers may mean nothing.`);
}

/** Such as `32 questions` and `16 generations`. */
function askedCounts({ questions, generations }: ComparableRun): string[] {
  return [
    ...(questions.length > 0 ? [`${questions.length} questions`] : []),
    ...(generations.length > 0 ? [`${generations.length} generations`] : []),
  ];
}

type QuestionRow = AdjustedRow & { readonly kind: "questions" };
type GenerationRow = AdjustedRow & { readonly kind: "generations" };

function isOfQuestions(row: AdjustedRow): row is QuestionRow {
  return row.kind === "questions";
}

function isOfGenerations(row: AdjustedRow): row is GenerationRow {
  return row.kind === "generations";
}

function shareTitle(rows: readonly AdjustedRow[]): string {
  const titles = [
    ...(rows.some(isOfQuestions) ? ["invariant accuracy (right under all orders)"] : []),
    ...(rows.some(isOfGenerations) ? ["exact match (em) of the generated revision"] : []),
  ].join("; ");
  return titles.slice(0, 1).toUpperCase() + titles.slice(1);
}

/** The columns of every table of shares that are right; with a threshold, whether it is kept. */
function shareColumns(threshold: BelowThreshold | null): ColumnOf<AdjustedRow>[] {
  const share = (id: "baseline" | "candidate"): ColumnOf<AdjustedRow> => {
    const cell = (row: AdjustedRow) => numberCell(row.invariantAccuracy[id], "fraction");
    return { id, label: id, align: "right", importance: 1, cell };
  };
  return [
    PROBE,
    { ...number("n", "count", (row) => row.invariantAccuracy.n), importance: 2 },
    share("baseline"),
    share("candidate"),
    {
      id: "difference",
      label: "difference (95 %)",
      align: "right",
      importance: 1,
      cell: (row) => differenceCell(row.invariantAccuracy),
    },
    {
      id: "only_one_right",
      label: "only one right",
      shortLabel: "only one",
      align: "right",
      importance: 3,
      cell: ({ onlyBaseline, onlyCandidate }) => ({
        kind: "pair",
        first: { value: onlyBaseline, format: "count" },
        second: { value: onlyCandidate, format: "count" },
      }),
    },
    number("p", "pvalue", ({ pValue }) => pValue),
    { ...number("adjusted p", "pvalue", ({ adjustedPValue }) => adjustedPValue), shortLabel: "adj. p", importance: 1 },
    number("detectable", "fraction", ({ detectableDifference }) => detectableDifference),
    ...(threshold === null ? [] : [thresholdColumn(threshold)]),
  ];
}

const PROBE: ColumnOf<AdjustedRow> = {
  id: "probe",
  label: "probe",
  align: "left",
  importance: 1,
  cell: (row) => textCell(comparedName(row)),
};

function number(label: string, format: NumberFormat, of: (row: AdjustedRow) => number | null): ColumnOf<AdjustedRow> {
  return { id: label, label, align: "right", importance: 3, cell: (row) => numberCell(of(row), format) };
}

function thresholdColumn({ threshold, below }: BelowThreshold): ColumnOf<AdjustedRow> {
  const isBelow = (row: AdjustedRow) => below.some(({ row: found }) => found === row);
  return {
    id: "fail_under",
    label: `at least ${threshold}?`,
    align: "left",
    importance: 1,
    cell: (row) => (isBelow(row) ? textCell("NO", "bad") : textCell("yes", "good")),
  };
}

/** Mean accuracy and plurality agreement, where any question has them in both runs. */
function meansBlocks(allRows: readonly AdjustedRow[]): Block[] {
  const rows = allRows.filter(isOfQuestions);
  if (rows.length === 0) return [];
  if (rows.every(({ meanAccuracy }) => meanAccuracy === null)) {
    return [
      sentence("Mean accuracy and agreement: absent (a run stopped early, or no question has all its answers in both)"),
    ];
  }
  const columns: ColumnOf<QuestionRow>[] = [
    PROBE,
    countColumn(({ meanAccuracy }) => meanAccuracy),
    ...meansColumns<QuestionRow>("mean accuracy", ({ meanAccuracy }) => meanAccuracy),
    ...meansColumns<QuestionRow>("agreement", ({ pluralityAgreement }) => pluralityAgreement, 2),
  ];
  return [tableOf("Over the single orders (baseline / candidate)", columns, rows)];
}

/** Edit similarity of the generations. */
function similarityBlocks(rows: readonly AdjustedRow[]): Block[] {
  const generations = rows.filter(isOfGenerations);
  if (generations.length === 0) return [];
  const columns: ColumnOf<GenerationRow>[] = [
    { ...PROBE, cell: ({ form }) => textCell(form.task) },
    countColumn(({ editSimilarity }) => editSimilarity),
    ...meansColumns<GenerationRow>("edit similarity", ({ editSimilarity }) => editSimilarity),
  ];
  return [tableOf("Mean over the generations that failed in neither run (baseline / candidate)", columns, generations)];
}

function countColumn<T>(of: (row: T) => PairedMeans | null): ColumnOf<T> {
  return { id: "n", label: "n", align: "right", importance: 2, cell: (row) => numberCell(of(row)?.n ?? 0, "count") };
}

function meansColumns<T>(label: string, of: (row: T) => PairedMeans | null, importance: Importance = 1): ColumnOf<T>[] {
  return [
    { id: label, label, align: "right", importance, cell: (row) => pairCell(of(row)) },
    {
      id: `${label} difference`,
      label: "difference (95 %)",
      align: "right",
      importance,
      cell: (row) => differenceCell(of(row)),
    },
  ];
}

function pairCell(means: PairedMeans | null): Cell {
  const { baseline = null, candidate = null } = means ?? {};
  if (baseline === null) return MISSING;
  return {
    kind: "pair",
    first: { value: baseline, format: "fraction" },
    second: { value: candidate, format: "fraction" },
  };
}

function differenceCell(means: PairedMeans | null): Cell {
  if (means === null) return MISSING;
  const { difference, interval } = means;
  // All examples differ alike: resampling them says nothing of others.
  const isFlat = interval !== null && interval.high - interval.low < 1e-9;
  return numberCell(difference, "change", isFlat ? { note: ["(no spread)"] } : { interval });
}

/** What may be said of a row, in words. */
function verdictParts(row: AdjustedRow): Inline[] {
  const { difference } = row.invariantAccuracy;
  const size = (value: number): Quantity => ({ value, format: "fraction" });
  if (row.adjustedPValue <= LEVEL) {
    return [`the ${difference > 0 ? "candidate" : "baseline"} is better by `, size(Math.abs(difference))];
  }
  const least = row.detectableDifference;
  return [
    `no difference shown${circumstance(row, LEVEL)}`,
    ...(least === null ? [] : [`; this many ${row.kind} find differences from about `, size(least)]),
  ];
}

function lostBlocks(rows: readonly AdjustedRow[]): Block[] {
  const lost = rows.filter((row) => row.form !== null && row.lost.baseline + row.lost.candidate > 0);
  const blocks = (some: readonly AdjustedRow[], title: string): Block[] =>
    some.length === 0 ? [] : [notice("warning", title), { kind: "list", items: some.map(lostItem) }];
  return [
    ...blocks(
      lost.filter(isOfQuestions),
      "Questions lost only because orders failed or were undecided; they count as not right:",
    ),
    ...blocks(lost.filter(isOfGenerations), "Generations lost because they failed; they count as not matched:"),
  ];
}

function lostItem(row: AdjustedRow): Inline[] {
  return [`${comparedName(row)}: baseline ${row.lost.baseline}, candidate ${row.lost.candidate}`];
}

function methodBlocks({ comparisons, tests, resamples, seed }: ComparisonReport): Block[] {
  const hasOverall = comparisons.some(({ rows }) => rows.some(({ test }) => test === "sign_flip_by_example"));
  const hasGenerations = comparisons.some(({ rows }) => rows.some(isOfGenerations));
  const facts: readonly (readonly [string, string])[] = [
    [
      "difference",
      `candidate minus baseline; interval: bootstrap by example, ${resamples.toLocaleString("en-US")} resamples, seed ${seed}`,
    ],
    [
      "only one right",
      "questions that only the baseline / only the candidate has right under all orders" +
        (hasGenerations ? "; of ACR, revisions that it alone matches" : ""),
    ],
    ...(hasGenerations
      ? [
          [
            "em",
            `character for character, echoed line numbers removed${hasOverall ? '; "all probes" is without it' : ""}`,
          ] as const,
        ]
      : []),
    [
      "p",
      "McNemar's exact test, two-sided" +
        (hasOverall ? "; for all probes together the exact sign-flip test by example" : ""),
    ],
    ["adjusted p", `Benjamini-Hochberg over the ${tests} tests shown; up to ${LEVEL} is called a difference`],
    ["detectable", "the least true difference that one test at 0.05 finds in 80 % of samples of this size"],
  ];
  return [{ kind: "facts", facts: facts.map(([name, text]) => ({ name, parts: [text] })) }];
}
