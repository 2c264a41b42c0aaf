import { describe, expect, it } from "vitest";
import { movedCode, removedRuns } from "../../../src/trial/code/cut-probes.js";

const lines = (...each: string[]) => each.map((line) => `${line}\n`).join("");
const FIRST = ["function first(a) {", "  const b = a + 1;", "  return b;", "}"];
const SECOND = ["function second(a) {", "  const c = a - 1;", "  return c;", "}"];

describe("removedRuns", () => {
  it("are the lines that go, as they stood together", () => {
    const before = lines("import x;", ...FIRST, "const kept = 1;", ...SECOND);
    expect(removedRuns(before, lines("import x;", "const kept = 1;"))).toEqual([FIRST, SECOND]);
    expect(removedRuns(before, before)).toEqual([]);
    expect(removedRuns("a\n", "")).toEqual([["a"]]);
  });
});

describe("movedCode", () => {
  it("is the piece of a run that stands in the new file, exported there or not", () => {
    const added = lines("import y;", `export ${SECOND[0]}`, ...SECOND.slice(1));
    expect(movedCode(added, [[...FIRST, ...SECOND]])).toBe(lines(...SECOND));
  });

  it("goes on over two telling lines that were changed, not over three", () => {
    const run = ["start here", "one one", "two two", "then here", "last here"];
    const added = lines("start here", "changed", "then here", "last here");
    expect(movedCode(added, [run])).toBe(lines(...run));
    const far = ["start here", "one one", "two two", "three three", "then here", "last here"];
    expect(movedCode(added, [far])).toBe(lines("then here", "last here"));
  });

  it("joins what came from several places, and takes one line alone for none", () => {
    const added = lines(...FIRST, ...SECOND);
    expect(movedCode(added, [SECOND, ["other"], FIRST])).toBe(lines(...SECOND, ...FIRST));
    expect(movedCode(lines("return b;", "}"), [FIRST])).toBeNull();
    expect(movedCode("", [FIRST])).toBeNull();
  });
});
