import { join } from "node:path";
import { writeTable } from "../../../store/csv.js";
import type { JournalIndex } from "../../../store/journal/journal-index.js";
import { type Generation, generationStatus } from "../example/generation.js";
import { countNgrams } from "../metric/acr/bleu.js";
import { scoreGeneration } from "../metric/acr/generation-score.js";
import type { MeasuredGeneration, MeasuredText, ScoredGeneration } from "../metric/generation-summary.js";
import { GENERATIONS, type ScoredText } from "../record/generation-columns.js";
import type { RowOwner, RunRow } from "../record/run-row.js";
import type { Tally } from "../record/tally.js";

/** Writes `generations.csv`. Memory: a few hundred bytes a generation; the texts stay on disk. */
export async function writeGenerations(
  folder: string,
  owner: RowOwner,
  index: JournalIndex<Generation>,
  tally: Tally,
): Promise<ScoredGeneration[]> {
  const scored: ScoredGeneration[] = [];
  const rows = async function* (): AsyncGenerator<RunRow<ScoredText>> {
    for await (const [generation] of index.byItem()) {
      if (generation === undefined) continue;
      const measured = await measureGeneration(generation);
      const { task, language, changeType, outcome } = generation;
      scored.push({ task, language, changeType, status: generationStatus(outcome), measured });
      tally.addGeneration(generation);
      yield { ...owner, item: { ...generation, score: measured?.score ?? null } };
    }
  };
  await writeTable(join(folder, GENERATIONS.file), GENERATIONS, rows());
  return scored;
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
