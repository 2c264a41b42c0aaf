import type { Generation } from "../example/generation.js";
import { countNgrams } from "../metric/acr/bleu.js";
import { scoreGeneration } from "../metric/acr/generation-score.js";
import type { MeasuredGeneration, MeasuredText } from "../metric/generation-summary.js";

/** The scores of a generation, and of the pre-review code in its place; `null` for a failed one. */
export async function measureGeneration(generation: Generation): Promise<MeasuredGeneration | null> {
  const { outcome, preReview } = generation;
  if (outcome.status === "failed") return null;
  return {
    ...(await measureText(generation, outcome.text)),
    copy: preReview === null ? null : await measureText(generation, preReview),
  };
}

async function measureText({ language, reference }: Generation, text: string): Promise<MeasuredText> {
  const pair = { postReviewLines: reference.split("\n"), generation: text };
  return { score: await scoreGeneration({ ...pair, language }), ngrams: countNgrams(pair) };
}
