import { product, sum } from "simple-statistics";
import { type Estimate, proportion } from "./interval.js";

/**
 * Pass@k: probability that at least one of k trials passes, k drawn without replacement from the n that were made:
 * 1 − C(n − c, k) / C(n, k), 0–1 (Chen et al. 2021, "Evaluating large language models trained on code", Eq. 1), by their
 * product, which cannot overflow. `null` for n < k: fewer trials than are to be drawn.
 * @param passed c, of `trials` n
 * @param k at least 1
 */
export function passAtK(passed: number, trials: number, k: number): number | null {
  if (trials < k) return null;
  const failed = trials - passed;
  return 1 - product(Array.from({ length: passed }, (_, i) => 1 - k / (failed + 1 + i)));
}

/**
 * Pass^k: probability that all of k trials pass, drawn likewise: C(c, k) / C(n, k), 0–1 (Yao et al. 2024, "τ-bench"). `null` for n < k.
 * @param passed c, of `trials` n
 * @param k at least 1
 */
export function passHatK(passed: number, trials: number, k: number): number | null {
  if (trials < k) return null;
  if (passed < k) return 0;
  return product(Array.from({ length: k }, (_, i) => (passed - i) / (trials - i)));
}

/** Result of trying again up to a number of attempts, if attempts are independent and equally good. */
export interface RetryModel {
  /** P: probability of a success within the attempts, 0–1. */
  readonly success: number;
  /** E: attempts made on average, stopping at the first success. */
  readonly attempts: number;
  /** E / P = 1 / p, whatever the limit: times the cost of an attempt the cost of a success. `null` at p = 0. */
  readonly attemptsPerSuccess: number | null;
}

/**
 * The retry model of RefactorBench-JS (Table 13; the geometric law cut off at the limit): with three attempts
 * P = 1 − (1 − p)³ and E = p + 2 (1 − p) p + 3 (1 − p)², in general E = Σ (1 − p)^i over i below the limit.
 * @param p success rate of one attempt, 0–1
 */
export function retryModel(p: number, attempts = 3): RetryModel {
  return {
    success: 1 - (1 - p) ** attempts,
    attempts: sum(Array.from({ length: attempts }, (_, i) => (1 - p) ** i)),
    attemptsPerSuccess: p === 0 ? null : 1 / p,
  };
}

/**
 * False confidence (RefactorBench-JS, Table 5): share of the reported successes that failed, 0–1, with Wilson's 95 %
 * interval. `null` when no success was reported.
 * @param failed of them, how many failed
 */
export function falseConfidence({
  reported,
  failed,
}: {
  readonly reported: number;
  readonly failed: number;
}): Estimate | null {
  return proportion(failed, reported);
}
