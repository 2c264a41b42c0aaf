import type { Block } from "../../../report/block.js";
import { type ColumnOf, numberCell, tableOf, textCell } from "../../../report/make-block.js";
import type { Applied } from "../../../review/decision-application.js";
import { funnelTable } from "./funnel.js";

type DroppedRow = Applied["questions"][number];

const DROPPED_COLUMNS: readonly ColumnOf<DroppedRow>[] = [
  { id: "question", label: "question", align: "left", importance: 1, cell: ({ form }) => textCell(form) },
  {
    id: "reason",
    label: "dropped, because",
    align: "left",
    importance: 1,
    cell: ({ reason }) => textCell(reason.replaceAll("_", " ")),
  },
  { id: "n", label: "n", align: "right", importance: 1, cell: ({ count }) => numberCell(count, "count") },
];

/** What became of the examples, and of the questions of those that were kept. */
export function appliedTables({ funnel, questions }: Applied): Block[] {
  if (questions.length === 0) return [funnelTable(funnel)];
  return [
    funnelTable(funnel),
    tableOf("Questions of kept examples that are asked no more", DROPPED_COLUMNS, questions),
  ];
}
