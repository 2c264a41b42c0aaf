import { describe, expect, it } from "vitest";
import {
  isMatch,
  isMatching,
  MATCH_NAMES,
} from "../../../../../src/suites/codereviewqa/metric/written/generation-score.js";
import { GENERATIONS } from "../../../../../src/suites/codereviewqa/record/generations-table.js";
import { NO_MATCH } from "../../../../fixtures/generation.js";

describe("isMatch", () => {
  it("knows each match that generations.csv has a column for", () => {
    const columns = GENERATIONS.columns.filter(({ type }) => type === "boolean");
    expect(columns.map(({ name }) => name)).toEqual([...MATCH_NAMES]);
  });

  it.each([
    ["em", "em"],
    ["em_trim", "emTrim"],
    ["em_no_space", "emNoSpace"],
    ["em_no_comment", "emNoComment"],
    ["paper_em", "paperEm"],
    ["paper_em_trim", "paperEmTrim"],
    ["paper_em_no_space", "paperEmNoSpace"],
    ["paper_em_no_comment", "paperEmNoComment"],
  ] as const)("judges by %s alone", (name, key) => {
    const score = { ...NO_MATCH, [key]: true };
    expect(MATCH_NAMES.filter((candidate) => isMatch(candidate, score))).toEqual([name]);
  });
});

describe("isMatching", () => {
  it("tells a match of a text in one way, by itself", async () => {
    const pair = { language: "c", postReviewLines: ["int a;"], generation: "Here it is:\nint a;" } as const;
    expect(await isMatching("em", pair)).toBe(false);
    expect(await isMatching("em_trim", pair)).toBe(true);
    expect(await isMatching("em", { ...pair, generation: "int a;\n" })).toBe(true);
    expect(await isMatching("paper_em", { ...pair, generation: "int a;\n" })).toBe(false);
  });
});
