import type { FormMetrics } from "../../data/probe-forms.js";
import { fraction } from "../../verdict.js";

/** A form's score in words. */
interface ScoreText {
  readonly value: string;
  /** Empty where there is none. */
  readonly interval: string;
  /** The score that means nothing; empty where there is none. */
  readonly floor: string;
  /** What is scored. */
  readonly kind: string;
}

export function scoreText(metrics: FormMetrics): ScoreText {
  const { score } = metrics;
  const { value = null, ciLow = null, ciHigh = null } = score ?? {};
  return {
    value: fraction(value),
    interval: ciLow === null || ciHigh === null ? "" : `${fraction(ciLow)}–${fraction(ciHigh)}`,
    floor: floorText(metrics),
    kind: score?.metric === "em" ? "exact match" : "right under all orders",
  };
}

/** The higher floor: the majority class where there is one, else all orders guessed; of ACR, the code repeated. */
export function floorValue(metrics: FormMetrics): number | null {
  const floors = ["floor_majority", "floor_invariant", "floor_copy_em"] as const;
  return floors.map((name) => metrics.overall(name)?.value ?? null).find((value) => value !== null) ?? null;
}

function floorText(metrics: FormMetrics): string {
  const majority = metrics.overall("floor_majority");
  if (majority !== undefined) return `floor ${fraction(majority.value)}, ${majority.note}`;
  const floor = floorValue(metrics);
  if (floor === null) return "";
  if (metrics.overall("floor_copy_em") !== undefined) return `floor ${fraction(floor)}, the code repeated unchanged`;
  return `floor ${shortRate(floor)}, all orders guessed`;
}

/** A rate in three digits; the power of ten of what would be 0.000. */
export function shortRate(value: number | null): string {
  return value !== null && value > 0 && value < 0.001 ? value.toExponential(0) : fraction(value);
}
