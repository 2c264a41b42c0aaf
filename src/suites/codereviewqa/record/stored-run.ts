import { realpath } from "node:fs/promises";
import { ProbeError } from "../../../base/errors.js";
import { ownText, shellWord } from "../../../base/text.js";
import { optionCountOfOrder, permutationCount } from "../../../question/permutations.js";
import { isMiss } from "../answer/answer.js";
import { isStoppedEarly, scoreQuestionOf } from "../ask/score-question.js";
import type { QuestionScore } from "../metric/question-score.js";
import { answersIndex } from "./journals.js";
import { type RunFile, readRunFile } from "./run-file.js";

/** A question of a finished run. */
export interface StoredQuestion {
  /** SHA-256 of its prompt under the first order: of stem, options, and which of them is right. */
  readonly promptSha256: string;
  readonly score: QuestionScore;
}

/** A run and where it is, before its journal is read. */
export interface NamedRun {
  /** As it was named. */
  readonly folder: string;
  /** Without links, so that one folder has one path. */
  readonly path: string;
  readonly run: RunFile;
}

/** A finished run as its journal tells it. */
export interface StoredRun extends NamedRun {
  /** In the order of the run. */
  readonly questions: readonly StoredQuestion[];
}

/** @throws ProbeError `bad_input` when the folder holds no run */
export async function findNamedRun(folder: string): Promise<NamedRun> {
  const run = await readRunFile(folder);
  return { folder, path: await realpath(folder), run };
}

/**
 * Scores the questions of a finished run from its journal, which alone is trusted; writes nothing. Memory: a few hundred
 * bytes a question.
 * @throws ProbeError `bad_input` when the journal is damaged, or orders are left to ask
 */
export async function readStoredRun(named: NamedRun): Promise<StoredRun> {
  const { folder, run } = named;
  const isEarlyStop = isStoppedEarly(run);
  const index = await answersIndex(folder, run);
  const questions: StoredQuestion[] = [];
  let unfinished = run.questions;
  for await (const answers of index.byItem()) {
    const permutations = permutationCount(optionCountOfOrder(answers[0]?.permutation ?? ""));
    if (answers.length === permutations || (isEarlyStop && answers.some(isMiss))) unfinished--;
    questions.push({
      promptSha256: ownText(answers[0]?.promptSha256 ?? ""),
      score: scoreQuestionOf(run, answers),
    });
  }
  if (unfinished > 0) throw notFinished(folder, unfinished, run.questions);
  return { ...named, questions };
}

function notFinished(folder: string, unfinished: number, questions: number): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected a finished run in ${folder}, found ${unfinished} of ${questions} questions with orders that have no ` +
      `answer yet. Finish it first: probe run --resume ${shellWord(folder)}`,
  );
}
