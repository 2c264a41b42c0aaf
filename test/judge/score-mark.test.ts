import { describe, expect, it } from "vitest";
import type { JudgeControl } from "../../src/judge/judge-controls.js";
import { judgeMark, markedBlocks, markedForms } from "../../src/judge/score-mark.js";
import { heading, numberCell, tableOf, textCell } from "../../src/report/make-block.js";
import type { ScoreColumn } from "../../src/trial/adapter.js";
import { makeForm } from "../fixtures/verdicts.js";

const half = { value: 0.5, low: 0.2, high: 0.8 };
const control = (rest: Partial<JudgeControl> = {}): JudgeControl => ({
  ...{ ceiling: half, floor: half, pairs: 9, rightOnly: 9, emptyOnly: 0, pValue: 0.004, asked: 18, unreadable: 0 },
  ...{ state: "tells", text: "", ...rest },
});
const agreement = { share: half, n: 4, excluded: 0 };

describe("the mark of a score that a judge has a part in", () => {
  it("is none where floor, ceiling and self-agreement were measured and the judge tells right from wrong", () => {
    expect(judgeMark(control(), agreement)).toBeNull();
  });

  it("says what was not measured, and by which option it is", () => {
    expect(judgeMark(null, null)?.why).toBe(
      "a judge has a part in these scores whose floor, ceiling, and self-agreement were not measured: add --controls and --judge-votes 2.",
    );
    expect(judgeMark(control(), null)).toEqual({
      mark: { text: "judge?", tone: "warning" },
      why: "a judge has a part in these scores whose self-agreement was not measured: add --judge-votes 2.",
    });
    expect(judgeMark(control({ floor: null, state: "unknown" }), agreement)?.why).toContain("whose floor was not");
  });

  it("says that too little was measured, or that the judge is useless", () => {
    expect(judgeMark(control({ state: "unknown" }), agreement)?.why).toContain("on too little to tell");
    expect(judgeMark(control({ state: "useless" }), null)?.mark).toEqual({ text: "useless judge", tone: "bad" });
  });
});

const column = (name: string, isJudged: boolean): ScoreColumn => ({
  ...{ name, kind: "share", description: name },
  ...(isJudged && { isJudged: true }),
});
const table = tableOf(
  null,
  ["reward", "tests", "pass_at_1", "n"].map((id) => ({
    ...{ id, label: id, align: "right", importance: 1 },
    cell: (value: number | null) => (id === "n" ? textCell("4") : numberCell(value, "fraction")),
  })),
  [0.5, null],
);
const badges = (scores: readonly ScoreColumn[], headline: string) => {
  const found = markedBlocks([heading(3, "a"), table], { scores, headline }, judgeMark(null, null));
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
    const marked = (headline: string, mark = judgeMark(null, null)) =>
      markedForms([makeForm()], { scores, headline }, mark)[0]?.judgement.mark?.text;
    expect([marked("reward"), marked("tests"), marked("reward", null)]).toEqual(["judge?", undefined, undefined]);
    expect(markedBlocks([table], { scores, headline: "reward" }, null)).toEqual([table]);
  });
});
