import { sum } from "simple-statistics";
import { pluralityNull } from "./plurality-null.js";
import type { QuestionScore } from "./question-score.js";

/** Largest probability, under uniform guessing, of a plurality agreement that still passes. */
const GATE_ALPHA = 0.01;

/**
 * Whether a model binds symbols to options at all (multiple-choice symbol binding; paper §5.2): only then do its
 * answers say anything about its comprehension.
 */
export type Gate =
  | { readonly status: "passed" | "failed"; readonly measured: GateMeasure }
  /** No question was answered under all its orders. */
  | { readonly status: "unknown" };

/** What the gate judges by. */
export interface GateMeasure {
  /** Mean plurality agreement. */
  readonly agreement: number;
  /** What uniform guessing gives on average, and in 95 of 100 cases, over as many questions. */
  readonly nullMean: number;
  readonly nullLow: number;
  readonly nullHigh: number;
  /** Probability of an agreement this high under uniform guessing. */
  readonly pValue: number;
  /** Questions with all orders answered. */
  readonly n: number;
}

/**
 * The gate: plurality agreement must be higher than uniform guessing explains, p < 0.01 by its exact distribution.
 * Being above 1/N is not enough: guessing itself gives 0.358 with four options.
 */
export function symbolBindingGate(scores: readonly QuestionScore[], optionCount: number): Gate {
  const agreements = scores.flatMap(({ pluralityAgreement }) =>
    pluralityAgreement === null ? [] : [pluralityAgreement],
  );
  const permutations = scores[0]?.permutations;
  if (agreements.length === 0 || permutations === undefined) return { status: "unknown" };
  const n = agreements.length;
  const guessing = pluralityNull(optionCount, permutations, n);
  const pValue = guessing.pValue(Math.round(sum(agreements) * permutations));
  return {
    status: pValue < GATE_ALPHA ? "passed" : "failed",
    measured: {
      agreement: sum(agreements) / n,
      nullMean: guessing.mean,
      nullLow: guessing.low,
      nullHigh: guessing.high,
      pValue,
      n,
    },
  };
}
