import type { Cell, TableBlock } from "../../../report/block.js";
import {
  type ColumnOf,
  intervalOf,
  MISSING,
  numberColumn,
  rightColumn,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import type { Estimate } from "../../../stats/interval.js";
import { formLabel } from "../../../verdict/verdict.js";
import type { AcrOutcome, CellShare, FailureCell, FailureRow } from "./failure-shares.js";
import { analysedModel, type FailureAnalysis } from "./failures.js";

/** Names of the cells for people. */
export const CELL_NAMES: Readonly<Record<FailureCell, string>> = {
  CTR: "CTR",
  CL_easy: "CL easy",
  CL_hard: "CL hard",
  CL: "CL, either",
  SI_easy: "SI easy",
  SI_hard: "SI hard",
  SI: "SI, either",
  any: "at least one",
  none: "none of them",
};

export const OUTCOME_NAMES: Readonly<Record<AcrOutcome, string>> = {
  non_match: "ACR non-matches",
  match: "ACR matches",
  all: "all examples",
};

/** The columns of the paper's Table 3, in its order. */
export const PAPER_CELLS: readonly FailureCell[] = ["any", "CTR", "CL", "SI"];

export function rowOf(rows: readonly FailureRow[], outcome: AcrOutcome): FailureRow | undefined {
  return rows.find((row) => row.outcome === outcome);
}

export function failCell(share: CellShare | undefined): Cell {
  return share === undefined ? MISSING : shareCell(share.examples.length, share.n, share.estimate);
}

/** Such as `0.250 (0.102–0.495) 4/16`. */
export function shareCell(count: number, n: number, estimate: Estimate | null): Cell {
  const interval = intervalOf(estimate?.low, estimate?.high);
  return { kind: "number", value: estimate?.value ?? null, format: "fraction", interval, note: [`${count}/${n}`] };
}

/** The columns of the paper's Table 3. */
export const PAPER_COLUMNS = PAPER_CELLS.map((name): ColumnOf<FailureRow> => {
  const cell = ({ cells }: FailureRow) => failCell(cells.find((share) => share.cell === name));
  return rightColumn(name, CELL_NAMES[name], cell, { importance: name === "any" ? 1 : 2 });
});

/** A model, and its line of Table 3. */
interface ModelFailures {
  readonly model: string;
  readonly folders: string;
  readonly row: FailureRow;
  /** Tasks on which it does not bind letters to options, so that failing them says nothing. */
  readonly unbound: readonly string[];
}

/** Forms that were not asked under all orders, such as ` (CTR, 3 of 6 orders)` behind a caption; empty where all were. */
export function fewerOrdersText(analyses: readonly Pick<FailureAnalysis, "bindings">[]): string {
  const fewer = analyses.flatMap(({ bindings }) => bindings.filter(({ orders }) => orders !== undefined));
  const labels = new Set(fewer.map(({ form: name, orders }) => formLabel({ name, orders })));
  return labels.size === 0 ? "" : ` (${[...labels].join("; ")})`;
}

/** The paper's Table 3 of all models, and its mirror: those that fail least first. */
export function failureComparison(analyses: readonly FailureAnalysis[]): TableBlock[] {
  return (["non_match", "match"] as const).map((outcome) => {
    const rows = analyses.flatMap((analysis): ModelFailures[] => {
      const row = rowOf(analysis.groups[0]?.rows ?? [], outcome);
      const folders = analysis.runs.map(({ folder }) => folder).join(" + ");
      const unbound = analysis.bindings.filter(({ gate }) => gate.status === "failed").map(({ task }) => task);
      return row === undefined ? [] : [{ model: analysedModel(analysis) ?? "", folders, row, unbound }];
    });
    const isNamed = new Set(rows.map(({ model }) => model)).size === rows.length;
    const share = ({ row }: ModelFailures) => row.cells.find(({ cell }) => cell === "any")?.estimate?.value ?? 2;
    const columns: ColumnOf<ModelFailures>[] = [
      textColumn("model", "model", ({ model }) => model),
      // Models of the same name are told apart by their folders.
      ...(isNamed ? [] : [textColumn<ModelFailures>("run", "run", ({ folders }) => folders, { importance: 3 })]),
      numberColumn("n", "n", "count", ({ row }) => row.n, { importance: 2 }),
      ...PAPER_COLUMNS.map((column) => ({ ...column, cell: (model: ModelFailures) => judgedCell(model, column) })),
    ];
    const caption = `Share of ${OUTCOME_NAMES[outcome]} that fails a probe, in percent${fewerOrdersText(analyses)}`;
    rows.sort((a, b) => share(a) - share(b));
    return tableOf(caption, columns, rows, { isSortable: true, isCompact: true, isCards: true });
  });
}

/** A share of failures that may be ones of answering with letters, not of comprehension, says so. */
function judgedCell({ row, unbound }: ModelFailures, { id, cell }: ColumnOf<FailureRow>): Cell {
  const shown = cell(row);
  const isUnbound = unbound.some((task) => id === "any" || task === id);
  if (shown.kind !== "number") return shown;
  return { ...shown, format: "points", ...(isUnbound ? { judgement: "unreadable" } : {}) };
}
