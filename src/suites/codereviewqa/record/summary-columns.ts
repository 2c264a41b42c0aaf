import { TEXT } from "../../../store/field-type.js";
import { field, fieldColumns } from "../../../store/record-fields.js";
import { type Column, columnsOf, type Table } from "../../../store/table.js";
import { FORM_FIELDS } from "../answer/question-fields.js";
import type { SummaryRow } from "../metric/summary-row.js";

import { type RunRow, runColumns } from "./run-row.js";

/** A row of the summary without its run: what `--json` prints of it. */
export const SUMMARY_COLUMNS: readonly Column<SummaryRow>[] = [
  ...fieldColumns({
    ...FORM_FIELDS,
    task: field(TEXT, "CTR, CL, SI, ACR, CLO, or the task of a probe of one's own."),
  }),
  ...columnsOf<SummaryRow>([
    ["group_by", "string", "overall, language or change_type.", ({ groupBy }) => groupBy],
    ["group", "string", "The language or change type; all for overall.", ({ group }) => group],
    ["metric", "string", "See the list of metrics.", ({ metric }) => metric],
    ["value", "number", "Empty where the metric is not defined.", ({ value }) => value],
    ["ci_low", "number", "Lower end of the 95 % interval; empty where there is none.", ({ ciLow }) => ciLow],
    ["ci_high", "number", "Upper end.", ({ ciHigh }) => ciHigh],
    [
      "n",
      "integer",
      "What the value is taken over: questions, or answers for position_bias*, undecided_rate, failure_rate; " +
        "generations for ACR.",
      ({ n }) => n,
    ],
    ["note", "string", "What a reader should know about this value.", ({ note }) => note],
  ]),
];

export const SUMMARY: Table<RunRow<SummaryRow>> = {
  file: "summary.csv",
  title: "One row a metric: tidy. Rates are fractions 0–1.",
  primaryKey: ["run_id", "task", "difficulty", "ablation", "group_by", "group", "metric"],
  columns: runColumns("run", SUMMARY_COLUMNS),
};
