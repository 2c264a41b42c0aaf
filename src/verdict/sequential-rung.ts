import { sum } from "simple-statistics";
import { groupBy } from "../base/grouping.js";
import type { MeasuredItems, Rival, Rung } from "./rung.js";

/** Claims that a verdict makes of one form, of which none may be false more than once in a hundred together. */
const CLAIMS = 3;
/** Largest probability that any claim of a form is false, however often it was looked at. */
const ALPHA = 0.01;
/** Stakes of the bets whose mean is the wealth: of each, that part is lost where the rule is right and the reader wrong. */
const STAKES = Array.from({ length: 10 }, (_, i) => (i + 0.5) / 10);

/**
 * Wealth, as a natural log, of a bettor who bets that a difference is above 0 on average: the mean over ten stakes λ of
 * Π(1 + λd), d from −1 to 1, one an independent cluster. Where the mean is not above 0 it is a supermartingale, so that
 * P(it ever reaches x) <= 1/x (Ville 1939), whenever and however often one looks: an e-process (Waudby-Smith & Ramdas,
 * arXiv 2010.09686, with a mixture of fixed bets). It does not depend on the order of the differences. 0 without any.
 */
export function logWealth(differences: readonly number[]): number {
  const logs = STAKES.map((stake) => logProduct(differences, stake));
  const most = Math.max(...logs);
  return most + Math.log(sum(logs.map((log) => Math.exp(log - most))) / STAKES.length);
}

/** Factors whose product a double holds: each is from 0.05 to 1.95. */
const FACTORS = 64;

/** Σ ln(1 + stake · d): a logarithm for every few factors. */
function logProduct(differences: readonly number[], stake: number): number {
  let [log, product] = [0, 1];
  for (const [i, difference] of differences.entries()) {
    product *= 1 + stake * difference;
    if (i % FACTORS !== FACTORS - 1) continue;
    log += Math.log(product);
    product = 1;
  }
  return log + Math.log(product);
}

/** Anytime-valid p-value of one of the claims of a form: 3 / wealth, at most 1. */
export function anytimePValue(log: number): number {
  return Math.min(1, CLAIMS * Math.exp(-log));
}

/**
 * Anytime-valid p-value, two-sided, of differences that are 0 on average: half of the stake is bet on either side. 1 without
 * any.
 * @param differences one an independent cluster, −1 to 1
 */
export function anytimeDifference(differences: readonly number[]): number {
  const [above, below] = [logWealth(differences), logWealth(differences.map((difference) => -difference))];
  const most = Math.max(above, below);
  return Math.min(1, (2 * Math.exp(-most)) / (Math.exp(above - most) + Math.exp(below - most)));
}

/** Tells if a wealth is enough for a claim. */
export function isClaimed(log: number): boolean {
  return anytimePValue(log) <= ALPHA;
}

/** Differences by cluster, −1 to 1: of a measure and the shares of a rule, or another measure, the mean over the items of each cluster. */
export function clusterDifferences({ values, clusters }: MeasuredItems, shares: readonly number[]): number[] {
  const items = values.map((value, i) => ({ cluster: clusters[i] ?? "", difference: value - (shares[i] ?? 0) }));
  return [...groupBy(items, ({ cluster }) => cluster).values()].map(
    (own) => sum(own.map(({ difference }) => difference)) / own.length,
  );
}

/**
 * A measure held against every rule while questions are still asked: {@link testRung} with anytime-valid p-values in place
 * of those of a fixed number of questions.
 * @param rivals at least one
 * @returns `null` without items or rules
 */
export function sequentialRung(measured: MeasuredItems, rivals: readonly Rival[]): Rung | null {
  const { values, clusters } = measured;
  const tested = rivals.map((rival) => ({
    rule: rival.rule,
    share: sum([...rival.shares]) / Math.max(1, rival.shares.length),
    pValue: anytimePValue(logWealth(clusterDifferences(measured, rival.shares))),
  }));
  const [first] = tested;
  if (first === undefined || values.length === 0) return null;
  const hardest = tested.reduce((most, each) => (each.pValue > most.pValue ? each : most), first);
  return {
    score: sum([...values]) / values.length,
    best: tested.reduce((most, each) => (each.share > most.share ? each : most), first),
    hardest,
    isReached: hardest.pValue <= ALPHA,
    hopeless: null,
    clusters: new Set(clusters).size,
  };
}

/** Anytime-valid {@link testGain}: of a control, whose form is asked until it is decided. */
export function sequentialGain(measured: MeasuredItems, others: readonly number[]): number {
  return anytimePValue(logWealth(clusterDifferences(measured, others)));
}

/** Rules that a measure is held against, and the one that gets most of all questions, asked or not. */
export interface RacedRules {
  readonly rivals: readonly Rival[];
  readonly best: string;
}

/** Measures of a form, and the rules that they are held against. */
interface RacedForm {
  readonly mean: MeasuredItems;
  readonly invariant: MeasuredItems;
  readonly noRead: RacedRules;
  readonly all: RacedRules;
}

/** State of a verdict that cannot be chance. */
export type DecidedState = "at_floor" | "matches_words" | "unsteady" | "above_floor";

/**
 * The verdict of a form, where its claims are all made: each rung is reached, or the measure is below the rule that gets
 * most. At most three claims can be false of one form, each with a probability of 1/300. `null`: not decided yet.
 */
export function decidedState({ mean, invariant, noRead, all }: RacedForm): DecidedState | null {
  if (isBelow(mean, noRead)) return "at_floor";
  if (sequentialRung(mean, noRead.rivals)?.isReached !== true) return null;
  if (isBelow(mean, all)) return "matches_words";
  if (sequentialRung(mean, all.rivals)?.isReached !== true) return null;
  if (isBelow(invariant, all)) return "unsteady";
  return sequentialRung(invariant, all.rivals)?.isReached === true ? "above_floor" : null;
}

/** Tells if a measure is shown to be below the best rule: which one that is was known before any answer. */
function isBelow(measured: MeasuredItems, { rivals, best: name }: RacedRules): boolean {
  const best = rivals.find(({ rule }) => rule === name);
  if (best === undefined) return false;
  return isClaimed(logWealth(clusterDifferences(measured, best.shares).map((difference) => -difference)));
}
