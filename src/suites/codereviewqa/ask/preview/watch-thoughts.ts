import { max, mean, min } from "simple-statistics";
import type { Model } from "../../../../model/model.js";

/** Tokens of thoughts, by those of a few questions. */
export interface ThoughtRange {
  /** Of an answer. */
  readonly least: number;
  readonly mean: number;
  readonly most: number;
  /** Of all answers of the run, were each question like the one that took the least, or the most. */
  readonly leastInAll: number;
  readonly mostInAll: number;
}

/** The model, whose tokens of thoughts are noted: those of the orders of each question. */
export function watchThoughts(model: Model, questions: number[][]): Model {
  const { scoreSymbols } = model;
  if (scoreSymbols === undefined) return model;
  return {
    ...model,
    async *scoreSymbols(group, signal, again) {
      const thoughts: number[] = [];
      questions.push(thoughts);
      for await (const each of scoreSymbols(group, signal, again)) {
        const tokens = each.reply.thoughts?.tokens;
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
