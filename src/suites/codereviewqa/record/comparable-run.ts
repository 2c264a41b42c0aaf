import { measureGeneration } from "../ask/score-generations.js";
import type { GenerationResult } from "../compare/draft-row.js";
import { readStoredGenerations } from "./stored-generations.js";
import { type NamedRun, readStoredRun, type StoredRun } from "./stored-run.js";

/** A generation of a finished run. */
export interface StoredGeneration {
  /** SHA-256 of its prompt. */
  readonly promptSha256: string;
  readonly score: GenerationResult;
}

/** A finished run as its journals tell it: questions and generations. */
export interface ComparableRun extends StoredRun {
  /** In the order of the run; none in a run without ACR. */
  readonly generations: readonly StoredGeneration[];
}

/**
 * Scores questions and generations of a finished run from its journals; writes nothing. Memory: a few hundred bytes a
 * question or generation.
 * @throws ProbeError `bad_input` when a journal is damaged, or something is left to ask
 */
export async function readComparableRun(named: NamedRun): Promise<ComparableRun> {
  const stored = await readStoredRun(named);
  const generations: StoredGeneration[] = [];
  for await (const generation of readStoredGenerations(named)) {
    const { task, exampleId, promptSha256 } = generation;
    const measured = await measureGeneration(generation);
    generations.push({
      promptSha256,
      score: {
        task,
        exampleId,
        em: measured?.score.em ?? false,
        editSimilarity: measured?.score.editSimilarity ?? null,
        lost: measured === null,
      },
    });
  }
  return { ...stored, generations };
}
