import { sum } from "simple-statistics";
import { groupBy } from "../base/grouping.js";
import { signFlipUpperTest } from "../stats/p-values.js";

/** Largest probability of so high a score, had nobody understood more than the rule. */
export const RUNG_ALPHA = 0.01;

/** Values of one measure of a form, 0–1, one an item. */
export interface MeasuredItems {
  readonly values: readonly number[];
  /** The cluster of each: items that stand or fall together. */
  readonly clusters: readonly string[];
}

/** A rule to be above: the probability that it is right, one an item, in the same order. */
export interface Rival {
  readonly rule: string;
  readonly shares: readonly number[];
}

/** A rule, the share of items that it gets, and the test of whether a score is above it. */
interface RivalTest {
  readonly rule: string;
  readonly share: number;
  /** One-sided sign flip by cluster. */
  readonly pValue: number;
}

/** A score held against every rule of a kind: a rung of the ladder of verdicts (spec §7). */
export interface Rung {
  /** Mean of the values. */
  readonly score: number;
  /** The rule that gets most. */
  readonly best: { readonly rule: string; readonly share: number };
  /** The rule that is hardest to be above. */
  readonly hardest: RivalTest;
  /** The score is above every rule, each at p < 0.01: no correction for choosing one is then needed. */
  readonly isReached: boolean;
  /** A rule that no score could be told from on so few clusters; `null`: there is none. */
  readonly hopeless: string | null;
  readonly clusters: number;
}

/**
 * Tests a measure against every rule: had the reader no more comprehension than a rule, the difference of a cluster would
 * as likely have the other sign. Exact p-values of those rules alone that decide: Hoeffding's bound
 * P(T >= t) <= exp(−t²/(2 Σd²)) clears the others.
 * @param rivals at least one
 * @returns `null` without items or rules
 */
export function testRung({ values, clusters }: MeasuredItems, rivals: readonly Rival[]): Rung | null {
  const shares = rivals.map(({ rule, shares: own }) => ({ rule, share: sum([...own]) / Math.max(1, own.length) }));
  const [first] = shares;
  if (first === undefined || values.length === 0) return null;
  const places = placesOf(clusters);
  const tested = rivals.map(({ shares: own }, i) => {
    const differences = sumsOf(places, (item) => wholeOf(values[item] ?? 0) - wholeOf(own[item] ?? 0));
    return { ...(shares[i] ?? first), differences, z: standing(differences), open: openClusters(places, own) };
  });
  const [least, ...others] = tested.sort((a, b) => a.z - b.z);
  if (least === undefined) return null;
  let hardest = testOf(least);
  for (const each of others) {
    if (hardest.pValue >= RUNG_ALPHA || Math.exp((-each.z * each.z) / 2) <= hardest.pValue) break;
    const other = testOf(each);
    if (other.pValue > hardest.pValue) hardest = other;
  }
  return {
    score: sum([...values]) / values.length,
    best: shares.reduce((most, each) => (each.share > most.share ? each : most)),
    hardest,
    isReached: hardest.pValue < RUNG_ALPHA,
    hopeless: tested.find(({ open }) => 2 ** -open >= RUNG_ALPHA)?.rule ?? null,
    clusters: places.count,
  };
}

/** One-sided p-value of a second measure of the same items being higher, by cluster. */
export function testGain({ values, clusters }: MeasuredItems, others: readonly number[]): number {
  const places = placesOf(clusters);
  return signFlipUpperTest(sumsOf(places, (item) => wholeOf(values[item] ?? 0) - wholeOf(others[item] ?? 0)));
}

interface Places {
  readonly count: number;
  /** The place of each item's cluster. */
  readonly of: readonly number[];
}

function placesOf(clusters: readonly string[]): Places {
  const known = new Map<string, number>();
  const of = clusters.map((cluster) => {
    const place = known.get(cluster) ?? known.size;
    known.set(cluster, place);
    return place;
  });
  return { count: known.size, of };
}

function sumsOf({ count, of }: Places, value: (item: number) => number): number[] {
  const sums = new Array<number>(count).fill(0);
  for (const [item, place] of of.entries()) sums[place] = (sums[place] ?? 0) + value(item);
  return sums;
}

/** Clusters in which a reader who is always right would be above the rule. */
function openClusters(places: Places, shares: readonly number[]): number {
  return sumsOf(places, (item) => WHOLE - wholeOf(shares[item] ?? 0)).filter((room) => room > 0).length;
}

/** Times this, shares of two to six options and of all orders of up to five are whole. */
const WHOLE = 120;

function wholeOf(share: number): number {
  return Math.round(share * WHOLE);
}

/** t / √Σd²: how many standard deviations the sum is above what random signs give on average. */
function standing(differences: readonly number[]): number {
  const reach = Math.sqrt(differences.reduce((squares, each) => squares + each * each, 0));
  return reach === 0 ? 0 : sum([...differences]) / reach;
}

function testOf({ rule, share, differences }: { rule: string; share: number; differences: number[] }): RivalTest {
  return { rule, share, pValue: signFlipUpperTest(differences) };
}

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
  const always = { ...measured, values: values.map(() => 1) };
  const isOpen = ({ shares }: Rival) => isClaimed(logWealth(clusterDifferences(always, shares)));
  return {
    score: sum([...values]) / values.length,
    best: tested.reduce((most, each) => (each.share > most.share ? each : most), first),
    hardest,
    isReached: hardest.pValue <= ALPHA,
    hopeless: rivals.find((rival) => !isOpen(rival))?.rule ?? null,
    clusters: new Set(clusters).size,
  };
}

/** Anytime-valid {@link testGain}: of a control, whose form is asked until it is decided. */
export function sequentialGain(measured: MeasuredItems, others: readonly number[]): number {
  return anytimePValue(logWealth(clusterDifferences(measured, others)));
}

/** Rules that a measure is held against, and the one that gets most of all questions, asked or not. */
interface RacedRules {
  readonly rivals: readonly Rival[];
  readonly best: string;
}

/** Measures of a form, and the rules that they are held against. */
interface RacedForm {
  readonly mean: MeasuredItems;
  readonly invariant: MeasuredItems;
  /** The most that they can be, had all been right that failed; absent: nothing failed. */
  readonly most?: { readonly mean: MeasuredItems; readonly invariant: MeasuredItems };
  readonly noRead: RacedRules;
  readonly all: RacedRules;
}

/** State of a verdict that cannot be chance. */
export type DecidedState = "at_floor" | "matches_words" | "unsteady" | "above_floor";

/**
 * The verdict of a form, where its claims are all made: each rung is reached, or the measure is below the rule that gets
 * most, whatever the failed orders would have been. At most three claims can be false of one form, each with a probability of
 * 1/300. `null`: not decided yet.
 */
export function decidedState({
  mean,
  invariant,
  noRead,
  all,
  most = { mean, invariant },
}: RacedForm): DecidedState | null {
  if (isBelow(most.mean, noRead)) return "at_floor";
  if (sequentialRung(mean, noRead.rivals)?.isReached !== true) return null;
  if (isBelow(most.mean, all)) return "matches_words";
  if (sequentialRung(mean, all.rivals)?.isReached !== true) return null;
  if (isBelow(most.invariant, all)) return "unsteady";
  return sequentialRung(invariant, all.rivals)?.isReached === true ? "above_floor" : null;
}

/** Tells if a measure is shown to be below the best rule: which one that is was known before any answer. */
function isBelow(measured: MeasuredItems, { rivals, best: name }: RacedRules): boolean {
  const best = rivals.find(({ rule }) => rule === name);
  if (best === undefined) return false;
  return isClaimed(logWealth(clusterDifferences(measured, best.shares).map((difference) => -difference)));
}
