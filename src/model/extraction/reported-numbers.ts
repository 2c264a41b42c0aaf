import type { Logprob } from "../../base/symbol.js";
import type { ReportedPosition } from "./reported-tokens.js";

/** Nats by which rounding puts the log probability of a certain token above 0 (llama.cpp: 1e-7). */
const ROUNDING = 1e-6;
/** By how much a distribution's reported probabilities pass 1 together (llama.cpp: 1.0000087, half precision: more). */
const SUM_ROUNDING = 1e-3;

/** Whether a reported number is the logarithm of a probability. */
export function isLogprob(value: number): boolean {
  return Number.isFinite(value) && value <= ROUNDING;
}

/** Whether a number is the logarithm of a sum of one distribution's probabilities. */
export function isLogSum(value: number): boolean {
  return Number.isFinite(value) && value <= SUM_ROUNDING;
}

/** The log probability that a number was found to be: what rounding put above 0 is 0. */
export function asLogprob(value: number): Logprob {
  return Math.min(0, value) as Logprob;
}

/**
 * What keeps the numbers of a position from being log probabilities of one distribution, in words that follow "it";
 * `null`: nothing. The rule of the check before a run, and of every reply in it.
 */
export function faultOfNumbers({ sampled, top }: ReportedPosition): string | null {
  const all = sampled === null ? top : [...top, sampled];
  const wrong = all.find(({ logprob }) => !isLogprob(logprob));
  if (wrong !== undefined) return `reported a log probability above 0 (${wrong.logprob})`;
  const mass = top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
  return mass > 1 + SUM_ROUNDING ? `reported probabilities that sum to ${mass.toFixed(3)}, more than 1` : null;
}
