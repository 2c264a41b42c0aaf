import { type ScoredRun, summarise } from "../ask/score.js";
import { measureGeneration } from "../ask/score-generations.js";
import { scoreQuestionOf } from "../ask/score-question.js";
import type { Answer } from "../example/answer.js";
import type { Generation } from "../example/generation.js";
import { generationStatus } from "../example/generation.js";
import type { ScoredGeneration } from "../metric/generation-summary.js";
import type { QuestionScore } from "../metric/question-score.js";
import { buildIndexes, type RunIndexes } from "./journals.js";
import { type RunFile, readRunFile } from "./run-file.js";

/** A stored run, to be read as often as wanted. Streams come in the order of the run; an unfinished run has fewer. */
export interface LoadedRun extends ScoredRun {
  /** Every answer: the rows of `answers.csv`. Holds one question's answers at a time. */
  answers(): AsyncGenerator<Answer>;
  /** What the answers to each question amount to: the rows of `questions.csv`. */
  questions(): AsyncGenerator<QuestionScore>;
  /** What the model wrote (ACR), with the revision it is compared with; none in a run without ACR. */
  generations(): AsyncGenerator<Generation>;
}

/**
 * Reads a stored run from its journals and computes its summary, as `scoreRun` does, but writes nothing; the tables need
 * not be there. Memory: 13 bytes an answer, and a few hundred bytes a question while the summary is computed.
 * @param folder such as `results/20261121T230354Z-tiny-1f2e3d4c`
 * @throws ProbeError `bad_input` when the folder holds no run, or a journal is damaged
 */
export async function loadRun(folder: string): Promise<LoadedRun> {
  const run = await readRunFile(folder);
  const indexes = await buildIndexes(folder, run);
  const questions = await collect(questionsOf(run, indexes.answers));
  const generations = await collect(measuredGenerations(indexes.generations));
  return {
    folder,
    run,
    summary: await summarise(run, { questions, generations }),
    answers: () => eachOf(indexes.answers),
    questions: () => questionsOf(run, indexes.answers),
    generations: () => eachOf(indexes.generations),
  };
}

async function* eachOf<T>(index: { byItem(): AsyncGenerator<readonly T[]> }): AsyncGenerator<T> {
  for await (const records of index.byItem()) yield* records;
}

async function* questionsOf(run: RunFile, index: RunIndexes["answers"]): AsyncGenerator<QuestionScore> {
  for await (const answers of index.byItem()) yield scoreQuestionOf(run, answers);
}

async function* measuredGenerations(index: RunIndexes["generations"]): AsyncGenerator<ScoredGeneration> {
  for await (const generation of eachOf(index)) {
    const { task, language, changeType, outcome } = generation;
    yield {
      task,
      language,
      changeType,
      status: generationStatus(outcome),
      measured: await measureGeneration(generation),
    };
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
