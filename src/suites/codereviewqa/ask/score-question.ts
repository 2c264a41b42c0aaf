import { optionCountOfOrder, permutationCount } from "../../../question/permutations.js";
import type { Answer } from "../answer/answer.js";
import { type QuestionScore, scoreQuestion } from "../metric/question-score.js";
import type { RunFile } from "../record/run-file.js";

/** Whether questions stopped at their first wrong order. */
export function isStoppedEarly({ parameters }: Pick<RunFile, "parameters">): boolean {
  return parameters["early_stop"] === true;
}

/**
 * The score of one question of a run, from its answers in the order of the permutations. Where questions stopped early it
 * has no agreement and no mean accuracy: over those that happened to get through, they would be a biased pick.
 */
export function scoreQuestionOf(run: Pick<RunFile, "parameters">, answers: readonly Answer[]): QuestionScore {
  const score = scoreQuestion(answers, permutationCount(optionCountOfOrder(answers[0]?.permutation ?? "")));
  return isStoppedEarly(run) ? { ...score, pluralityAgreement: null, meanAccuracy: null } : score;
}
