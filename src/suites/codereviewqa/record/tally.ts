import { ownText } from "../../../base/text.js";
import { costOf, knownCost, type Price } from "../../../model/prices.js";
import type { Answer } from "../answer/answer.js";
import { type Generation, generationStatus } from "../answer/generation.js";
import type { RunFile } from "./run-file.js";

/** Sums over what the engine tells; `null` where it tells nothing. */
type TokenSums = Record<"prompt" | "cached" | "completion", number | null>;

/** Counts answers and generations by status, and their tokens. */
export class Tally {
  readonly #answers = { chosen: 0, undecided: 0, failed: 0 };
  readonly #answerFailures = new Map<string, number>();
  readonly #generations = { complete: 0, truncated: 0, empty: 0, failed: 0 };
  readonly #generationFailures = new Map<string, number>();
  readonly #tokens: TokenSums = { prompt: null, cached: null, completion: null };
  #longestUnfit: number | null = null;
  /** Replies of which the engine did not tell all tokens. */
  #unmeasured = 0;
  /** Answers of one token. */
  #symbols = 0;

  addAnswer(answer: Answer): void {
    const { outcome, promptTokens, cachedTokens, completionTokens, costBound } = answer;
    const { paidPromptTokens = promptTokens, paidCompletionTokens = completionTokens } = answer;
    this.#answers[outcome.status]++;
    const isUntold = outcome.status === "failed" ? isPaidFailure(outcome, promptTokens) : paidPromptTokens === null;
    if (paidCompletionTokens === null || isUntold || costBound !== undefined) this.#unmeasured++;
    if (paidCompletionTokens !== undefined) this.#addTokens("completion", paidCompletionTokens);
    else if (outcome.status !== "failed") this.#symbols++;
    if (outcome.status === "failed") this.#addFailure(this.#answerFailures, outcome.failure, promptTokens);
    this.#addTokens("prompt", paidPromptTokens);
    this.#addTokens("cached", cachedTokens);
  }

  addGeneration({ outcome, promptTokens, costBound }: Generation): void {
    this.#generations[generationStatus(outcome)]++;
    this.#addTokens("prompt", promptTokens);
    const isUntold =
      outcome.status === "failed"
        ? isPaidFailure(outcome, promptTokens)
        : outcome.tokens === null || promptTokens === null;
    if (isUntold || costBound !== undefined) this.#unmeasured++;
    if (outcome.status === "failed") this.#addFailure(this.#generationFailures, outcome.failure, promptTokens);
    else this.#addTokens("completion", outcome.tokens);
  }

  #addFailure(counts: Map<string, number>, failure: string, promptTokens: number | null): void {
    countOne(counts, failure);
    if (failure === "context_overflow" && promptTokens !== null)
      this.#longestUnfit = Math.max(this.#longestUnfit ?? 0, promptTokens);
  }

  /** Tokens of the longest prompt that did not fit the model's context; `null` where all did, or it is not known. */
  get longestUnfit(): number | null {
    return this.#longestUnfit;
  }

  #addTokens(kind: keyof TokenSums, tokens: number | null): void {
    if (tokens !== null) this.#tokens[kind] = (this.#tokens[kind] ?? 0) + tokens;
  }

  /** Totals, as `run.json` keeps them. */
  totals(): Pick<RunFile, "counts" | "generation_counts"> & { readonly tokens: TokenSums } {
    return {
      counts: { ...this.#answers, failures: inOrder(this.#answerFailures) },
      generation_counts: { ...this.#generations, failures: inOrder(this.#generationFailures) },
      tokens: { ...this.#tokens },
    };
  }

  /** Cost of all; one token is paid for each answer besides its prompt. `null`: not known. */
  cost(price: RunFile["price"]): number | null {
    const { prompt, completion } = this.#tokens;
    if (price === null || prompt === null || this.#unmeasured > 0) return null;
    return costOf(priceOf(price), prompt, this.#symbols + (completion ?? 0));
  }
}

/** Cost of one answer, which is one token where nothing else is told; `null`: not known. */
export function answerCost(answer: Answer, price: RunFile["price"]): number | null {
  const { outcome, promptTokens, completionTokens = outcome.status === "failed" ? 0 : 1, costBound } = answer;
  const { paidPromptTokens = promptTokens, paidCompletionTokens = completionTokens } = answer;
  if (price === null || costBound !== undefined) return null;
  return knownCost(priceOf(price), paidPromptTokens, paidCompletionTokens);
}

/** Cost of one generation; `null`: not known. */
export function generationCost(
  { outcome, promptTokens, costBound }: Generation,
  price: RunFile["price"],
): number | null {
  if (price === null || costBound !== undefined) return null;
  const written = outcome.status === "failed" ? 0 : outcome.tokens;
  return knownCost(priceOf(price), promptTokens, written);
}

/** Failures behind a reply, which costs what no record tells. */
const ANSWERED: readonly string[] = ["bad_response", "refused", "thought_too_long"];

function isPaidFailure(failed: { readonly failure: string }, promptTokens: number | null): boolean {
  return promptTokens === null && isAnswered(failed);
}

function isAnswered({ failure }: { readonly failure: string }): boolean {
  return ANSWERED.includes(failure);
}

/** Tests for a failure without a reply: nothing is paid for, as far as no try of it may have been answered. */
export function isUnanswered({ outcome }: Pick<Answer, "outcome"> | Pick<Generation, "outcome">): boolean {
  return outcome.status === "failed" && !isAnswered(outcome);
}

function priceOf({ currency, input, output, as_of: asOf }: NonNullable<RunFile["price"]>): Price {
  return { currency, inputPerMillion: input, outputPerMillion: output, asOf };
}

function countOne(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  counts.set(known === undefined ? ownText(name) : name, (known ?? 0) + 1);
}

function inOrder(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
