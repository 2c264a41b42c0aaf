import { DIFFICULTIES } from "../src/dataset/example.js";
import { commonStem } from "../src/question/prompt.js";
import type { ChoiceProbe } from "../src/question/question.js";

/** Solution identification (paper §3.3): which revision, as a diff, does the review ask for? Not asked of deletions. */
export const probe: ChoiceProbe = {
  kind: "choice",
  task: "SI",
  title: "solution identification",
  order: 30,
  difficulties: DIFFICULTIES,
  optionCount: 4,
  isEligible: ({ solution }) => solution !== undefined,
  stem: commonStem,
  options: ({ solution, solutionDistractors }, difficulty) =>
    solution === undefined ? [] : [solution, ...(solutionDistractors?.[difficulty ?? "easy"] ?? [])],
  answerClass: () => null,
};
