import type { Model } from "../../../model/model.js";

/** The model, whose tokens of thoughts are noted. */
export function watchThoughts(model: Model, thoughts: number[]): Model {
  const { scoreSymbols } = model;
  if (scoreSymbols === undefined) return model;
  return {
    ...model,
    async *scoreSymbols(group, signal, again) {
      for await (const each of scoreSymbols(group, signal, again)) {
        const tokens = each.reply.thoughts?.tokens;
        if (tokens != null) thoughts.push(tokens);
        yield each;
      }
    },
  };
}
