import { max, mean, min } from "simple-statistics";
import type { Model } from "../../../../model/model.js";
import { costOf } from "../../../../model/prices.js";
import type { RunPlan } from "../plan.js";

/** Tokens beside the letter's one, by those of a few questions: thoughts, and the form that a letter is written in. */
export interface ThoughtRange {
  /** Of an answer. */
  readonly least: number;
  readonly mean: number;
  readonly most: number;
  /** Of all answers of the run, were each question like the one that took the least, or the most. */
  readonly leastInAll: number;
  readonly mostInAll: number;
}

/** The model, whose tokens beside the letters are noted: those of the orders of each question. */
export function watchThoughts(model: Model, questions: number[][]): Model {
  const { scoreSymbols } = model;
  if (scoreSymbols === undefined) return model;
  return {
    ...model,
    async *scoreSymbols(group, signal, again) {
      const thoughts: number[] = [];
      questions.push(thoughts);
      for await (const each of scoreSymbols(group, signal, again)) {
        const { completionTokens, thoughts: shown } = each.reply;
        const tokens = completionTokens == null ? shown?.tokens : Math.max(0, completionTokens - 1);
        if (tokens != null) thoughts.push(tokens);
        yield each;
      }
    },
  };
}

/**
 * Range of thoughts; `null`: nobody was seen to think.
 * @param answers of the run
 */
export function rangeOfThoughts(questions: readonly (readonly number[])[], answers: number): ThoughtRange | null {
  const seen = questions.filter((thoughts) => thoughts.length > 0).map((thoughts) => [...thoughts]);
  if (seen.length === 0) return null;
  const [all, means] = [seen.flat(), seen.map((thoughts) => mean(thoughts))];
  return {
    least: min(all),
    mean: mean(all),
    most: max(all),
    leastInAll: Math.floor(min(means) * answers),
    mostInAll: Math.ceil(max(means) * answers),
  };
}

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
  /** The most that an answer takes, and that texts take. */
  readonly answerTokens: number;
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
  const { price, trace = 1, earlyStop, until } = request;
  if (price === null) return null;
  const limit = seen.answerTokens - 1;
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
