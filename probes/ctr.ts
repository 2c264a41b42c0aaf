import { changeTypePhrase, commonStem } from "../src/question/prompt.js";
import type { ChoiceProbe } from "../src/question/question.js";

/** Change type recognition (paper §3.1): what type of change does the review ask for? */
export const probe: ChoiceProbe = {
  kind: "choice",
  task: "CTR",
  title: "change type recognition",
  order: 10,
  difficulties: [],
  optionCount: 3,
  isEligible: () => true,
  stem: commonStem,
  options: ({ changeType, changeTypeDistractors }) => [changeType, ...changeTypeDistractors].map(changeTypePhrase),
  answerClass: ({ changeType }) => changeType,
};
