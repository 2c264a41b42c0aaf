import type { DrawInteger } from "../../../base/random.js";
import { DIFFICULTIES, type Difficulty, type Distractors, type Location } from "../example/example.js";
import type { LocationBalance } from "./location-balance.js";
import { easyTriples, hardTriples, type LocationTriple, runsAstray } from "./location-candidates.js";
import type { LocationDistractors } from "./location-distractors.js";
import { type HunkLooks, type Likeness, locationFeatures, looksOf, mutualLikeness } from "./location-features.js";
import { type LocationHunk, meansTheSame, otherLines } from "./location-lines.js";
import { ascending, compareLocations } from "./location-order.js";

/** Hard triples of single lines: the most alike of the candidates, this share of them but not fewer than so many. */
const ALIKE_SHARE = 0.4;
const MIN_ALIKE = 12;

/** What an option with other runs than the truth costs, in the balance's unit, for each run more or fewer. */
const RUN_COST = 0.1;

/**
 * Three wrong locations of each difficulty that give nothing away to who does not read (spec §3). As alike, or as
 * different, as the paper's, of lines that could be meant; of the candidates the one that keeps the truth's rank under
 * every no-read rule most uniform over the benchmark so far. It is entered into `balance`.
 * @returns `too_few_lines` when there are not three of either difficulty; `balance` is as before
 */
export function matchedLocations(hunk: LocationHunk, balance: LocationBalance, draw: DrawInteger): LocationDistractors {
  const task = { ...hunk, truth: ascending(hunk.truth) };
  const others = otherLines(task);
  const looks = looksOf(task);
  const wrongOnly = (triple: LocationTriple) => triple.every((location) => !meansTheSame(location, task));
  const candidates = {
    easy: easyCandidates(task, others, draw).filter(wrongOnly),
    hard: hardCandidates(task, others, looks.likeness, draw).filter(wrongOnly),
  };
  if (candidates.easy.length === 0 || candidates.hard.length === 0) return { status: "too_few_lines" };
  const chosen = (difficulty: Difficulty) => {
    const triple = fairest(candidates[difficulty], difficulty, task, looks, balance);
    return triple.toSorted(compareLocations);
  };
  const built = { easy: chosen("easy"), hard: chosen("hard") };
  enterLocations(task, built, balance);
  return { status: "built", ...built };
}

/** Counts a question that was built before, as on resuming. */
export function enterLocations(hunk: LocationHunk, wrong: Distractors<Location>, balance: LocationBalance): void {
  const looks = looksOf(hunk);
  for (const difficulty of DIFFICULTIES) {
    balance.add(difficulty, hunk, locationFeatures(hunk, [hunk.truth, ...wrong[difficulty]], looks));
  }
}

function easyCandidates({ truth }: LocationHunk, others: Location, draw: DrawInteger): LocationTriple[] {
  return others.length === 0 ? [] : easyTriples(truth, others, draw);
}

function hardCandidates(
  { truth }: LocationHunk,
  others: Location,
  likeness: Likeness,
  draw: DrawInteger,
): LocationTriple[] {
  const triples = hardTriples(truth, others, draw);
  if (truth.length > 1) return triples;
  const rated = triples.map((triple) => ({ triple, likeness: mutualLikeness([truth, ...triple], likeness) }));
  const kept = Math.max(MIN_ALIKE, Math.ceil(ALIKE_SHARE * rated.length));
  return rated
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, kept)
    .map(({ triple }) => triple);
}

function fairest(
  triples: readonly LocationTriple[],
  difficulty: Difficulty,
  hunk: LocationHunk,
  looks: HunkLooks,
  balance: LocationBalance,
): LocationTriple {
  const costs = triples.map((triple) => {
    const scores = locationFeatures(hunk, [hunk.truth, ...triple], looks);
    return balance.cost(difficulty, hunk, scores) + RUN_COST * runsAstray(hunk.truth, triple);
  });
  return triples[costs.indexOf(Math.min(...costs))] ?? [];
}
