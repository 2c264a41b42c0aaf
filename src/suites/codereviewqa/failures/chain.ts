import { type Estimate, proportion } from "../../../stats/interval.js";
import { isIn } from "./cells.js";
import type { ExampleOutcome } from "./example-outcome.js";

/** The steps from the review to the revision, in the order of the paper (§3). */
const CHAIN = ["CTR", "CL", "SI", "ACR"] as const;
type ChainName = (typeof CHAIN)[number];

/** How many of some examples are right at a step. */
export interface RightShare {
  readonly right: number;
  readonly n: number;
  /** With Wilson's 95 % interval; `null` when n = 0. */
  readonly estimate: Estimate | null;
}

/**
 * How often a step succeeds. CL and SI are right when they are so at both difficulties, ACR when the generation matches.
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
  const outcomes = examples.map((example) => isRight(step, example)).filter((right) => right !== null);
  const right = outcomes.filter((isStepRight) => isStepRight).length;
  return { right, n: outcomes.length, estimate: proportion(right, outcomes.length) };
}

/** `null`: the example has no such question. */
function isRight(step: ChainName, example: ExampleOutcome): boolean | null {
  if (step === "ACR") return example.match;
  const fails = isIn(step, example);
  return fails === null ? null : !fails;
}
