import { sum } from "simple-statistics";
import { signFlipUpperTest } from "../stats/sign-flip.js";

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
export interface RivalTest {
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
