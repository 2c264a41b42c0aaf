import { Combination } from "js-combinatorics";
import { hash32 } from "../../base/random.js";
import type { Difficulty } from "../../dataset/example.js";
import type { SolutionView } from "../../question/floors/solution-rules.js";
import type { PoolMember } from "./candidate-pool.js";
import type { SolutionBalance } from "./solution-balance.js";

export interface RatedMember extends PoolMember {
  /** Cosine of its embedding and the right revision's. */
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
 * other. Candidates that stand in the prompt as the right text does and those that do not, and of these the ones that the question
 * shows elsewhere too and the others, are halved each by themselves: a rule that looks for such words is to find all kinds at either
 * difficulty. Of all sets of three in a half the one that leaves the ranks of the right option most even over the benchmark, of equally
 * good ones a drawn one.
 * @param pool ascending by likeness, at least six
 */
export function chooseOptions(
  pool: readonly RatedMember[],
  choice: Choice,
  balance: Pick<SolutionBalance, "cost">,
): Record<Difficulty, readonly RatedMember[]> {
  const [easy, hard] = halvesOf(pool);
  return { easy: best("easy", easy, choice, balance), hard: best("hard", hard, choice, balance) };
}

/** Leftovers of a kind go to the half that has fewer: they differ by one at most. */
function halvesOf(pool: readonly RatedMember[]): readonly [low: RatedMember[], high: RatedMember[]] {
  const [low, high]: [RatedMember[], RatedMember[]] = [[], []];
  for (const kind of KINDS) {
    const own = pool.filter((member) => kindOf(member) === kind);
    const half = low.length <= high.length ? Math.ceil(own.length / 2) : Math.floor(own.length / 2);
    low.push(...own.slice(0, half));
    high.push(...own.slice(half));
  }
  return [low, high];
}

const KINDS = [0, 1, 2, 3];

function kindOf({ isMatched, isShown }: PoolMember): number {
  return (isMatched ? 0 : 2) + (isShown ? 0 : 1);
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
