import type { Cell, Column } from "../../../report/block.js";
import { type ColumnOf, intervalOf, MISSING } from "../../../report/make-block.js";
import type { Estimate } from "../../../stats/interval.js";
import type { AcrOutcome, CellShare, FailureCell, FailureRow } from "../failures/cells.js";

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

export function text(label: string): Column {
  return { id: label, label, align: "left", importance: 1 };
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
  return { id: name, label: CELL_NAMES[name], align: "right", importance: name === "any" ? 1 : 2, cell };
});

export const N: Column = { id: "n", label: "n", align: "right", importance: 2 };
