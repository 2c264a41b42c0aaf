import { SYMBOLS } from "../../../../base/symbol.js";
import { ownText } from "../../../../base/text.js";
import { optionCountOfOrder } from "../../../../question/permutations.js";
import type { Answer } from "../../answer/answer.js";
import type { QuestionScore } from "../../metric/question-score.js";

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
  const margins = answers.some(hasMargin) ? new Float32Array(permutations).fill(Number.NaN) : noMargins(permutations);
  const hasLogprobs = answers.some(({ logprobs: scores }) => scores.length > 0);
  const logprobs = new Float32Array(hasLogprobs ? permutations * optionCount : 0).fill(Number.NaN);
  const failures: [number, string][] = [];
  for (const { permutationIndex: place, outcome, logprobs: scores } of answers) {
    outcomes[place] = outcomeCode(outcome);
    if (outcome.status === "chosen" && outcome.margin !== null) margins[place] = outcome.margin;
    if (outcome.status === "failed") failures.push([place, ownText(outcome.failure)]);
    setLogprobs(logprobs.subarray(place * optionCount, (place + 1) * optionCount), scores);
  }
  const isAnyKnown = logprobs.some((value) => !Number.isNaN(value));
  return { score, optionCount, outcomes, margins, failures, logprobs: isAnyKnown ? logprobs : null };
}

/** @param own the places of an order's symbols */
function setLogprobs(own: Float32Array, scores: Answer["logprobs"]): void {
  for (const { symbol, logprob } of scores) {
    if (logprob !== null) own[SYMBOLS.indexOf(symbol)] = logprob;
  }
}

function hasMargin({ outcome }: Answer): boolean {
  return outcome.status === "chosen" && outcome.margin !== null;
}

const knownNoMargins = new Map<number, Float32Array>();

/** The same for all questions without a margin: nobody writes into it. */
function noMargins(permutations: number): Float32Array {
  const known = knownNoMargins.get(permutations) ?? new Float32Array(permutations).fill(Number.NaN);
  knownNoMargins.set(permutations, known);
  return known;
}

function outcomeCode(outcome: Answer["outcome"]): number {
  if (outcome.status === "chosen") return SYMBOLS.indexOf(outcome.chosenSymbol);
  if (outcome.status === "failed") return OUTCOME.failed;
  return outcome.reason === "tie" ? OUTCOME.tie : OUTCOME.unknownSymbol;
}
