import { promptName } from "../base/language.js";
import type { ChangeType, Example } from "../dataset/example.js";
import type { StemValues } from "./question.js";

const PHRASES: Readonly<Record<ChangeType, string>> = {
  add: "only add new lines of code",
  delete: "only delete existing lines of code",
  modify: "modify the code",
};

/** A change type in the words of the paper's prompts. */
export function changeTypePhrase(changeType: ChangeType): string {
  return PHRASES[changeType];
}

/** What every prompt of the paper shows: language, numbered pre-review code, review. */
export function commonStem(example: Pick<Example, "language" | "preReviewLines" | "review">): StemValues {
  return {
    lang: promptName(example.language),
    code_snippet: example.preReviewLines.map((line, i) => `${i + 1} ${line}`).join("\n"),
    code_review: example.review,
  };
}
