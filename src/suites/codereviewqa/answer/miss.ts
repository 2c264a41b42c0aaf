import type { Answer } from "./answer.js";

/** Whether the question can no longer be invariant-correct: a wrong, undecided or failed order. */
export function isMiss({ outcome }: Pick<Answer, "outcome">): boolean {
  return outcome.status !== "chosen" || !outcome.correct;
}
