import type { AttemptLimits, AttemptMeter } from "../agent/agent.js";

/** Of all parts; `null` as soon as one is unknown. */
function total(parts: readonly AttemptMeter[], of: keyof AttemptMeter): number | null {
  return parts.reduce<number | null>((sum, { [of]: part }) => (sum === null || part === null ? null : sum + part), 0);
}

/** What all parts took together. */
export function meterOf(parts: readonly AttemptMeter[]): AttemptMeter {
  return {
    calls: total(parts, "calls"),
    promptTokens: total(parts, "promptTokens"),
    completionTokens: total(parts, "completionTokens"),
    costUsd: total(parts, "costUsd"),
  };
}

/** What is left of a trial's budget. */
export function limitsLeft(limits: AttemptLimits, parts: readonly AttemptMeter[]): AttemptLimits {
  const spent = total(parts, "costUsd");
  return limits.budgetUsd === null || spent === null ? limits : { ...limits, budgetUsd: limits.budgetUsd - spent };
}

/** Whether nothing is left of it. */
export function isSpent({ budgetUsd }: AttemptLimits, parts: readonly AttemptMeter[]): boolean {
  const spent = total(parts, "costUsd");
  return budgetUsd !== null && spent !== null && spent >= budgetUsd;
}
