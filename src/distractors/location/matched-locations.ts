import { type DrawInteger, shuffled } from "../../base/random.js";
import type { Difficulty, Location } from "../../dataset/example.js";
import { foldOf } from "../../question/floors/fitted-rule.js";
import { isBare } from "../../question/floors/location-rules.js";
import type { SelectableQuestion } from "../selection/selection.js";
import { meansTheSame, otherLines, wordsBeside } from "./candidate-lines.js";
import { ascending, compareLocations } from "./hard-locations.js";
import { easyTriples, hardTriples } from "./location-draws.js";
import {
  type HunkLooks,
  innerLikeness,
  type LocationHunk,
  locationFeatures,
  looksOf,
  mutualLikeness,
} from "./location-features.js";
import { breaks, type LocationTriple, scattered } from "./location-shape.js";

/** Hard triples of single lines: the most alike of the candidates, this share of them but not fewer than so many. */
const ALIKE_SHARE = 0.4;
const MIN_ALIKE = 24;

/** Sets that a question is chosen from, the best: not fewer than so many, and of equally good ones not more. */
const MIN_SETS = 32;
const MOST_SETS = 200;

/** Costs of a piece more than the truth has, in an option; of a piece of code that is cut; of unlike lines. */
const RUN_COST = 100;
const BREAK_COST = 15;
const UNLIKE_COST = 30;
/** Cost of options that all hold every line of the truth that says something: what is asked would be whole in each. */
const WHOLE_COST = 400;

/** A CL question whose wrong locations are to be chosen: of the parts it counts in, and by set. */
export interface LocationChoice extends SelectableQuestion {
  /** Wrong locations by set, ascending. */
  readonly triples: readonly LocationTriple[];
}

/**
 * Sets of three wrong locations of each difficulty, of lines that could be meant (spec §3): as alike, or as different, as
 * the paper's. `Selection` takes those that give nothing away to who does not read.
 * Lone brackets are meant where there are no three others.
 * @param cluster names the fold in which the question counts
 * @returns `null` when there are not three of either difficulty
 */
export function locationChoices(
  hunk: LocationHunk,
  cluster: string,
  draw: DrawInteger,
): Record<Difficulty, LocationChoice> | null {
  const task = { ...hunk, truth: ascending(hunk.truth) };
  const looks = looksOf(task);
  const others = otherLines(task);
  const choices = choicesAmong(others, task, looks, cluster, draw);
  if (choices !== null) return choices;
  const more = otherLines(task, true);
  return more.length === others.length ? null : choicesAmong(more, task, looks, cluster, draw);
}

function choicesAmong(
  others: Location,
  task: LocationHunk,
  looks: HunkLooks,
  cluster: string,
  draw: DrawInteger,
): Record<Difficulty, LocationChoice> | null {
  const lines = { truth: task.truth, others, words: wordsBeside(task), likeness: looks.likeness };
  const wrongOnly = (triple: LocationTriple) => triple.every((location) => !meansTheSame(location, task));
  const easy = easyTriples(lines, draw).filter(wrongOnly);
  const hard = mostAlike(task, hardTriples(lines, draw).filter(wrongOnly), looks);
  if (easy.length === 0 || hard.length === 0) return null;
  return {
    easy: choiceOf("easy", task, shuffled(easy, draw), looks, cluster),
    hard: choiceOf("hard", task, shuffled(hard, draw), looks, cluster),
  };
}

/** Names of the parts of a benchmark that a CL question counts in. */
export function locationParts(
  difficulty: Difficulty,
  { truth, changeType }: Pick<LocationHunk, "truth" | "changeType">,
  cluster: string,
): string[] {
  const size = truth.length === 1 ? "one line" : "more lines";
  return [difficulty, `${difficulty} ${size}`, `${difficulty} ${changeType}`, `${difficulty} fold ${foldOf(cluster)}`];
}

function choiceOf(
  difficulty: Difficulty,
  hunk: LocationHunk,
  triples: readonly LocationTriple[],
  looks: HunkLooks,
  cluster: string,
): LocationChoice {
  const telling = tellingLines(hunk);
  const costOf = (triple: LocationTriple) =>
    difficulty === "easy" ? qualityOf(hunk, triple, looks) : WHOLE_COST * Number(isWhole(triple, telling));
  const rated = different(triples)
    .map((triple) => ({ triple, cost: costOf(triple) }))
    .sort((a, b) => a.cost - b.cost);
  const worst = Math.max(0, rated[MIN_SETS - 1]?.cost ?? Number.POSITIVE_INFINITY);
  const kept = rated.filter(({ cost }) => cost <= worst).slice(0, MOST_SETS);
  return {
    parts: locationParts(difficulty, hunk, cluster),
    fold: foldOf(cluster),
    triples: kept.map(({ triple }) => triple),
    sets: kept.map(({ triple, cost }) => ({
      scores: () => locationFeatures(hunk, [hunk.truth, ...triple], looks),
      cost,
    })),
  };
}

/** Cost of lines that belong together less than the truth's do. */
function qualityOf(hunk: LocationHunk, triple: LocationTriple, { likeness }: HunkLooks): number {
  const { truth } = hunk;
  const own = innerLikeness(truth, likeness);
  const unlike = triple.reduce((sum, location) => sum + Math.max(0, own - innerLikeness(location, likeness)), 0);
  return RUN_COST * scattered(hunk, triple) + BREAK_COST * breaks(hunk, triple) + UNLIKE_COST * unlike;
}

/** Lines of the truth, blank lines and lone brackets aside where it has others. */
function tellingLines({ truth, lines, changeType }: LocationHunk): Location {
  const telling = truth.filter((line) => changeType === "add" || !isBare(lines[line - 1] ?? ""));
  return telling.length === 0 ? truth : telling;
}

/** Tells whether all that is asked is whole in every option. */
function isWhole(triple: LocationTriple, telling: Location): boolean {
  return triple.every((location) => telling.every((line) => location.includes(line)));
}

/** Each once; the locations of one in ascending order. */
function different(triples: readonly LocationTriple[]): LocationTriple[] {
  const sorted = triples.map((triple) => triple.toSorted(compareLocations));
  return [...new Map(sorted.map((triple) => [triple.join(" | "), triple])).values()];
}

function mostAlike({ truth }: LocationHunk, triples: readonly LocationTriple[], { likeness }: HunkLooks) {
  if (truth.length > 1) return triples;
  const rated = triples.map((triple) => ({ triple, likeness: mutualLikeness([truth, ...triple], likeness) }));
  const kept = Math.max(MIN_ALIKE, Math.ceil(ALIKE_SHARE * rated.length));
  return rated
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, kept)
    .map(({ triple }) => triple);
}
