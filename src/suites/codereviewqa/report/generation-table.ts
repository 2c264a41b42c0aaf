import Table from "cli-table3";
import type { SummaryRow } from "../metric/summary-row.js";
import type { RunFile } from "../record/run-file.js";

type FindMetric = (name: SummaryRow["metric"]) => SummaryRow | undefined;

const MATCHES = [
  ["em", "paper_em", "floor_copy_em"],
  ["em_trim", "paper_em_trim", "floor_copy_em_trim"],
  ["em_no_space", "paper_em_no_space", "floor_copy_em_no_space"],
  ["em_no_comment", "paper_em_no_comment", "floor_copy_em_no_comment"],
] as const;

/** Fewer generations than this leave an interval wider than most differences between models. */
const FEW = 30;

/**
 * What a person reads of the generations: matches, corrected beside the paper's and what repeating the code gives;
 * similarity; how they ended.
 */
export function generationLines(task: string, metric: FindMetric, counts: RunFile["generation_counts"]): string[] {
  const { complete, truncated, empty, failed } = counts;
  return [
    matchTable(task, metric),
    `${task}: BLEU-4 ${fraction(metric("bleu"))}, edit similarity ${fraction(metric("edit_similarity"))}; ` +
      `${complete} complete, ${truncated} truncated, ${empty} empty, ${failed} failed.`,
    ...copyFloor(metric),
    ...whyPaperDiffers(metric),
    ...generationCaution(task, metric, counts),
  ];
}

function matchTable(task: string, metric: FindMetric): string {
  const hasFloor = metric("floor_copy_em") !== undefined;
  const table = new Table({
    head: [
      ...[`${task} exact match`, "n", "corrected"],
      ...(hasFloor ? ["repeating the code"] : []),
      "as the paper's script",
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const [corrected, paper, floor] of MATCHES) {
    const floors = hasFloor ? [fraction(metric(floor))] : [];
    table.push([corrected, metric(corrected)?.n ?? 0, rate(metric(corrected)), ...floors, rate(metric(paper))]);
  }
  return table.toString();
}

/** What the same metrics give a model that changes nothing; nothing where the run did not record the code. */
function copyFloor(metric: FindMetric): string[] {
  const [bleu, similarity] = [metric("floor_copy_bleu"), metric("floor_copy_edit_similarity")];
  if (bleu === undefined && similarity === undefined) return [];
  return [`  Repeating the code unchanged gives BLEU-4 ${fraction(bleu)}, edit similarity ${fraction(similarity)}.`];
}

function whyPaperDiffers(metric: FindMetric): string[] {
  const isSame = MATCHES.every(([corrected, paper]) => metric(corrected)?.value === metric(paper)?.value);
  return isSame
    ? []
    : ["  The paper's script drops two characters of every line, whether the model numbered it or not."];
}

/** Whether the numbers say anything at all. */
export function generationCaution(
  task: string,
  metric: FindMetric,
  { complete }: Pick<RunFile["generation_counts"], "complete">,
): string[] {
  const n = metric("em")?.n ?? 0;
  const matches = MATCHES.some(([corrected]) => (metric(corrected)?.value ?? 0) > 0);
  if (n > 0 && !matches && complete <= n / 2) {
    return [
      `${task}: nothing useful was generated: no revision matches, and ${n - complete} of ${n} were cut off, empty or failed.`,
      `  These numbers do not tell how well the model understands reviews.`,
    ];
  }
  const { ciLow = null, ciHigh = null } = metric("em") ?? {};
  if (n === 0 || n >= FEW || ciLow === null || ciHigh === null) return [];
  return [
    `${task}: ${n} generations are too few to tell models apart: the exact match rate may be anything from ` +
      `${ciLow.toFixed(3)} to ${ciHigh.toFixed(3)}.`,
  ];
}

function rate(row: SummaryRow | undefined): string {
  if (row === undefined || row.value === null) return "–";
  const interval =
    row.ciLow === null || row.ciHigh === null ? "" : ` (${row.ciLow.toFixed(3)}–${row.ciHigh.toFixed(3)})`;
  return `${row.value.toFixed(3)}${interval}`;
}

function fraction(row: SummaryRow | undefined): string {
  return row?.value == null ? "–" : row.value.toFixed(3);
}
