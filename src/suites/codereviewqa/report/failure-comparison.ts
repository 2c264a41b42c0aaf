import type { Cell, TableBlock } from "../../../report/block.js";
import { type ColumnOf, numberCell, tableOf, textCell } from "../../../report/make-block.js";
import type { FailureRow } from "../failures/cells.js";
import type { FailureAnalysis } from "../failures/failures.js";
import { N, OUTCOME_NAMES, PAPER_COLUMNS, rowOf, text } from "./failure-cells.js";

/** A model, and its line of Table 3. */
interface ModelFailures {
  readonly model: string;
  readonly folders: string;
  readonly row: FailureRow;
  /** Forms on which it does not bind letters to options, so that failing them says nothing. */
  readonly unbound: readonly string[];
}

/** Where models of the same name are to be told apart. */
const FOLDERS: ColumnOf<ModelFailures> = { ...text("run"), importance: 3, cell: ({ folders }) => textCell(folders) };

/** The paper's Table 3 of all models, and its mirror: those that fail least first. */
export function failureComparison(analyses: readonly FailureAnalysis[]): TableBlock[] {
  return (["non_match", "match"] as const).map((outcome) => {
    const rows = analyses.flatMap((analysis): ModelFailures[] => {
      const row = rowOf(analysis.groups[0]?.rows ?? [], outcome);
      const folders = analysis.runs.map(({ folder }) => folder).join(" + ");
      const unbound = analysis.bindings.filter(({ gate }) => gate.status === "failed").map(({ form }) => form);
      return row === undefined ? [] : [{ model: analysis.runs[0]?.run.model.label ?? "", folders, row, unbound }];
    });
    const isNamed = new Set(rows.map(({ model }) => model)).size === rows.length;
    const share = ({ row }: ModelFailures) => row.cells.find(({ cell }) => cell === "any")?.estimate?.value ?? 2;
    return tableOf(
      `Share of ${OUTCOME_NAMES[outcome]} that fails a probe, in percent`,
      [
        { ...text("model"), cell: ({ model }) => textCell(model) },
        ...(isNamed ? [] : [FOLDERS]),
        { ...N, cell: ({ row }) => numberCell(row.n, "count") },
        ...PAPER_COLUMNS.map((column) => ({ ...column, cell: (model: ModelFailures) => judgedCell(model, column) })),
      ],
      rows.sort((a, b) => share(a) - share(b)),
      { isSortable: true, isCompact: true },
    );
  });
}

/** A share of failures that may be ones of answering with letters, not of comprehension, says so. */
function judgedCell({ row, unbound }: ModelFailures, { id, cell }: ColumnOf<FailureRow>): Cell {
  const shown = cell(row);
  const isUnbound = unbound.some((form) => id === "any" || form.split(" ")[0] === id);
  if (shown.kind !== "number") return shown;
  return { ...shown, format: "points", ...(isUnbound ? { verdict: "unreadable" } : {}) };
}
