import { normaliseText } from "../../../../base/text.js";

/** One post-review code and what a model generated for it. */
export interface RevisionPair {
  /** Lines without marker column. */
  readonly postReviewLines: readonly string[];
  /** The raw text up to the stop. */
  readonly generation: string;
}

/**
 * The code a model generated. Windows line ends become `\n`, blank lines at either end are dropped (the prompt ends
 * with a line break, and the stop stands on a line of its own), and line numbers are removed if the model echoed them:
 * see `withoutLineNumbers`.
 * @param generation the raw text up to the stop
 */
export function generatedLines(generation: string): readonly string[] {
  const lines = withoutBlankEnds(rawLines(generation));
  return withoutBlankEnds(withoutLineNumbers(lines) ?? lines);
}

/** The post-review code as it is compared: blank lines at either end dropped. */
export function referenceLines(postReviewLines: readonly string[]): readonly string[] {
  return withoutBlankEnds(postReviewLines);
}

/** Every line of a generation, as it is. */
export function rawLines(generation: string): readonly string[] {
  return normaliseText(generation).split("\n");
}

/**
 * The lines without the number in front of each, or `null` where they are not numbered. The prompt shows `N ` before
 * every line; a model may repeat that, count anew, or keep the numbers of the pre-review code (1, 2, 4 after a deleted
 * line). So lines count as numbered when every line that is not blank begins with a whole number and a space (or is
 * nothing but a number), and the numbers never go down. A number alone on the last line may be cut short by the token
 * limit, so it may be smaller. Exactly one space goes with the number: the rest is indentation.
 */
export function withoutLineNumbers(lines: readonly string[]): readonly string[] | null {
  let previous = 0;
  const bare: string[] = [];
  for (const [index, line] of lines.entries()) {
    const numbered = splitLineNumber(line);
    if (numbered === null) {
      if (line.trim() !== "") return null;
      bare.push(line);
      continue;
    }
    const mayBeCut = index === lines.length - 1 && numbered.code === "";
    if (numbered.number < previous && !mayBeCut) return null;
    previous = numbered.number;
    bare.push(numbered.code);
  }
  return previous === 0 ? null : bare;
}

interface NumberedLine {
  readonly number: number;
  readonly code: string;
}

/** A line such as `12     return x;` as its number and its code; `null` where it begins otherwise. */
function splitLineNumber(line: string): NumberedLine | null {
  const match = /^([1-9]\d{0,6})(?: (.*))?$/s.exec(line);
  return match === null ? null : { number: Number(match[1]), code: match[2] ?? "" };
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const hasCode = (line: string) => line.trim() !== "";
  return lines.slice(Math.max(0, lines.findIndex(hasCode)), lines.findLastIndex(hasCode) + 1);
}
