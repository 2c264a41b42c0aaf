import { passBy, storedRun } from "../../../run/score-folder.js";
import type { RunVerdicts } from "../../../verdict/verdict.js";
import type { Answer } from "../answer/answer.js";
import { ANSWER_JOURNAL } from "../answer/answer.js";
import type { Generation } from "../answer/generation.js";
import { GENERATION_JOURNAL } from "../answer/generation.js";
import { scoreQuestionOf } from "../ask/score-question.js";
import type { QuestionScore } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { RunFile } from "../record/run-file.js";
import { scoreSuite } from "./score.js";
import { suite } from "./suite.js";

/** A stored run, to be read as often as wanted. Streams come in the order of the run; an unfinished run has fewer. */
export interface LoadedRun {
  readonly folder: string;
  readonly run: RunFile;
  /** The rows of `summary.csv`. */
  readonly summary: readonly SummaryRow[];
  /** What comparison, CI reports and leaderboards read. */
  readonly verdicts: RunVerdicts;
  /** Every answer: the rows of `answers.csv`. Holds one question's answers at a time. */
  answers(): AsyncGenerator<Answer>;
  /** What the answers to each question amount to: the rows of `questions.csv`. */
  questions(): AsyncGenerator<QuestionScore>;
  /** What the model wrote (ACR), with the revision it is compared with; none in a run without ACR. */
  generations(): AsyncGenerator<Generation>;
}

/**
 * Reads a stored run of code review questions from its journals and computes what it came to, but writes nothing; the
 * tables need not be there. Memory: 13 bytes an answer, and a few hundred bytes a question while it is scored.
 * @param folder such as `results/20261121T230354Z-tiny-1f2e3d4c`
 * @throws ProbeError `bad_input` when the folder holds no such run, or a journal is damaged
 */
export async function loadRun(folder: string): Promise<LoadedRun> {
  const stored = await storedRun(suite, folder);
  const { run, summary, verdicts } = await scoreSuite(stored, passBy);
  return {
    ...{ folder, run, summary, verdicts },
    answers: () => eachOf(stored.records(ANSWER_JOURNAL)),
    questions: async function* () {
      for await (const answers of stored.records(ANSWER_JOURNAL)) yield scoreQuestionOf(run, answers);
    },
    generations: () => eachOf(stored.records(GENERATION_JOURNAL)),
  };
}

async function* eachOf<T>(items: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const records of items) yield* records;
}
