import { groupBy } from "../base/grouping.js";
import { mcNemarExact } from "../stats/p-values.js";
import { signFlipTest } from "../stats/sign-flip.js";
import type { Judgement } from "./judgement.js";
import { anytimeDifference } from "./sequential-rung.js";
import type { Verdict } from "./verdict.js";

/** Items of two runs: passed by the first, by the second, by both or by neither. */
interface PairedItem {
  readonly cluster: string;
  /** 1: passed by the second alone; −1: by the first alone. */
  readonly difference: number;
}

/** Test of two runs being equally good. */
export interface PairedTest {
  readonly test: "mcnemar_exact" | "sign_flip_by_example" | "anytime_bets";
  /** Two-sided. */
  readonly pValue: number;
}

/**
 * McNemar's exact test where each cluster has one item; else the sign flip by cluster, as its items go together. Bets in
 * place of both where the number of items depends on what was answered.
 */
export function pairedTest(items: readonly PairedItem[], isSequential = false): PairedTest {
  const clusters = [...groupBy(items, ({ cluster }) => cluster).values()];
  const sums = clusters.map((own) => own.reduce((sum, { difference }) => sum + difference, 0));
  if (isSequential) {
    const means = sums.map((sum, i) => sum / (clusters[i]?.length ?? 1));
    return { test: "anytime_bets", pValue: anytimeDifference(means) };
  }
  if (clusters.length < items.length) return { test: "sign_flip_by_example", pValue: signFlipTest(sums) };
  const count = (side: number) => items.filter(({ difference }) => difference === side).length;
  return { test: "mcnemar_exact", pValue: mcNemarExact(count(-1), count(1)) };
}

/** A score that may be best of several. */
export interface Contender<Row> {
  readonly row: Row;
  readonly value: number | null;
  readonly judgement: Judgement | null | undefined;
  /** Items that the score is of. */
  readonly verdicts: readonly Verdict[];
}

/** The highest score above its floor, and the next. */
export interface Lead<Row> {
  readonly first: Row;
  readonly second: Row;
  /** p-value of the two being equally good; `null`: they were not asked the same. */
  readonly pValue: number | null;
  /** `true`: the first is best, as `probe compare` of the two would say. */
  readonly isBest: boolean;
}

/** A lead that chance gives in more than one of twenty is none. */
const ALPHA = 0.05;

/** @returns `null` for fewer than two scores, and where none is above its floor */
export function leadOf<Row>(contenders: readonly Contender<Row>[]): Lead<Row> | null {
  const scored = contenders.filter(({ value }) => value !== null).sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const first = scored.find(({ judgement }) => judgement?.state === "above_floor");
  const second = scored.find((each) => each !== first);
  if (first === undefined || second === undefined) return null;
  const pairs = pairsOf(first.verdicts, second.verdicts);
  const pValue = pairs && pairedTest(pairs).pValue;
  const isAhead = (first.value ?? 0) > (second.value ?? 0);
  return { first: first.row, second: second.row, pValue, isBest: isAhead && pValue !== null && pValue < ALPHA };
}

/** @returns `null` where the two were not asked the very same items */
function pairsOf(first: readonly Verdict[], second: readonly Verdict[]): PairedItem[] | null {
  const others = new Map(second.map((verdict) => [verdict.item, verdict]));
  const pairs = first.flatMap(({ item, cluster, passed, asked }) => {
    const other = others.get(item);
    if (other === undefined || (asked !== null && other.asked !== null && asked !== other.asked)) return [];
    return [{ cluster, difference: Number(other.passed === true) - Number(passed === true) }];
  });
  return pairs.length === 0 || pairs.length < first.length || pairs.length < second.length ? null : pairs;
}
