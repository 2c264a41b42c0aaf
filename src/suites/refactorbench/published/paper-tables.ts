import { groupBy } from "../../../base/grouping.js";
import { type Estimate, proportion } from "../../../stats/interval.js";
import { benjaminiHochberg, mcNemarExact } from "../../../stats/p-values.js";
import { falseConfidence, retryModel } from "../../../stats/repeated-trials.js";
import { FAILURE_BUCKETS, type FailureBucket } from "../failure-buckets.js";
import {
  ARMS,
  type Condition,
  countOf,
  dollars,
  isFalselyConfident,
  minutes,
  passes,
  reports,
} from "./published-conditions.js";
import type { PublishedRow } from "./published-row.js";

/** A row of a table that has one a condition. */
export interface ConditionKey {
  readonly model: string;
  readonly testRunner: string;
}

/** Table 3: what passed. */
export interface PassRow extends ConditionKey {
  readonly n: number;
  readonly passes: number;
  /** Share of all rows, 0–1, with Wilson's interval; `null`: no row. */
  readonly rate: Estimate | null;
  /** Blanks as 0. */
  readonly averageMinutesPublished: number | null;
  /** Mean of the rows that were timed. */
  readonly averageMinutes: number | null;
}

export function passTable(conditions: readonly Condition[]): PassRow[] {
  return conditions.map(({ rows, ...key }) => ({
    ...key,
    n: rows.length,
    passes: countOf(rows, passes),
    rate: proportion(countOf(rows, passes), rows.length),
    averageMinutesPublished: minutes(rows).n === 0 ? null : minutes(rows).published,
    averageMinutes: minutes(rows).measured,
  }));
}

/** Table 4: what the test runner changes, over the fixtures that both arms have. */
export interface EffectRow {
  readonly model: string;
  readonly both: number;
  readonly enabledOnly: number;
  readonly disabledOnly: number;
  readonly neither: number;
  /** Rate with it less rate without, −1 to 1; `null`: no pair. */
  readonly difference: number | null;
  /** McNemar's exact test, two-sided. */
  readonly p: number;
  /** Adjusted for the number of models (Benjamini-Hochberg); not in the paper. */
  readonly q: number;
}

export function effectTable(conditions: readonly Condition[]): EffectRow[] {
  const models = [...new Set(conditions.map(({ model }) => model))];
  const effects = models.flatMap((model) => {
    const enabled = rowsOf(conditions, model, ARMS.enabled);
    const disabled = rowsOf(conditions, model, ARMS.disabled);
    return enabled === null || disabled === null ? [] : [effectOf(model, enabled, disabled)];
  });
  const adjusted = benjaminiHochberg(effects.map(({ p }) => p));
  return effects.map((effect, i) => ({ ...effect, q: adjusted[i] ?? 1 }));
}

function rowsOf(conditions: readonly Condition[], model: string, arm: string): readonly PublishedRow[] | null {
  return conditions.find((condition) => condition.model === model && condition.testRunner === arm)?.rows ?? null;
}

function effectOf(
  model: string,
  enabled: readonly PublishedRow[],
  disabled: readonly PublishedRow[],
): Omit<EffectRow, "q"> {
  const without = new Map(disabled.map(({ fixture, passesTests }) => [fixture, passesTests]));
  const pairs = enabled.flatMap(({ fixture, passesTests }) => {
    const other = without.get(fixture);
    return other === undefined ? [] : [{ on: passesTests, off: other }];
  });
  const count = (on: boolean, off: boolean) => pairs.filter((pair) => pair.on === on && pair.off === off).length;
  const [enabledOnly, disabledOnly] = [count(true, false), count(false, true)];
  return {
    model,
    both: count(true, true),
    enabledOnly,
    disabledOnly,
    neither: count(false, false),
    difference: pairs.length === 0 ? null : (enabledOnly - disabledOnly) / pairs.length,
    p: mcNemarExact(enabledOnly, disabledOnly),
  };
}

/** Table 5: how far a reported success can be believed. */
export interface ConfidenceRow extends ConditionKey {
  readonly reported: number;
  readonly passes: number;
  readonly falseConfidence: number;
  /** Share of the reported successes that failed. */
  readonly rate: Estimate | null;
}

export function confidenceTable(conditions: readonly Condition[]): ConfidenceRow[] {
  return conditions.map(({ rows, ...key }) => {
    const counts = { reported: countOf(rows, reports), failed: countOf(rows, isFalselyConfident) };
    return {
      ...key,
      reported: counts.reported,
      passes: countOf(rows, passes),
      falseConfidence: counts.failed,
      rate: falseConfidence(counts),
    };
  });
}

/** Table 6: what it took. */
export interface CostRow extends ConditionKey {
  readonly averageMinutesPublished: number | null;
  /** Blanks as 0. */
  readonly averageUsdPublished: number | null;
  /** Mean of the rows that have a cost. */
  readonly averageUsd: number | null;
  readonly costsMeasured: number;
  readonly totalUsd: number | null;
  readonly nonSuccess: number;
}

export function costTable(conditions: readonly Condition[]): CostRow[] {
  return conditions.map(({ rows, ...key }) => {
    const cost = dollars(rows);
    return {
      ...key,
      averageMinutesPublished: minutes(rows).published,
      averageUsdPublished: cost.published,
      averageUsd: cost.measured,
      costsMeasured: cost.n,
      totalUsd: cost.published === null ? null : cost.published * rows.length,
      nonSuccess: countOf(rows, (row) => !reports(row)),
    };
  });
}

/** Table 7: what the failures are made of. */
export interface GapRow extends ConditionKey {
  readonly passes: number;
  /** Rows that did not pass. */
  readonly gap: number;
  readonly nonSuccessFailures: number;
  readonly reportedSuccessFailures: number;
}

export function gapTable(conditions: readonly Condition[]): GapRow[] {
  return conditions.map(({ rows, ...key }) => ({
    ...key,
    passes: countOf(rows, passes),
    gap: countOf(rows, (row) => !passes(row)),
    nonSuccessFailures: countOf(rows, (row) => !passes(row) && !reports(row)),
    reportedSuccessFailures: countOf(rows, isFalselyConfident),
  }));
}

/** Table 8: classes of failures. */
export interface BucketRow {
  readonly bucket: string;
  readonly count: number;
  /** Share of all failures, 0–1; `null`: there is none. */
  readonly share: number | null;
}

export function bucketTable(rows: readonly PublishedRow[]): BucketRow[] {
  const failed = rows.filter((row) => !passes(row));
  return FAILURE_BUCKETS.map((bucket) => {
    const count = countOf(failed, (row) => row.failureBucket === bucket);
    return { bucket, count, share: failed.length === 0 ? null : count / failed.length };
  });
}

/** Table 9: likewise by model. `other` takes in *Non-triviality failure*. */
export interface ModelBucketsRow {
  readonly model: string;
  readonly failures: number;
  readonly counts: Readonly<Record<ModelBucketName, number>>;
}

/** Columns of Table 9, and what each counts. */
const MODEL_BUCKETS = {
  non_success: ["Reported non-success"],
  syntax: ["Syntax or parse failure"],
  import: ["Module import/export failure"],
  dom: ["DOM/query/UI mismatch"],
  assertion: ["Assertion-level behavior mismatch"],
  runtime: ["Runtime reference/type error"],
  other: ["Non-triviality failure", "Other hidden-test failure"],
} as const satisfies Record<string, readonly FailureBucket[]>;

export type ModelBucketName = keyof typeof MODEL_BUCKETS;

export function modelBucketTable(rows: readonly PublishedRow[]): ModelBucketsRow[] {
  const byModel = groupBy(rows, ({ model }) => model);
  return [...byModel].map(([model, own]) => {
    const failed = own.filter((row) => !passes(row));
    const count = (buckets: readonly string[]) =>
      countOf(failed, ({ failureBucket }) => failureBucket !== null && buckets.includes(failureBucket));
    const counts = Object.fromEntries(Object.entries(MODEL_BUCKETS).map(([name, buckets]) => [name, count(buckets)]));
    return { model, failures: failed.length, counts: counts as ModelBucketsRow["counts"] };
  });
}

/** Table 13: what a success costs when up to three attempts are made, each as good as the one that was. */
export interface RetryRow extends ConditionKey {
  /** At least one of three attempts passes, 0–1. */
  readonly success: number | null;
  /** `null`: nothing passed. Blanks as 0, as in the paper. */
  readonly usdPerSuccessPublished: number | null;
  readonly minutesPerSuccessPublished: number | null;
}

/**
 * @param isRounded whether means are rounded first, dollars to three decimals, minutes to one: the printed table was made so
 */
export function retryTable(conditions: readonly Condition[], isRounded: boolean): RetryRow[] {
  return conditions.map(({ rows, ...key }) => {
    const model = rows.length === 0 ? null : retryModel(countOf(rows, passes) / rows.length);
    const perSuccess = (mean: number | null, digits: number) => {
      const times = model?.attemptsPerSuccess ?? null;
      if (mean === null || times === null) return null;
      return (isRounded ? rounded(mean, digits) : mean) * times;
    };
    return {
      ...key,
      success: model?.success ?? null,
      usdPerSuccessPublished: perSuccess(dollars(rows).published, 3),
      minutesPerSuccessPublished: perSuccess(minutes(rows).published, 1),
    };
  });
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
