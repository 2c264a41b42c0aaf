import { distance } from "fastest-levenshtein";
import { Combination } from "js-combinatorics";
import { countBy } from "../../base/grouping.js";
import { hash32 } from "../../base/random.js";
import { asUnits } from "../../base/text.js";
import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import type { OfficialRecord } from "../../dataset/official-record.js";
import { tokensIn } from "../../question/floors/fluency.js";
import { type Rule, rounded, setOverlaps, sumsOverOthers } from "../../question/floors/rule.js";
import {
  addedLines,
  SOLUTION_RULES,
  type SolutionView,
  shareOf,
  wordsOf,
} from "../../question/floors/solution-rules.js";
import { DISTRACTORS } from "../build-files.js";
import { RankBalance, type Standing, standingsOf } from "../rank-balance.js";
import type { PoolMember } from "./candidate-pool.js";
import type { Rated, SolutionTask } from "./solution-task.js";

/** Readings of "most like the others" beside those of `SOLUTION_RULES`. */
export const LIKENESS_RULES: readonly Rule<SolutionView>[] = [
  /** score = −Σ over the other options of the edit distance in tokens. */
  {
    name: "token_sequence",
    sees: "options",
    score: ({ solutions }) => closeness(asUnits(solutions.map(tokensIn)), distance),
  },
  /** score = −Σ over the other options of edit distance / length of the longer one, in characters. */
  { name: "character_share", sees: "options", score: ({ solutions }) => closeness(solutions, relativeDistance) },
  /** score = Σ over the other options of the Jaccard similarity of their sets of characters. */
  { name: "character_set", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map((text) => [...text])) },
  /** The same for two characters and for three that follow each other. */
  { name: "character_pairs", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map(piecesOf(2))) },
  { name: "character_threes", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map(piecesOf(3))) },
];

function closeness(texts: readonly string[], apart: (a: string, b: string) => number): number[] {
  return sumsOverOthers(texts, apart).map((sum) => -rounded(sum));
}

function relativeDistance(a: string, b: string): number {
  return distance(a, b) / Math.max(1, a.length, b.length);
}

function piecesOf(length: number): (text: string) => string[] {
  return (text) => {
    const pieces = Math.max(0, text.length - length + 1);
    return Array.from({ length: pieces }, (_, at) => text.slice(at, at + length));
  };
}

/**
 * Shortcuts beside the rules that are reported: a set that is balanced under these leaves less for others to find. A
 * medoid can be read in many ways, and each finds other questions; all are evened out.
 */
const FURTHER_RULES: readonly Rule<SolutionView>[] = [
  ...LIKENESS_RULES,
  /** Share of the added lines' words that stand on the removed lines too. */
  { name: "words_removed", sees: "options", score: ({ solutions }) => solutions.map(shareRemoved) },
  /** Share of the added lines' words that stand there more than once. */
  { name: "words_repeated", sees: "options", score: ({ solutions }) => solutions.map(shareRepeated) },
  /** Distance of the number of words known from the prompt to those of the other options, summed. */
  { name: "odd_in_prompt", sees: "lexical", score: oddInPrompt },
];

/** Rules whose ranks are kept even. */
interface BalancedRules {
  readonly rules: readonly Rule<SolutionView>[];
  /** Weights of the first of them. */
  readonly weights: readonly number[];
  /** Number of the first ones that could be fitted together. */
  readonly fitted: number;
}

const BALANCED = SOLUTION_RULES.filter(({ balance }) => balance !== undefined);
const NO_READ = BALANCED.filter(({ sees }) => sees !== "lexical");
const LEXICAL = BALANCED.filter(({ sees }) => sees === "lexical");
const INFILLED: BalancedRules = {
  rules: [...NO_READ, ...LEXICAL, ...FURTHER_RULES],
  weights: [...NO_READ, ...LEXICAL].map(({ balance = 1 }) => balance),
  fitted: NO_READ.length,
};

/** Rules that no near miss is chosen by: they show what the choice leaves to others. */
const KEPT_OUT: readonly string[] = ["commonest_names", "review_words"];
const CHOSEN_BY = SOLUTION_RULES.filter(({ name }) => !KEPT_OUT.includes(name));

/** Rules of questions that are built of near misses: all that are reported but two. */
export const NEAR_MISS_RULES: BalancedRules = {
  rules: [...CHOSEN_BY, ...FURTHER_RULES],
  weights: CHOSEN_BY.map(({ balance = 2 }) => balance),
  fitted: CHOSEN_BY.length,
};

/** The ranks of the right solution in a benchmark so far, easy and hard questions each by themselves. */
export class SolutionBalance {
  readonly #rules: BalancedRules["rules"];
  readonly #forms: Readonly<Record<Difficulty, RankBalance>>;

  constructor({ rules, weights, fitted }: BalancedRules = INFILLED) {
    this.#rules = rules;
    this.#forms = { easy: new RankBalance(weights, fitted), hard: new RankBalance(weights, fitted) };
  }

  /** Counts the questions of a record, if it has them. */
  add(record: OfficialRecord): void {
    const { solution_correct: right, old, review } = record;
    if (right === undefined) return;
    const preReviewLines = old.split("\n").map((line) => line.slice(1));
    for (const difficulty of DIFFICULTIES) {
      const wrong = record[`solution_wrong_${difficulty}`];
      if (wrong === undefined) continue;
      this.#forms[difficulty].add(this.#standings({ solutions: [right, ...wrong], preReviewLines, review }));
    }
  }

  /** Unevenness of the ranks of a form with one more question; the right solution first. */
  cost(difficulty: Difficulty, view: SolutionView): number {
    return this.#forms[difficulty].cost(this.#standings(view));
  }

  #standings(view: SolutionView): Standing[] {
    return standingsOf(this.#rules.map((rule) => rule.score(view)));
  }
}

function shareRemoved(solution: string): number {
  const removed = new Set(
    solution.split("\n").flatMap((line) => (/^\d+ - /.test(line) ? wordsOf(line.replace(/^\d+/, "")) : [])),
  );
  return shareOf(wordsOf(addedLines(solution)), (word) => removed.has(word));
}

function shareRepeated(solution: string): number {
  const words = wordsOf(addedLines(solution));
  const counts = countBy(words);
  return shareOf(words, (word) => (counts.get(word) ?? 0) > 1);
}

function oddInPrompt({ solutions, preReviewLines, review }: SolutionView): number[] {
  const known = new Set(wordsOf([...preReviewLines, review].join("\n")));
  const counts = solutions.map((solution) => wordsOf(addedLines(solution)).filter((word) => known.has(word)).length);
  return sumsOverOthers(counts, (a, b) => Math.abs(a - b));
}

/**
 * The distractors of both difficulties: easy ones from the half of the pool that is less like the right revision, hard ones from the
 * other. Candidates that stand in the prompt as the right text does and those that do not, and of these the ones that the question
 * shows elsewhere too and the others, are halved each by themselves: a rule that looks for such words is to find all kinds at either
 * difficulty. Of all sets of three in a half the one that leaves the ranks of the right option most even over the benchmark, of equally
 * good ones a drawn one.
 * @param pool ascending by likeness, at least six
 * @param key names the place among all of a build
 */
export function chooseOptions(
  pool: readonly Rated<PoolMember>[],
  key: string,
  { triple, diff, seed }: SolutionTask,
  balance: Pick<SolutionBalance, "cost">,
): Record<Difficulty, readonly Rated<PoolMember>[]> {
  const [easy, hard] = halvesOf(pool);
  const { preReviewLines, review } = triple;
  const best = (difficulty: Difficulty, members: readonly Rated<PoolMember>[]) =>
    bestSet(
      members,
      (wrong) => balance.cost(difficulty, { solutions: [diff.solution, ...wrong], preReviewLines, review }),
      (wrong) => hash32(`${key} ${wrong.join("\n")}`, seed),
    );
  return { easy: best("easy", easy), hard: best("hard", hard) };
}

/** Leftovers of a kind go to the half that has fewer: they differ by one at most. */
function halvesOf(pool: readonly Rated<PoolMember>[]): readonly [low: Rated<PoolMember>[], high: Rated<PoolMember>[]] {
  const [low, high]: [Rated<PoolMember>[], Rated<PoolMember>[]] = [[], []];
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

function bestSet(
  members: readonly Rated<PoolMember>[],
  costOf: (solutions: readonly string[]) => number,
  drawOf: (solutions: readonly string[]) => number,
): readonly Rated<PoolMember>[] {
  const sets = [...new Combination(members, DISTRACTORS)].map((set) => {
    const solutions = set.map(({ solution }) => solution);
    return { set, cost: costOf(solutions), draw: drawOf(solutions) };
  });
  const [first] = sets.sort((a, b) => a.cost - b.cost || a.draw - b.draw);
  if (first === undefined)
    throw new RangeError(`Expected at least ${DISTRACTORS} candidates, found ${members.length}.`);
  return first.set;
}
