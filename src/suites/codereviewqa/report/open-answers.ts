import type { Block } from "../../../report/block.js";
import { boundedCell, type ColumnOf, numberCell, sentence, tableOf, textCell } from "../../../report/make-block.js";
import { type FormScores, floorColumn, verdictItem } from "./scores.js";
import type { FindMetric } from "./verdict.js";

/** Whether what was written is code, scored as the paper does, and not an answer that its probe scores itself. */
export function isCode(metric: FindMetric): boolean {
  return metric("no_answer_rate") === undefined;
}

/** The column of the measure that the probe defines, such as Jaccard. */
function gradedColumn(metric: FindMetric): ColumnOf<FormScores>[] {
  const graded = metric("em")?.detail?.graded;
  if (graded === undefined) return [];
  const { name: id, title } = graded;
  const label = `${title} (95 %)`;
  return [{ id, label, align: "right", importance: 1, cell: ({ metric: find }) => boundedCell(find(id), "fraction") }];
}

function columnsOf(form: FormScores): ColumnOf<FormScores>[] {
  return [
    { id: "probe", label: "probe", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
    {
      id: "n",
      label: "n",
      align: "right",
      importance: 1,
      cell: ({ metric }) => numberCell(metric("em")?.n ?? 0, "count"),
    },
    {
      id: "em",
      label: "exact match (95 %)",
      align: "right",
      importance: 1,
      cell: ({ metric }) => boundedCell(metric("em"), "fraction"),
    },
    floorColumn,
    ...gradedColumn(form.metric),
    {
      id: "no_answer_rate",
      label: "no answer",
      align: "right",
      importance: 2,
      cell: ({ metric }) => numberCell(metric("no_answer_rate")?.value, "fraction"),
    },
  ];
}

/** What answers that were written without options amount to, and what that is worth. */
export function openAnswerBlocks(form: FormScores, caption: string | null): Block[] {
  return [
    tableOf(caption, columnsOf(form), [form]),
    sentence("Does the score show comprehension?"),
    { kind: "list", items: [verdictItem(form)] },
  ];
}
