import { DIFFICULTIES, type Location } from "../src/dataset/example.js";
import { changeTypePhrase, commonStem } from "../src/question/prompt.js";
import type { ChoiceProbe } from "../src/question/question.js";

/** Change localisation (paper §3.2): which lines does the review ask to change? The stem tells the type of change. */
export const probe: ChoiceProbe = {
  kind: "choice",
  task: "CL",
  title: "change localisation",
  order: 20,
  difficulties: DIFFICULTIES,
  optionCount: 4,
  isEligible: ({ locationDistractors }) => locationDistractors !== undefined,
  stem: (example) => ({ ...commonStem(example), change_type: changeTypePhrase(example.changeType) }),
  options: ({ location, locationDistractors }, difficulty) =>
    [location, ...(locationDistractors?.[difficulty ?? "easy"] ?? [])].map(lineNumbers),
  answerClass: () => null,
};

function lineNumbers(location: Location): string {
  return `line numbers ${location.join(",")}`;
}
