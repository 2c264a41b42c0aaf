import { promptName } from "../src/base/language.js";
import { commonStem } from "../src/question/prompt.js";
import type { GenerationProbe } from "../src/question/question.js";

/**
 * Automated code refinement (paper §2): write the code that the review asks for. The prompt ends with an opening `[Lang]`
 * line, so the closing one ends the code.
 */
export const probe: GenerationProbe = {
  kind: "generation",
  task: "ACR",
  title: "automated code refinement",
  order: 40,
  isEligible: () => true,
  stem: commonStem,
  reference: ({ postReviewLines }) => postReviewLines.join("\n"),
  preReview: ({ preReviewLines }) => preReviewLines.join("\n"),
  stop: ({ language }) => [`[/${promptName(language)}]`],
  maxTokens: 512,
};
