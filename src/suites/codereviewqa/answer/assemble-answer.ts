import type { ChoiceSymbol, Logprob, OptionIndex } from "../../../base/symbol.js";
import type { SymbolReply, SymbolScore } from "../../../model/requests.js";
import type { Order } from "../../../question/permutations.js";
import type { Answer, AnswerOutcome, AnswerPlace } from "./answer.js";

/** Symbols and the options they stand for in one order. */
export interface ShownOptions {
  readonly symbols: readonly ChoiceSymbol[];
  readonly order: Order;
}

/**
 * The answer a reply amounts to (spec §4.1): the symbol with the highest log probability. Undecided when two are equal
 * at the top, or when a symbol that was not reported could be above the best one reported.
 */
export function chooseAnswer(reply: SymbolReply, shown: ShownOptions): AnswerOutcome {
  switch (reply.status) {
    case "failed":
      return { status: "failed", failure: reply.failure, detail: reply.detail };
    case "named":
      return chosen(reply.symbol, shown, null);
    case "scored":
      return chooseByScore(reply.scores, shown);
  }
}

/** See {@link chooseAnswer}. */
export function chooseByScore(scores: ReadonlyMap<ChoiceSymbol, SymbolScore>, shown: ShownOptions): AnswerOutcome {
  const known = shown.symbols
    .flatMap((symbol) => {
      const score = scores.get(symbol);
      return score?.status === "known" ? [{ symbol, logprob: score.logprob }] : [];
    })
    .sort((a, b) => b.logprob - a.logprob);
  const [best, second] = known;
  if (best === undefined) return { status: "undecided", reason: "unknown_symbol" };
  const others = shown.symbols.filter((symbol) => symbol !== best.symbol);
  if (others.some((symbol) => couldBeat(scores.get(symbol), best.logprob))) {
    return { status: "undecided", reason: "unknown_symbol" };
  }
  if (second !== undefined && second.logprob === best.logprob) return { status: "undecided", reason: "tie" };
  // With unknown symbols below the best, the margin is not known either.
  const margin = second !== undefined && known.length === shown.symbols.length ? best.logprob - second.logprob : null;
  return chosen(best.symbol, shown, margin);
}

/** Tests if the unreported part of a symbol may make it more probable than the best, or (none reported) as probable. */
function couldBeat(score: SymbolScore | undefined, best: Logprob): boolean {
  if (score === undefined) return true;
  if (score.status === "known") return score.upperBound !== undefined && score.upperBound > best;
  return score.upperBound === null || score.upperBound >= best;
}

function chosen(symbol: ChoiceSymbol, { symbols, order }: ShownOptions, margin: number | null): AnswerOutcome {
  const option = order[symbols.indexOf(symbol)];
  if (option === undefined) return { status: "undecided", reason: "unknown_symbol" };
  return { status: "chosen", chosenSymbol: symbol, chosenOption: option, correct: option === RIGHT_OPTION, margin };
}

const RIGHT_OPTION = 0 as OptionIndex;

/** The symbol the right option stands at. */
export function correctSymbol({ symbols, order }: ShownOptions): ChoiceSymbol {
  const symbol = symbols[order.indexOf(RIGHT_OPTION)];
  if (symbol === undefined) throw new RangeError(`Expected option 0 in the order ${order.join("")}.`);
  return symbol;
}
/** Record of one reply. */
export function assembleAnswer(
  place: AnswerPlace,
  shown: ShownOptions,
  reply: SymbolReply,
  promptSha256: string,
): Answer {
  const logprobs = reply.status === "scored" ? logprobsOf(reply, shown) : [];
  return {
    outcome: chooseAnswer(reply, shown),
    logprobs,
    symbolMass: symbolMass(logprobs),
    extraction: reply.status === "failed" ? null : reply.extraction,
    promptTokens: reply.promptTokens,
    cachedTokens: reply.cachedTokens,
    durationMs: reply.durationMs,
    promptSha256,
    ...(reply.thoughts && { thinkingTokens: reply.thoughts.tokens, thinkingEnd: reply.thoughts.end }),
    ...(reply.completionTokens !== undefined && { completionTokens: reply.completionTokens }),
    ...(reply.paid && {
      paidPromptTokens: reply.paid.promptTokens,
      paidCompletionTokens: reply.paid.completionTokens,
    }),
    // Last: an object that begins as a copy takes many times as long to make.
    ...place,
  };
}

/** Log probability of each symbol shown; `null` where unknown. */
export function logprobsOf(
  reply: Pick<SymbolReply & { status: "scored" }, "scores">,
  { symbols }: ShownOptions,
): Answer["logprobs"] {
  return symbols.map((symbol) => {
    const score = reply.scores.get(symbol);
    return { symbol, logprob: score?.status === "known" ? score.logprob : null };
  });
}

/** Probability that the model answers with a symbol at all, 0–1; `null` unless every symbol is known. */
export function symbolMass(logprobs: Answer["logprobs"]): number | null {
  if (logprobs.length === 0) return null;
  let mass = 0;
  for (const { logprob } of logprobs) {
    if (logprob === null) return null;
    mass += Math.exp(logprob);
  }
  return mass;
}
