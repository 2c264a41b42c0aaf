import { describe, expect, it } from "vitest";
import { heading, numberCell, tableOf, textCell } from "../../../src/report/make-block.js";
import { markedBlocks, markedForms, type ScoreDoubt } from "../../../src/trial/score/score-doubt.js";
import type { ScoreColumn } from "../../../src/trial/trial-records.js";
import { makeForm } from "../../fixtures/verdicts.js";

const DOUBT: ScoreDoubt = { mark: { text: "judge?", tone: "warning" }, why: "it was not measured." };

const column = (name: string, isJudged: boolean): ScoreColumn => ({
  name,
  kind: "share",
  description: name,
  ...(isJudged && { isJudged: true }),
});
const table = tableOf(
  null,
  ["reward", "tests", "pass_at_1", "n"].map((id) => ({
    id,
    label: id,
    align: "right",
    importance: 1,
    cell: (value: number | null) => (id === "n" ? textCell("4") : numberCell(value, "fraction")),
  })),
  [0.5, null],
);
const badges = (scores: readonly ScoreColumn[], headline: string) => {
  const found = markedBlocks([heading(3, "a"), table], { scores, headline, trials: 1 }, DOUBT);
  return found.flatMap((block) =>
    block.kind === "table"
      ? block.rows.map((row) => row.map((cell) => (cell.kind === "number" ? (cell.badge?.text ?? "") : cell.kind)))
      : [],
  );
};

describe("where the mark stands", () => {
  it("is in the cells of judged scores, and of what is computed of a judged headline; not where there is no number", () => {
    expect(badges([column("reward", true), column("tests", false)], "reward")).toEqual([
      ["judge?", "", "judge?", "text"],
      ["missing", "missing", "missing", "text"],
    ]);
    expect(badges([column("reward", true), column("tests", false)], "tests")[0]).toEqual(["judge?", "", "", "text"]);
  });

  it("is at the form's score where the headline is judged, and nowhere where there is no mark", () => {
    const scores = [column("reward", true), column("tests", false)];
    const marked = (headline: string, mark: ScoreDoubt | null = DOUBT) =>
      markedForms([makeForm()], { scores, headline }, mark)[0]?.judgement?.mark?.text;
    expect([marked("reward"), marked("tests"), marked("reward", null)]).toEqual(["judge?", undefined, undefined]);
    expect(markedBlocks([table], { scores, headline: "reward", trials: 1 }, null)).toEqual([table]);
  });
});
