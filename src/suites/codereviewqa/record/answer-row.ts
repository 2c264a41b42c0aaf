import { MAX_OPTIONS, symbolsFor } from "../../../base/symbol.js";
import type { Cell } from "../../../store/csv.js";
import type { Answer } from "../example/answer.js";

/** The run and model columns that open every row. */
export interface RowOwner {
  readonly runId: string;
  readonly model: string;
}

/** A row of `answers.csv`, in the order of its columns. */
export function answerRow(owner: RowOwner, answer: Answer): Cell[] {
  const { outcome } = answer;
  const chosen = outcome.status === "chosen" ? outcome : null;
  const logprobs = new Map(answer.logprobs.map(({ symbol, logprob }) => [symbol, logprob]));
  return [
    owner.runId,
    owner.model,
    answer.task,
    answer.difficulty,
    answer.exampleId,
    answer.language,
    answer.changeType,
    answer.permutationIndex,
    answer.permutation,
    answer.correctSymbol,
    chosen?.chosenSymbol ?? null,
    chosen?.chosenOption ?? null,
    chosen?.correct ?? null,
    ...symbolsFor(MAX_OPTIONS).map((symbol) => logprobs.get(symbol) ?? null),
    answer.symbolMass,
    chosen?.margin ?? null,
    outcome.status,
    outcome.status === "failed" ? outcome.failure : outcome.status === "undecided" ? outcome.reason : null,
    answer.extraction,
    answer.promptTokens,
    answer.cachedTokens,
    answer.durationMs,
    answer.promptSha256,
  ];
}
