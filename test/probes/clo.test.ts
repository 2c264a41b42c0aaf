import { describe, expect, it } from "vitest";
import { parseLines, probe } from "../../probes/clo.js";
import { DELETION, exampleWith } from "../fixtures/example.js";

const scoring = probe.scoring!;
const writes = (rule: string, code: string, references: readonly string[] = ["1"]) =>
  scoring.rules.find(({ name }) => name === rule)!.writer(references)(code);

describe("CLO", () => {
  it("is asked about every example, with the change type and the right lines", () => {
    expect([probe.isEligible(exampleWith()), probe.isEligible(DELETION)]).toEqual([true, true]);
    expect(probe.stem(exampleWith({ changeType: "delete" }))["change_type"]).toBe(
      "delete existing lines of code".replace(/^/, "only "),
    );
    expect(probe.reference(exampleWith({ location: [3, 4, 12] }))).toBe("3,4,12");
    expect(probe.reference(exampleWith({ location: [0] }))).toBe("0");
  });

  it.each([
    ["5", [5]],
    ["5,6,8", [5, 6, 8]],
    [" 5, 6 ,8 ", [5, 6, 8]],
    ["5,6\n", [5, 6]],
    ["5,6\r\n", [5, 6]],
    ["0", [0]],
    // Lines are a set: order and repetition do not matter.
    ["8,5,5", [8, 5]],
  ])("reads %j as line numbers", (text, lines) => {
    expect(parseLines(text)).toEqual(new Set(lines));
  });

  it.each([
    ["", "nothing"],
    ["\n5", "a line end before it"],
    ["5\n\n", "two line ends"],
    ["5,", "a comma at the end"],
    [",5", "a comma at the beginning"],
    ["5,,6", "a number left out"],
    ["5 6", "no comma"],
    ["5-8", "a range"],
    ["-5", "a negative number"],
    ["5.0", "a fraction"],
    ["1e1", "an exponent"],
    ["line 5", "a word"],
    ["5.", "a full stop"],
    ["A", "a letter"],
    ["\t5", "a tab"],
    ["5,6 because of the loop", "a reason"],
    ["1234567890", "more digits than any file has lines"],
    ["٥", "a digit of another script"],
  ])("takes no answer from %j: %s", (text) => {
    expect(parseLines(text)).toBeNull();
    expect(scoring.score(text, "5")).toBeNull();
  });

  it.each([
    // All of {5,6}: 2 in both, 2 in either.
    ["6,5", { em: true, graded: 1 }],
    // {5} and {5,6}: 1 in both, 2 in either.
    ["5", { em: false, graded: 1 / 2 }],
    // {6,7,8} and {5,6}: 1 in both, 4 in either.
    ["6,7,8", { em: false, graded: 1 / 4 }],
    ["7", { em: false, graded: 0 }],
  ])("scores %j against 5,6", (text, score) => {
    expect(scoring.score(text, "5,6")).toEqual(score);
  });

  it("has rules that see the code alone", () => {
    // Lengths without indentation: 1, 3, 3, 1, 2.
    const code = ["a", "  abc", "abc", "a", "        ab"].join("\n");
    expect(writes("longest_line", code)).toBe("2");
    expect(writes("middle_line", code)).toBe("3");
    // Of four lines, one is before the second and two are behind it.
    expect(writes("middle_line", "a\nb\nc\nd")).toBe("2");
    // Sizes 2, 1, 2: 2 is commonest; of 5 lines 1 before and 2 behind.
    expect(writes("commonest_size", code, ["1,2", "3", "4,5"])).toBe("2,3");
    // Sizes 1 and 3 once each: the smaller one.
    expect(writes("commonest_size", code, ["1", "2,3,4"])).toBe("3");
    // More lines than there are: all of them.
    expect(writes("commonest_size", "a\nb", ["1,2,3"])).toBe("1,2");
  });
});
