import type { ProbeDefinition } from "../../../question/question.js";
import type { Generation } from "../answer/generation.js";
import { countNgrams } from "../metric/acr/bleu.js";
import { scoreGeneration } from "../metric/acr/generation-score.js";
import type { MeasuredGeneration, MeasuredText, ScoredGeneration } from "../metric/generation-summary.js";

/** What a generation amounts to, by the scoring of its probe; as code where the probe has none. */
export async function scoreWritten(
  generation: Generation,
  probe: ProbeDefinition | undefined,
): Promise<Pick<ScoredGeneration, "measured" | "open">> {
  const scoring = probe?.kind === "generation" ? probe.scoring : undefined;
  if (scoring === undefined) return { measured: await measureGeneration(generation) };
  const { outcome, reference, preReview } = generation;
  const score = outcome.status === "failed" ? null : scoring.score(outcome.text, reference);
  return { measured: null, open: { score, reference, preReview: preReview ?? "" } };
}

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
