import type { Block, Inline, Quantity } from "../../../report/block.js";
import {
  boundedColumn,
  type ColumnOf,
  notice,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { RunFile } from "../record/run-file.js";
import type { FindMetric, FormScores } from "./score-blocks.js";

type Metric = SummaryRow["metric"];

/** One way to compare a generated revision with the right one. */
interface Match {
  readonly name: string;
  readonly corrected: Metric;
  readonly paper: Metric;
  readonly floor: Metric;
}

const MATCHES: readonly Match[] = [
  { name: "character for character", ...metricsOf("em") },
  { name: "text around it forgiven", ...metricsOf("em_trim") },
  { name: "whitespace removed", ...metricsOf("em_no_space") },
  { name: "comments and whitespace removed", ...metricsOf("em_no_comment") },
];

function metricsOf<T extends "em" | "em_trim" | "em_no_space" | "em_no_comment">(corrected: T) {
  return { corrected, paper: `paper_${corrected}`, floor: `floor_copy_${corrected}` } as const;
}

/** A way to compare, with its metrics at hand. */
interface MatchRow {
  readonly match: Match;
  readonly metric: FindMetric;
}

/** Fewer generations than this leave an interval wider than most differences between models. */
const FEW = 30;

/** Counts of generations by their end. */
type GenerationCounts = Pick<RunFile["generation_counts"], "complete" | "truncated" | "empty" | "failed">;

/** Counts of a task's generations by their end, from its rates. */
export function endings(metric: FindMetric): GenerationCounts {
  const count = (name: Metric) => Math.round((metric(name)?.value ?? 0) * (metric(name)?.n ?? 0));
  const [truncated, empty, failed] = [count("truncated_rate"), count("empty_rate"), count("failure_rate")];
  return { truncated, empty, failed, complete: (metric("failure_rate")?.n ?? 0) - truncated - empty - failed };
}

/**
 * Results of the generations of one task: matches, corrected beside the paper's and beside repeating the code;
 * similarity; how they ended; whether the numbers say anything at all.
 */
export function generationBlocks(
  { name, metric }: FormScores,
  counts: GenerationCounts,
  caption: string | null,
): Block[] {
  const { complete, truncated, empty, failed } = counts;
  const written = complete + truncated + empty;
  const [bleu, similarity] = [quantity(metric, "bleu"), quantity(metric, "edit_similarity")];
  return [
    tableOf(
      caption,
      matchColumns(name, metric),
      MATCHES.map((match) => ({ match, metric })),
    ),
    sentence(
      `${name}: BLEU-4 `,
      bleu,
      ", edit similarity ",
      similarity,
      failed === 0 || written === 0 ? "" : ` (of the ${written} that did not fail; a failed one is no match)`,
      `; ${complete} complete, ${truncated} truncated, ${empty} empty, ${failed} failed.`,
    ),
    ...copyFloor(metric),
    ...whyPaperDiffers(metric),
    ...cautions(name, metric, counts),
  ];
}

/** The columns of every table of generations; what repeating the code gives only where the run recorded the code. */
function matchColumns(task: string, metric: FindMetric): ColumnOf<MatchRow>[] {
  const floor: ColumnOf<MatchRow> = numberColumn(
    "floor",
    "repeating the code",
    "fraction",
    ({ match }) => metric(match.floor)?.value,
    { importance: 2, shortLabel: "repeated" },
  );
  return [
    textColumn("match", `${task} exact match`, ({ match }) => match.name),
    numberColumn("n", "n", "count", ({ match }) => metric(match.corrected)?.n ?? 0),
    boundedColumn("corrected", "corrected (95 %)", "fraction", ({ match }) => metric(match.corrected)),
    ...(metric("floor_copy_em") === undefined ? [] : [floor]),
    boundedColumn("paper", "as the paper's script (95 %)", "fraction", ({ match }) => metric(match.paper), {
      importance: 3,
      shortLabel: "paper's script",
    }),
  ];
}

function quantity(metric: FindMetric, name: Metric): Quantity {
  return { value: metric(name)?.value ?? null, format: "fraction" };
}

/** The same metrics for a model that changes nothing; none where the run did not record the code. */
function copyFloor(metric: FindMetric): Block[] {
  const names = ["floor_copy_bleu", "floor_copy_edit_similarity"] as const;
  if (names.every((name) => metric(name) === undefined)) return [];
  const [bleu, similarity] = [quantity(metric, names[0]), quantity(metric, names[1])];
  return [sentence("Repeating the code unchanged gives BLEU-4 ", bleu, ", edit similarity ", similarity, ".")];
}

function whyPaperDiffers(metric: FindMetric): Block[] {
  const isSame = MATCHES.every(({ corrected, paper }) => metric(corrected)?.value === metric(paper)?.value);
  return isSame
    ? []
    : [sentence("The paper's script drops two characters of every line, whether the model numbered it or not.")];
}

/** Warnings where the numbers say little. */
function cautions(task: string, metric: FindMetric, { complete }: GenerationCounts): Block[] {
  const n = metric("em")?.n ?? 0;
  const matches = MATCHES.some(({ corrected }) => (metric(corrected)?.value ?? 0) > 0);
  if (n > 0 && !matches && complete <= n / 2) {
    return [
      notice(
        "bad",
        `${task}: nothing useful was generated: no revision matches, and ${n - complete} of ${n} were cut off, empty or ` +
          "failed. These numbers do not tell how well the model understands reviews.",
      ),
    ];
  }
  const { ciLow = null, ciHigh = null } = metric("em") ?? {};
  if (n === 0 || n >= FEW || ciLow === null || ciHigh === null) return [];
  const bounds: Inline[] = [{ value: ciLow, format: "fraction" }, " to ", { value: ciHigh, format: "fraction" }, "."];
  return [
    notice(
      "warning",
      `${task}: ${n} generations are too few to tell models apart: the exact match rate may be anything from `,
      ...bounds,
    ),
  ];
}
