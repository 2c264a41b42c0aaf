import { costOf } from "../../../../model/prices.js";
import { thoughtLimit } from "../../../../model/requests.js";
import type { RunPlan } from "../plan.js";
import type { ThoughtRange } from "./watch-thoughts.js";

/** Cost of a run as it is foreseen. */
export interface ForeseenCost {
  readonly amount: number;
  /** The prompt's tokens are estimated. */
  readonly isEstimate: boolean;
  /** Thoughts and generations may end before their limit, questions at their first wrong order: they cost less. */
  readonly isUpperBound: boolean;
  /** By the thoughts of the questions that were asked; absent: nobody was seen to think. */
  readonly byThoughts?: { readonly least: number; readonly most: number };
  readonly currency: string;
  readonly pricesAsOf: string;
}

interface Foreseen {
  /** Of each prompt once: of all, and of those that a letter is asked for. */
  readonly promptTokens: number;
  readonly askedTokens: number;
  readonly isEstimate: boolean;
  /** The most that texts take. */
  readonly writtenTokens: number;
  /** `null`: nobody was seen to think. */
  readonly thoughts: ThoughtRange | null;
  /** Prompts are sent again for each letter that is read behind thoughts. */
  readonly sendsAgain: boolean;
}

/** The most tokens that a mark takes which closes thoughts. */
const END_TOKENS = 16;

/** `null` where the price is not known. */
export function foreseenCost({ request, generations, plannedAnswers }: RunPlan, seen: Foreseen): ForeseenCost | null {
  const { price, trace = 1, think = "off", earlyStop, until } = request;
  if (price === null) return null;
  const limit = thoughtLimit(think);
  const letters = seen.sendsAgain && limit > 0 ? trace : 0;
  // Half of the thoughts stand before a letter that is read along them, on average.
  const share = (trace + 1) / (2 * trace);
  const withThoughts = (tokens: number, end: number) => {
    const ends = letters === 0 ? 0 : plannedAnswers * end;
    return costOf(
      price,
      seen.promptTokens + letters * (seen.askedTokens + share * tokens + ends),
      tokens + ends + plannedAnswers * Math.max(1, letters) + seen.writtenTokens,
    );
  };
  const { thoughts } = seen;
  return {
    amount: withThoughts(plannedAnswers * limit, END_TOKENS),
    isEstimate: seen.isEstimate,
    isUpperBound: generations > 0 || earlyStop || until !== undefined || limit > 0,
    ...(thoughts && {
      byThoughts: { least: withThoughts(thoughts.leastInAll, 0), most: withThoughts(thoughts.mostInAll, END_TOKENS) },
    }),
    currency: price.currency,
    pricesAsOf: price.asOf,
  };
}
