import { describe, expect, it } from "vitest";
import type { OfficialRecord } from "../../../src/dataset/official-record.js";
import { SolutionBalance } from "../../../src/distractors/solution/solution-balance.js";

const added = (name: string) => `1 + f(${name})`;

/** A record whose right solution is the longest of its four, or the shortest. */
function record(truth: string, wrong: readonly string[]): OfficialRecord {
  return {
    id: "r",
    lang: "python",
    old: " a = 1",
    new: `+f(${truth})\n a = 1`,
    review: "Call it.",
    type_correct: "add_only",
    type_wrong: ["modify", "remove_only"],
    loc_correct: [0],
    solution_correct: added(truth),
    solution_wrong_easy: wrong.map(added),
    solution_wrong_hard: wrong.map(added),
  } as OfficialRecord;
}

const view = (names: readonly string[]) => ({
  solutions: names.map(added),
  preReviewLines: ["a = 1"],
  review: "Call it.",
});
const TRUTH_LONGEST = view(["wwww", "x", "y", "z"]);
const TRUTH_SHORTEST = view(["w", "xxxx", "yyyy", "zzzz"]);

describe("SolutionBalance", () => {
  it("asks for what the benchmark has too little of: after a longest truth a shortest one costs less", () => {
    const balance = new SolutionBalance();
    balance.add(record("wwww", ["x", "y", "z"]));
    expect(balance.cost("easy", TRUTH_SHORTEST)).toBeLessThan(balance.cost("easy", TRUTH_LONGEST));
  });

  it("asks the other way round after a shortest one", () => {
    const balance = new SolutionBalance();
    balance.add(record("w", ["xxxx", "yyyy", "zzzz"]));
    expect(balance.cost("hard", TRUTH_LONGEST)).toBeLessThan(balance.cost("hard", TRUTH_SHORTEST));
  });

  it("is the same for records that are read again: a resumed build goes on as if it had not stopped", () => {
    const [first, second] = [new SolutionBalance(), new SolutionBalance()];
    const records = [record("wwww", ["x", "y", "z"]), record("ww", ["xxx", "y", "zzzz"])];
    for (const each of records) first.add(each);
    for (const each of JSON.parse(JSON.stringify(records)) as OfficialRecord[]) second.add(each);
    expect(second.cost("easy", TRUTH_LONGEST)).toBe(first.cost("easy", TRUTH_LONGEST));
  });

  it("passes over records without SI questions", () => {
    const balance = new SolutionBalance();
    const before = balance.cost("easy", TRUTH_LONGEST);
    const {
      solution_correct: _,
      solution_wrong_easy: _easy,
      solution_wrong_hard: _hard,
      ...deletion
    } = record("w", []);
    balance.add(deletion);
    expect(balance.cost("easy", TRUTH_LONGEST)).toBe(before);
  });

  it("prefers ties, which no rule can use, to any rank", () => {
    // Four names of one length, one token apart: all rules tie but the one for distances by characters.
    const balance = new SolutionBalance();
    expect(balance.cost("easy", view(["ab", "cd", "ef", "gh"]))).toBeLessThan(balance.cost("easy", TRUTH_LONGEST));
  });
});
