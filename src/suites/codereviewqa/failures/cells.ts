import { type Estimate, proportion } from "../../../stats/interval.js";
import type { ExampleOutcome, ProbeOutcome } from "./example-outcome.js";

/**
 * What an example can fail (paper §7, Table 3): a probe at one difficulty; `CL` and `SI`: at either (the paper's
 * footnote 4); `any`: at least one of the probes it was asked; `none`: not a single one.
 */
export const FAILURE_CELLS = ["CTR", "CL_easy", "CL_hard", "CL", "SI_easy", "SI_hard", "SI", "any", "none"] as const;
export type FailureCell = (typeof FAILURE_CELLS)[number];

/** Whose failures are counted: Table 3, its mirror (success without comprehension), and both together. */
export const ACR_OUTCOMES = ["non_match", "match", "all"] as const;
export type AcrOutcome = (typeof ACR_OUTCOMES)[number];

/** The share of one group of examples that fails one thing. */
export interface CellShare {
  readonly cell: FailureCell;
  /** Examples that were asked it: a deletion is not asked SI. */
  readonly n: number;
  /** Those that fail it (of `none`: that fail nothing), in the order of the run. */
  readonly examples: readonly ExampleOutcome[];
  /** Of these, how many no order was answered wrongly for: lost to failed or undecided orders. */
  readonly lost: number;
  /** With Wilson's 95 % interval; `null` when n = 0. */
  readonly estimate: Estimate | null;
}

/** One line of Table 3: a share for every probe. */
export interface FailureRow {
  readonly outcome: AcrOutcome;
  /** Examples with this outcome. */
  readonly n: number;
  /** Of these, generations that failed: they count as non-matches. */
  readonly failedGenerations: number;
  /** One a cell, in their order. */
  readonly cells: readonly CellShare[];
}

/** Failures among ACR non-matches, matches, and all examples. */
export function failureRows(examples: readonly ExampleOutcome[]): FailureRow[] {
  return ACR_OUTCOMES.map((outcome) => {
    const own = examples.filter((example) => hasOutcome(example, outcome));
    return {
      outcome,
      n: own.length,
      failedGenerations: own.filter(({ status }) => status === "failed").length,
      cells: FAILURE_CELLS.map((cell) => cellShare(cell, own)),
    };
  });
}

/** Whether an example is among those whose failures a row counts. */
export function hasOutcome({ match }: ExampleOutcome, outcome: AcrOutcome): boolean {
  return outcome === "all" || match === (outcome === "match");
}

function cellShare(cell: FailureCell, examples: readonly ExampleOutcome[]): CellShare {
  const asked = examples.filter((example) => covered(cell, example).length > 0);
  const failing = asked.filter((example) => isIn(cell, example) === true);
  const lost = failing.filter((example) => isLost(covered(cell, example))).length;
  return {
    cell,
    n: asked.length,
    examples: failing,
    lost: cell === "none" ? 0 : lost,
    estimate: proportion(failing.length, asked.length),
  };
}

/** Whether an example belongs to a cell; `null` when it was asked nothing that the cell is about. */
export function isIn(cell: FailureCell, example: ExampleOutcome): boolean | null {
  const probes = covered(cell, example);
  if (probes.length === 0) return null;
  const fails = probes.some(({ right }) => !right);
  return cell === "none" ? !fails : fails;
}

function isLost(probes: readonly ProbeOutcome[]): boolean {
  return probes.every(({ right, lost }) => right || lost);
}

function covered(cell: FailureCell, { probes }: ExampleOutcome): readonly ProbeOutcome[] {
  if (cell === "any" || cell === "none") return probes;
  const [task, difficulty] = cell.split("_");
  return probes.filter((probe) => probe.task === task && (difficulty === undefined || probe.difficulty === difficulty));
}
