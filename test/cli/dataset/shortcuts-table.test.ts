import { describe, expect, it } from "vitest";
import { shortcutBlocks, shortcutLines, shortcutWarnings } from "../../../src/cli/dataset/shortcuts-table.js";
import { floorsOfForm, summariseFloors } from "../../../src/question/floors/floors.js";
import type { ShortcutReport, Shortcuts } from "../../../src/question/floors/shortcuts.js";
import { plainText } from "../../../src/report/terminal.js";
import { makeFloors } from "../../fixtures/question-floors.js";
import { cellRows as rowsOf } from "../../fixtures/table-cells.js";

/** Twenty questions, of which these many are right by the rules. */
function floorsWith(right: Readonly<Record<string, number>>, changes: Parameters<typeof makeFloors>[0] = {}) {
  const questions = Array.from({ length: 20 }, (_, i) =>
    makeFloors({
      ...changes,
      exampleId: `${i}`,
      shares: Object.fromEntries(Object.entries(right).map(([rule, count]) => [rule, Number(i < count)])),
    }),
  );
  return summariseFloors(floorsOfForm(questions));
}

const CTR: Shortcuts = {
  task: "CTR",
  difficulty: null,
  chance: 1 / 3,
  floors: floorsWith({ keywords: 4 }, { answerClass: "modify", lexical: ["keywords"] }),
};
const HARD: Shortcuts = {
  task: "CL",
  difficulty: "hard",
  chance: 1 / 4,
  floors: floorsWith({ medoid: 15, longest_lines: 5, review_overlap: 18 }, { lexical: ["review_overlap"] }),
};
const EASY: Shortcuts = { ...HARD, difficulty: "easy", floors: floorsWith({ medoid: 8, longest_lines: 2 }) };
const REPORT: ShortcutReport = {
  forms: [CTR, EASY, HARD],
  parts: [{ ...HARD, part: "2 lines or more", floors: floorsWith({ medoid: 20 }) }],
  languages: [{ ...HARD, language: "go" }],
  keptOut: [{ ...HARD, floors: floorsWith({ most_names: 5 }) }],
};

describe("shortcutBlocks", () => {
  const text = plainText(shortcutBlocks(REPORT));

  it("has a table a task: a row a rule, a column a form, and a part beside its form", () => {
    expect(rowsOf(text, "CL")).toEqual([["CL", "sees", "easy (n 20)", "hard (n 20)", "hard, 2 lines or more (n 20)"]]);
    // Wilson 95 %: 8 of 20 is 0.219–0.613, 15 of 20 0.531–0.888, 20 of 20 0.839–1.
    expect(rowsOf(text, "medoid")).toEqual([
      ["medoid", "options", "40.0 % (21.9–61.3)", "75.0 % (53.1–88.8)", "100.0 % (83.9–100.0)"],
    ]);
    // A rule that a form does not have is not 0.
    expect(rowsOf(text, "review_overlap")[0]?.slice(1)).toEqual(["lexical", "–", "90.0 % (69.9–97.2)", "–"]);
    expect(rowsOf(text, "best no-read rule").map((row) => row.slice(2))).toEqual([
      ["majority"],
      ["medoid", "medoid", "medoid"],
    ]);
    expect(rowsOf(text, "best lexical rule").map((row) => row.slice(2))).toEqual([
      ["keywords"],
      ["–", "review_overlap", "–"],
    ]);
    // 5 of 20 is 0.112–0.469.
    expect(text).toContain("Kept out: rules that no option is chosen by");
    expect(rowsOf(text, "most_names")).toEqual([["most_names", "25.0 % (11.2–46.9)"]]);
    expect(rowsOf(text, "guessing")[1]).toEqual(["guessing", "", "25.0 %", "25.0 %", "25.0 %"]);
  });

  it("says the floor of each language", () => {
    expect(rowsOf(text, "go")).toEqual([["go", "–", "–", "90.0 % review_overlap (n 20)"]]);
  });
});

describe("shortcutLines", () => {
  it("are a sentence about the best rule of each form that does not read, and one about its best lexical one", () => {
    expect(shortcutLines(REPORT).slice(0, 3)).toEqual([
      'CTR: the rule majority (always "modify") is right in 100.0 % (83.9–100.0) of 20 questions; guessing in 33.3 %.',
      "CTR: the rule keywords (lexical: matches words of the review) is right in 20.0 % (8.1–41.6) of 20 questions; guessing in 33.3 %. That is no more than guessing.",
      "CL easy: the rule medoid (no-read: sees the options alone) is right in 40.0 % (21.9–61.3) of 20 questions; guessing in 25.0 %.",
    ]);
  });

  it("say so where no rule is above guessing", () => {
    const [line] = shortcutLines({ ...REPORT, forms: [{ ...EASY, floors: floorsWith({ medoid: 5 }) }] });
    expect(line).toMatch(/guessing in 25\.0 %\. That is no more than guessing\.$/);
  });
});

describe("shortcutWarnings", () => {
  it("are of the forms in which a rule that does not read is right well above chance", () => {
    // The lower end of 8 of 20 is 0.219; of 15 of 20 it is 0.531, above 0.35. CTR's majority and the lexical rule, which
    // are higher, are none.
    expect(shortcutWarnings(REPORT)).toEqual([
      "CL hard: the rule medoid (no-read: sees the options alone) is right in 75.0 % (53.1–88.8) of 20 questions; guessing in 25.0 %. The options give the answer away.",
    ]);
  });

  it("begin a tenth above chance", () => {
    const warned = (count: number) =>
      shortcutWarnings({ ...REPORT, forms: [{ ...EASY, floors: floorsWith({ medoid: count }) }] });
    // Wilson's lower end: 11 of 20 is 0.342, 12 of 20 0.387.
    expect(warned(11)).toEqual([]);
    expect(warned(12)).toHaveLength(1);
  });
});
