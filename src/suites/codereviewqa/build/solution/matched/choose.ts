import { Combination } from "js-combinatorics";
import { hash32 } from "../../../../../base/random.js";
import type { Difficulty } from "../../../example/example.js";
import type { SolutionView } from "../../../floors/solution-rules.js";
import type { SolutionBalance } from "../solution-balance.js";
import type { PoolMember } from "./pool.js";

export interface RatedMember extends PoolMember {
  /** Of its embedding and the right revision's. */
  readonly cosine: number;
}

/** A question about to be given its options. */
export interface Choice extends Pick<SolutionView, "preReviewLines" | "review"> {
  /** The right solution. */
  readonly right: string;
  readonly key: string;
  readonly seed: number;
}

const DISTRACTORS = 3;

/**
 * The distractors of both difficulties: easy ones from the half of the pool that is less like the right revision, hard ones from the
 * other. Candidates that stand in the prompt as the right text does and those that do not are halved each by themselves: a rule that
 * looks for the prompt's words is to find both kinds at either difficulty. Of all sets of three in a half the one that leaves the ranks
 * of the right option most even over the benchmark, of equally good ones a drawn one.
 * @param pool ascending by likeness, at least six
 */
export function chooseOptions(
  pool: readonly RatedMember[],
  choice: Choice,
  balance: Pick<SolutionBalance, "cost">,
): Record<Difficulty, readonly RatedMember[]> {
  const matched = pool.filter(({ isMatched }) => isMatched);
  const others = pool.filter(({ isMatched }) => !isMatched);
  const [low, high] = [Math.floor(matched.length / 2), Math.ceil(others.length / 2)];
  return {
    easy: best("easy", [...matched.slice(0, low), ...others.slice(0, high)], choice, balance),
    hard: best("hard", [...matched.slice(low), ...others.slice(high)], choice, balance),
  };
}

function best(
  difficulty: Difficulty,
  members: readonly RatedMember[],
  { right, key, seed, ...prompt }: Choice,
  balance: Pick<SolutionBalance, "cost">,
): readonly RatedMember[] {
  const sets = [...new Combination(members, DISTRACTORS)].map((set) => {
    const solutions = set.map(({ solution }) => solution);
    const cost = balance.cost(difficulty, { solutions: [right, ...solutions], ...prompt });
    return { set, cost, draw: hash32(`${key} ${solutions.join("\n")}`, seed) };
  });
  const [first] = sets.sort((a, b) => a.cost - b.cost || a.draw - b.draw);
  if (first === undefined)
    throw new RangeError(`Expected at least ${DISTRACTORS} candidates, found ${members.length}.`);
  return first.set;
}
