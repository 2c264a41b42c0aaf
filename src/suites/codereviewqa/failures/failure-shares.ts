import { groupBy } from "../../../base/grouping.js";
import type { Language } from "../../../base/language.js";
import type { ChangeType, Difficulty } from "../../../dataset/example.js";
import { clusteredProportion, clusterTotals, type Estimate } from "../../../stats/interval.js";
import type { GenerationStatus } from "../answer/generation.js";

/** A multiple-choice question about an example, as it went under all its orders. */
export interface ProbeOutcome {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** Right under all N! orders. */
  readonly right: boolean;
  /** Not right, though no order was answered wrongly: lost to failed or undecided orders. */
  readonly lost: boolean;
}

/** An example that a model was asked to revise and was probed about. */
export interface ExampleOutcome {
  readonly exampleId: string;
  /** Case of its own, or the task that it is a hunk of. */
  readonly cluster: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  /** `true`: the generated revision is the post-review code. A failed generation is not. */
  readonly match: boolean;
  readonly status: GenerationStatus;
  /** Probes that it was asked: none of SI for a deletion, none of CL for a hunk with too few lines. */
  readonly probes: readonly ProbeOutcome[];
}

/**
 * Failures of an example (paper §7, Table 3): a probe at one difficulty; `CL` and `SI`: at either (the paper's
 * footnote 4); `any`: at least one of the probes it was asked; `none`: not a single one.
 */
export const FAILURE_CELLS = ["CTR", "CL_easy", "CL_hard", "CL", "SI_easy", "SI_hard", "SI", "any", "none"] as const;
export type FailureCell = (typeof FAILURE_CELLS)[number];

/** Outcomes whose failures are counted: Table 3, its mirror (success without comprehension), and both together. */
export const ACR_OUTCOMES = ["non_match", "match", "all"] as const;
export type AcrOutcome = (typeof ACR_OUTCOMES)[number];

/** The share of one group of examples that fails one thing. */
export interface CellShare {
  readonly cell: FailureCell;
  /** Examples that were asked it: a deletion is not asked SI. */
  readonly n: number;
  /** Examples that fail it (of `none`: that fail nothing), in the order of the run. */
  readonly examples: readonly ExampleOutcome[];
  /** Examples among these that no order was answered wrongly for: lost to failed or undecided orders. */
  readonly lost: number;
  /** With Wilson's 95 % interval by cluster; `null` when n = 0. */
  readonly estimate: Estimate | null;
}

/** Share of examples that count, with Wilson's 95 % interval by cluster; `null` without any. */
export function shareOf(
  examples: readonly ExampleOutcome[],
  isCounted: (example: ExampleOutcome) => boolean,
): Estimate | null {
  const clusters = groupBy(examples, ({ cluster }) => cluster);
  return clusteredProportion(
    clusterTotals([...clusters.values()].map((own) => own.map((each) => Number(isCounted(each))))),
  );
}

/** One line of Table 3: a share for every probe. */
export interface FailureRow {
  readonly outcome: AcrOutcome;
  /** Examples with this outcome. */
  readonly n: number;
  /** Failed generations among them: they count as non-matches. */
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

/** `true`: a row counts the failures of this example. */
export function hasOutcome({ match }: ExampleOutcome, outcome: AcrOutcome): boolean {
  return outcome === "all" || match === (outcome === "match");
}

function cellShare(cell: FailureCell, examples: readonly ExampleOutcome[]): CellShare {
  const asked = examples.filter((example) => covered(cell, example).length > 0);
  const failing = asked.filter((example) => isIn(cell, example) === true);
  const lost = failing.filter((example) => covered(cell, example).every(({ right, lost }) => right || lost)).length;
  return {
    cell,
    n: asked.length,
    examples: failing,
    lost: cell === "none" ? 0 : lost,
    estimate: shareOf(asked, (example) => isIn(cell, example) === true),
  };
}

/** `true`: the example belongs to the cell; `null` when it was asked nothing that the cell is about. */
export function isIn(cell: FailureCell, example: ExampleOutcome): boolean | null {
  const probes = covered(cell, example);
  if (probes.length === 0) return null;
  const fails = probes.some(({ right }) => !right);
  return cell === "none" ? !fails : fails;
}

/** Probes that a cell is about; no task: all. */
const COVERED: Readonly<Record<FailureCell, Partial<Pick<ProbeOutcome, "task" | "difficulty">>>> = {
  CTR: { task: "CTR" },
  CL_easy: { task: "CL", difficulty: "easy" },
  CL_hard: { task: "CL", difficulty: "hard" },
  CL: { task: "CL" },
  SI_easy: { task: "SI", difficulty: "easy" },
  SI_hard: { task: "SI", difficulty: "hard" },
  SI: { task: "SI" },
  any: {},
  none: {},
};

function covered(cell: FailureCell, { probes }: ExampleOutcome): readonly ProbeOutcome[] {
  const { task, difficulty } = COVERED[cell];
  return probes.filter(
    (probe) =>
      (task === undefined || probe.task === task) && (difficulty === undefined || probe.difficulty === difficulty),
  );
}

/** The steps from the review to the revision, in the order of the paper (§3). */
const CHAIN = ["CTR", "CL", "SI", "ACR"] as const;
type ChainName = (typeof CHAIN)[number];

/** Share of some examples that are right at a step. */
export interface RightShare {
  readonly right: number;
  readonly n: number;
  /** With Wilson's 95 % interval by cluster; `null` when n = 0. */
  readonly estimate: Estimate | null;
}

/**
 * Success at a step. CL and SI are right when they are so at both difficulties, ACR when the generation matches.
 * Steps that an example has no question for are passed over, before this one and at it: n counts the examples that have it.
 */
export interface ChainStep {
  readonly step: ChainName;
  /** P(step). */
  readonly overall: RightShare;
  /** P(step | every earlier step right); `null` for the first step. */
  readonly afterRight: RightShare | null;
  /** P(step | an earlier step wrong); `null` for the first step. */
  readonly afterWrong: RightShare | null;
}

/** Conditional accuracy along the chain CTR → CL → SI → ACR, beside the unconditional one. */
export function chainSteps(examples: readonly ExampleOutcome[]): ChainStep[] {
  return CHAIN.map((step, i) => {
    const earlier = CHAIN.slice(0, i);
    const isWayClear = (example: ExampleOutcome) => earlier.every((name) => isRight(name, example) !== false);
    return {
      step,
      overall: rightShare(step, examples),
      afterRight: i === 0 ? null : rightShare(step, examples.filter(isWayClear)),
      afterWrong:
        i === 0
          ? null
          : rightShare(
              step,
              examples.filter((example) => !isWayClear(example)),
            ),
    };
  });
}

function rightShare(step: ChainName, examples: readonly ExampleOutcome[]): RightShare {
  const asked = examples.filter((example) => isRight(step, example) !== null);
  const isCounted = (example: ExampleOutcome) => isRight(step, example) === true;
  return { right: asked.filter(isCounted).length, n: asked.length, estimate: shareOf(asked, isCounted) };
}

/** `null`: the example has no such question. */
function isRight(step: ChainName, example: ExampleOutcome): boolean | null {
  if (step === "ACR") return example.match;
  const fails = isIn(step, example);
  return fails === null ? null : !fails;
}
