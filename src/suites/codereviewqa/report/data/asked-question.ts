import { SYMBOLS } from "../../../../base/symbol.js";
import type { Answer } from "../../example/answer.js";
import type { QuestionScore } from "../../metric/question-score.js";
import { optionCountOfOrder } from "../../question/permutations.js";

/** What came of one order, as one byte: 0–25 the symbol that was chosen (A–Z), else one of these. */
export const OUTCOME = { tie: 252, unknownSymbol: 253, failed: 254, notAsked: 255 } as const;

/** A question of a run, with what came of each order. */
export interface AskedQuestion {
  readonly score: QuestionScore;
  readonly optionCount: number;
  /** By permutation index: see `OUTCOME`. */
  readonly outcomes: Uint8Array;
  /** By permutation index, then symbol; NaN where unknown. `null` when no answer has any. */
  readonly logprobs: Float32Array | null;
  /** By permutation index: best minus second best, nats; NaN where there is none. */
  readonly margins: Float32Array;
  /** Permutation index and kind of each failed answer. */
  readonly failures: readonly (readonly [number, string])[];
}

/** The answers to one question in columns: a few hundred bytes. */
export function askedQuestion(score: QuestionScore, answers: readonly Answer[]): AskedQuestion {
  const optionCount = optionCountOfOrder(answers[0]?.permutation ?? "");
  const { permutations } = score;
  const outcomes = new Uint8Array(permutations).fill(OUTCOME.notAsked);
  const margins = new Float32Array(permutations).fill(Number.NaN);
  const logprobs = new Float32Array(permutations * optionCount).fill(Number.NaN);
  const failures: [number, string][] = [];
  for (const { permutationIndex: place, outcome, logprobs: scores } of answers) {
    outcomes[place] = outcomeCode(outcome);
    if (outcome.status === "chosen" && outcome.margin !== null) margins[place] = outcome.margin;
    if (outcome.status === "failed") failures.push([place, outcome.failure]);
    for (const { symbol, logprob } of scores) {
      const position = SYMBOLS.indexOf(symbol);
      if (logprob !== null && position < optionCount) logprobs[place * optionCount + position] = logprob;
    }
  }
  const hasLogprobs = logprobs.some((value) => !Number.isNaN(value));
  return { score, optionCount, outcomes, margins, failures, logprobs: hasLogprobs ? logprobs : null };
}

function outcomeCode(outcome: Answer["outcome"]): number {
  if (outcome.status === "chosen") return SYMBOLS.indexOf(outcome.chosenSymbol);
  if (outcome.status === "failed") return OUTCOME.failed;
  return outcome.reason === "tie" ? OUTCOME.tie : OUTCOME.unknownSymbol;
}
