import type { Cell } from "../../../store/csv.js";
import { FAILURE_CELLS, type FailureCell, isIn } from "./cells.js";
import type { ExampleOutcome } from "./example-outcome.js";
import type { FailureAnalysis, FailureReport } from "./failures.js";

/** The cells that the table has a column for. */
const COLUMNS = FAILURE_CELLS.filter((cell) => cell !== "none");

/** Rows of `failures.csv`, in the order of its columns, of the examples that are wanted. */
export function failureCsvRows(report: FailureReport, isWanted: (example: ExampleOutcome) => boolean): Cell[][] {
  return report.analyses.flatMap((analysis) => {
    const owner = [runIdsOf(analysis), analysis.runs[0]?.run.model.label ?? null];
    return analysis.examples.filter(isWanted).map((example) => [...owner, ...exampleCells(example, report.match)]);
  });
}

/** The run's id; of joined runs, theirs with `+` between them. */
export function runIdsOf({ runs }: FailureAnalysis): string {
  return runs.map(({ run }) => run.run_id).join("+");
}

function exampleCells(example: ExampleOutcome, match: string): Cell[] {
  return [
    example.exampleId,
    example.language,
    example.changeType,
    match,
    example.match,
    example.status,
    ...COLUMNS.map((cell: FailureCell) => isIn(cell, example)),
    example.probes.filter(({ lost }) => lost).length,
  ];
}
