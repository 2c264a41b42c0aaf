import { countBy } from "../../base/grouping.js";
import type { Difficulty, Example } from "../../dataset/example.js";
import { type LocationView, shownNumbers } from "./location-rules.js";
import { type Rule, type RuleSight, shareOfRight } from "./rule.js";
import { addedLines, type SolutionView, wordsOf } from "./solution-rules.js";

/**
 * Rules that no option is chosen by, and no verdict is measured against: they show what the selection of options leaves to
 * rules that nobody thought of. None reads the review.
 */
const LOCATIONS: readonly Rule<LocationView>[] = [
  byLines("most_names", (line) => new Set(wordsOf(line)).size),
  byLines("most_punctuation", (line) => shareOf(/[^\p{L}\p{N}_\s]/gu, line)),
  byLines("opens_a_block", (line) => Number(/[{:(]\s*$/.test(line))),
  byLines("rare_words", (line, { lines }) => {
    const counts = countBy(lines.flatMap((each) => [...new Set(wordsOf(each))]));
    return wordsOf(line).filter((word) => counts.get(word) === 1).length;
  }),
  byLines("beside_blank_lines", (_, { lines }, number) => {
    return Number(lines[number - 2]?.trim() === "") + Number(lines[number]?.trim() === "");
  }),
];

const SOLUTIONS: readonly Rule<SolutionView>[] = [
  bySolution("most_changed_lines", (text) => text.split("\n").length),
  bySolution("most_punctuation", (text) => shareOf(/[^\p{L}\p{N}_\s]/gu, text)),
  bySolution("most_different_words", (text) => new Set(wordsOf(addedLines(text))).size),
  bySolution("new_words", (text, { preReviewLines }) => {
    const known = new Set(wordsOf(preReviewLines.join("\n")));
    return new Set(wordsOf(addedLines(text)).filter((word) => !known.has(word))).size;
  }),
  bySolution("most_capitals", (text) => shareOf(/\p{Lu}/gu, text)),
];

/** Shares of the rules that are kept out, and what they see, on one question; `null` for a task that has none. */
export function keptOutShares(
  task: string,
  difficulty: Difficulty,
  example: Example,
): { readonly shares: Record<string, number>; readonly sees: Record<string, RuleSight> } | null {
  const { preReviewLines, review, changeType, location, solution } = example;
  const places = example.locationDistractors?.[difficulty];
  if (task === "CL" && places !== undefined) {
    return applied(LOCATIONS, { locations: [location, ...places], lines: preReviewLines, review, changeType });
  }
  const solutions = example.solutionDistractors?.[difficulty];
  if (task !== "SI" || solutions === undefined || solution === undefined) return null;
  return applied(SOLUTIONS, { solutions: [solution, ...solutions], preReviewLines, review });
}

function applied<View>(rules: readonly Rule<View>[], view: View) {
  return {
    shares: Object.fromEntries(rules.map(({ name, score }) => [name, shareOfRight(score(view))])),
    sees: Object.fromEntries(rules.map(({ name, sees }) => [name, sees])),
  };
}

/** Mean of a measure over the lines that an option shows; of a line its text and its number from 1. */
function byLines(
  name: string,
  measure: (line: string, view: LocationView, number: number) => number,
): Rule<LocationView> {
  const score = (view: LocationView) =>
    view.locations.map((location) => {
      const numbers = shownNumbers(location, view);
      const measures = numbers.map((number) => measure(view.lines[number - 1] ?? "", view, number));
      return measures.reduce((sum, each) => sum + each, 0) / Math.max(1, measures.length);
    });
  return { name, sees: "options+code", score };
}

function bySolution(name: string, measure: (solution: string, view: SolutionView) => number): Rule<SolutionView> {
  return { name, sees: "options+code", score: (view) => view.solutions.map((solution) => measure(solution, view)) };
}

/** Matches a character. */
function shareOf(pattern: RegExp, text: string): number {
  return (text.match(pattern)?.length ?? 0) / Math.max(1, text.length);
}
