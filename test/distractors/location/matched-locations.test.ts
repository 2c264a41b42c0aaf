import { Combination } from "js-combinatorics";
import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
import { LocationBalance, type LocationHunk } from "../../../src/distractors/location/location-balance.js";
import {
  enterLocations,
  hardTriples,
  matchedLocations,
  meansTheSame,
  otherLines,
} from "../../../src/distractors/location/matched-locations.js";
import { LOCATION_RULES, runsOf } from "../../../src/question/floors/location-rules.js";
import { shareOfRight } from "../../../src/question/floors/rule.js";
import { jaccard } from "../../fixtures/location-sets.js";

const NAMES = ["alpha", "beta(x)", "return gamma", "if (delta)", "const epsilon = 1", "call(zeta, eta)"];

function statements(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${NAMES[(i * 5) % 6]} ${"w".repeat((i * 7) % 11)}${i};`);
}

function hunk(
  truth: readonly number[],
  lines: number | readonly string[],
  changeType: LocationHunk["changeType"] = "modify",
) {
  return { truth, lines: typeof lines === "number" ? statements(lines) : lines, changeType };
}

function build(of: LocationHunk, balance = new LocationBalance(), seed = 0) {
  const built = matchedLocations(of, balance, seededIntegers(seed));
  if (built.status !== "built") throw new Error(built.status);
  return built;
}

/** Changes of one line and of runs of two and three, and of two runs, anywhere in hunks of 14 to 20 lines. */
function syntheticBenchmark(count: number): LocationHunk[] {
  const draw = seededIntegers(7);
  return Array.from({ length: count }, (_, i) => {
    const lines = draw(14, 20);
    const at = draw(1, lines - 6);
    const truth = [[at], [at, at + 1], [at, at + 1, at + 2], [at, at + 1, at + 5]][i % 4] ?? [at];
    return hunk(truth, lines);
  });
}

describe("matchedLocations", () => {
  it("keeps the paper's difficulties: hard ones all but one line alike, easy ones apart where there is room", () => {
    for (const of of syntheticBenchmark(8)) {
      const size = of.truth.length;
      const { easy, hard } = build(of);
      for (const [a, b] of new Combination([of.truth, ...hard], 2)) {
        expect(jaccard(a!, b!)).toBe((size - 1) / (size + 1));
      }
      // 4 · 3 of at least 14 lines.
      for (const [a, b] of new Combination([of.truth, ...easy], 2)) expect(jaccard(a!, b!)).toBe(0);
      expect([...easy, ...hard].every((set) => set.length === size)).toBe(true);
    }
  });

  it("leaves no fixed rule that does not read much above or below a quarter, on 64 questions", () => {
    const balance = new LocationBalance();
    const hunks = syntheticBenchmark(64);
    const questions = hunks.map((of) => ({ of, ...build(of, balance) }));
    for (const form of ["easy", "hard"] as const) {
      for (const { name, score } of LOCATION_RULES.filter(({ sees }) => sees !== "lexical")) {
        const shares = questions.map(({ of, [form]: wrong }) =>
          shareOfRight(score({ ...of, review: "", locations: [of.truth, ...wrong] })),
        );
        const share = shares.reduce((sum, each) => sum + each, 0) / shares.length;
        // Binomial with p = 1/4, n = 64: standard deviation 0.054, two of them.
        expect([name, form, Math.abs(share - 0.25) < 0.108]).toEqual([name, form, true]);
      }
    }
  });

  it("is made of families in which each member could have been the truth: any of them brings the same four sets", () => {
    const named = (sets: readonly (readonly number[])[]) => sets.map(String).toSorted().join("|");
    const lines = Array.from({ length: 7 }, (_, i) => i + 1);
    const familiesOf = (truth: readonly number[]) => {
      const others = lines.filter((line) => !truth.includes(line));
      return new Set(hardTriples(truth, others, seededIntegers(1)).map((triple) => named([truth, ...triple])));
    };
    for (const triple of hardTriples([2, 3, 5], [1, 4, 6, 7], seededIntegers(1))) {
      const options = [[2, 3, 5], ...triple];
      for (const option of options) expect(familiesOf(option)).toContain(named(options));
    }
  });

  it("is the same by the same seed and the same questions before, another by others before", () => {
    const hunks = syntheticBenchmark(8);
    const all = () => {
      const balance = new LocationBalance();
      return hunks.map((of, i) => build(of, balance, i));
    };
    expect(all()).toEqual(all());
    expect(all().slice(1)).not.toEqual(hunks.slice(1).map((of, i) => build(of, new LocationBalance(), i + 1)));
  });

  it("goes on from what was built as if it had not stopped", () => {
    const hunks = syntheticBenchmark(10);
    const whole = new LocationBalance();
    const all = hunks.map((of, i) => build(of, whole, i));
    const resumed = new LocationBalance();
    for (const [i, of] of hunks.slice(0, 5).entries()) enterLocations(of, all[i]!, resumed);
    expect(hunks.slice(5).map((of, i) => build(of, resumed, i + 5))).toEqual(all.slice(5));
  });

  it("gives distractors as many runs as the truth has, where there is room", () => {
    const { easy } = build(hunk([8, 9, 10], 30));
    expect(easy.filter((set) => runsOf(set) === 1).length).toBeGreaterThanOrEqual(1);
  });

  it("builds nothing, and counts nothing, where no three lines could be meant", () => {
    const balance = new LocationBalance();
    const few = hunk([1], ["a = 1;", "b = 2;", "", "}", "c = 3;"]);
    expect(matchedLocations(few, balance, seededIntegers(0)).status).toBe("too_few_lines");
    expect(build(hunk([3], 9), balance)).toEqual(build(hunk([3], 9), new LocationBalance()));
  });

  it.each([
    // k = n.
    [[1, 2, 3, 4], 4, "too_few_lines"],
    // k of k + 1: each leaves out another.
    [[1, 2, 4], 4, "built"],
    // Two of four: no four pairs of lines share a line with each other.
    [[1, 2], 4, "too_few_lines"],
    [[1, 2], 5, "built"],
    [[2], 4, "built"],
    [[2], 3, "too_few_lines"],
  ])("handles tight hunks: %j of %i", (truth, lines, status) => {
    expect(matchedLocations(hunk(truth, lines), new LocationBalance(), seededIntegers(0)).status).toBe(status);
  });

  it("does not count through the sets of a large hunk: 15 of 49 lines, of which there are 10^12", () => {
    // 10^12 sets would take days.
    build(
      hunk(
        Array.from({ length: 15 }, (_, i) => i + 12),
        49,
      ),
    );
  });
});

it("makes no line of one that is not there, where a single line is left beside the truth", () => {
  // Lines 3 to 5 of five are meant, the second is a bracket: line 1 alone can be exchanged, and with nothing.
  const of: LocationHunk = {
    truth: [3, 4, 5],
    lines: ["mode = 'a';", "}", "total = 1;", "used = 2;", "free = 3;"],
    changeType: "modify",
  };
  for (let seed = 0; seed < 20; seed++) {
    const built = matchedLocations(of, new LocationBalance(), seededIntegers(seed));
    if (built.status !== "built") throw new Error(built.status);
    expect([...built.easy, ...built.hard].flat().every((line) => line >= 1 && line <= 5)).toBe(true);
  }
});

describe("otherLines", () => {
  const lines = ["a = 1;", "", "b = 2;", "}", "c = 3;", "a = 1;"];

  it("names no blank line, no lone bracket, and no line that reads as the truth, for a truth of one line", () => {
    expect(otherLines(hunk([1], lines))).toEqual([3, 5]);
  });

  it("names them for a truth that has one", () => {
    expect(otherLines(hunk([3, 4], lines))).toEqual([1, 2, 5, 6]);
  });

  it("names no insertion point with fewer than two lines between it and a true one, blank ones aside", () => {
    // From gap 1: 0 is behind "a", 2 behind nothing, 3 behind "b"; 4 behind "b" and "}".
    expect(otherLines(hunk([1], lines, "add"))).toEqual([4, 5, 6]);
  });
});

describe("meansTheSame", () => {
  it("holds of a location that differs from the truth in a blank line alone", () => {
    const of = hunk([2, 3], ["", "delete a;", "", "b();"]);
    expect([meansTheSame([1, 2], of), meansTheSame([2, 4], of), meansTheSame([3, 4], of)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
