import { Combination } from "js-combinatorics";
import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
import {
  holdsFormattedLine,
  holdsRenamedLines,
  meansTheSame,
  otherLines,
} from "../../../src/distractors/location/candidate-lines.js";
import { hardTriples } from "../../../src/distractors/location/location-draws.js";
import { LOCATION_WEIGHTS, type LocationHunk } from "../../../src/distractors/location/location-features.js";
import { locationChoices } from "../../../src/distractors/location/matched-locations.js";
import { Selection } from "../../../src/distractors/selection/selection.js";
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
  return { truth, lines: typeof lines === "number" ? statements(lines) : lines, changeType, review: "" };
}

function choicesOf(of: LocationHunk, seed = 0) {
  return locationChoices(of, `hunk ${seed}`, seededIntegers(seed));
}

/** Questions of a benchmark, chosen together. */
async function build(hunks: readonly LocationHunk[]) {
  const choices = hunks.map((of, i) => {
    const own = choicesOf(of, i);
    if (own === null) throw new Error("too few lines");
    return own;
  });
  const questions = choices.flatMap(({ easy, hard }) => [easy, hard]);
  const chosen = await new Selection(LOCATION_WEIGHTS).choose(questions);
  const wrong = (i: number) => questions[i]?.triples[chosen[i] ?? 0] ?? [];
  return hunks.map((of, i) => ({ of, easy: wrong(2 * i), hard: wrong(2 * i + 1) }));
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

describe("locationChoices", () => {
  const overlaps = (of: LocationHunk, triples: readonly (readonly (readonly number[])[])[] = []) =>
    triples.flatMap((triple) => [...new Combination([of.truth, ...triple], 2)].map(([a, b]) => jaccard(a!, b!)));

  it("keeps the paper's difficulties: hard ones all but one line alike, easy ones apart where there is room", () => {
    for (const of of [hunk([9], 24), hunk([9, 10], 24), hunk([9, 10, 11], 24), hunk([9, 10, 14], 24)]) {
      const size = of.truth.length;
      const { easy, hard } = choicesOf(of) ?? {};
      expect(new Set(overlaps(of, hard?.triples))).toEqual(new Set([(size - 1) / (size + 1)]));
      expect(new Set(overlaps(of, easy?.triples))).toEqual(new Set([0]));
      expect(easy?.triples.flat().every((set) => set.length === size)).toBe(true);
    }
  });

  it("leaves no fixed rule that does not read much above or below a quarter, on 64 questions", async () => {
    const questions = await build(syntheticBenchmark(64));
    for (const form of ["easy", "hard"] as const) {
      for (const { name, score } of LOCATION_RULES.filter(({ sees }) => sees !== "lexical")) {
        const shares = questions.map(({ of, [form]: wrong }) =>
          shareOfRight(score({ ...of, locations: [of.truth, ...wrong] })),
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
    const drawn = (truth: readonly number[]) => {
      const others = lines.filter((line) => !truth.includes(line));
      return hardTriples({ truth, others, words: () => 0, likeness: () => 0 }, seededIntegers(1));
    };
    const familiesOf = (truth: readonly number[]) => new Set(drawn(truth).map((triple) => named([truth, ...triple])));
    for (const triple of drawn([2, 3, 5])) {
      const options = [[2, 3, 5], ...triple];
      for (const option of options) expect(familiesOf(option)).toContain(named(options));
    }
  });

  it("is the same by the same seed", async () => {
    const hunks = syntheticBenchmark(8);
    expect(await build(hunks)).toEqual(await build(hunks));
  });

  it("has easy options of lines that follow each other where the truth's do", () => {
    const { easy } = choicesOf(hunk([8, 9, 10], 30)) ?? {};
    expect(easy?.triples.length).toBeGreaterThan(20);
    expect(easy?.triples.flat().filter((set) => runsOf(set) > 1)).toEqual([]);
  });

  it("lets easy options share a line rather than scatter their lines, and fewer than the hard ones share", () => {
    // Beside 5, 6, 7 of 12 lines there are five such triples that share none: 1 2 3 or 2 3 4 with 8 9 10 … and no third.
    const of = hunk([5, 6, 7], 12);
    const triples = choicesOf(of)?.easy.triples ?? [];
    expect(triples.length).toBeGreaterThan(0);
    expect(triples.flat().every((set) => runsOf(set) === 1)).toBe(true);
    // One of five lines; hard ones have two of four.
    expect(Math.max(...overlaps(of, triples))).toBe(1 / 5);
  });

  it("offers lines like each other where the truth is scattered over such lines", () => {
    const lines = ["open(a);", "x = 1;", "check(a);", "y = 2;", "open(b);", "z = 3;", "check(b);", "return x + y + z;"];
    const triples = choicesOf(hunk([1, 5], lines))?.easy.triples ?? [];
    expect(triples.some((triple) => triple.some((set) => String(set) === "3,7"))).toBe(true);
  });

  it("leaves what is asked whole in the right option alone, where another line can be dropped", () => {
    // Dropping the bracket would leave both statements in all four options.
    const lines = ["a = 1;", "b = 2;", "if (c) {", "d();", "}", "e = 3;", "f = 4;", "g = 5;", "h = 6;"];
    const triples = choicesOf(hunk([3, 4, 5], lines))?.hard.triples ?? [];
    expect(triples.length).toBeGreaterThan(0);
    expect(triples.filter((triple) => triple.every((set) => set.includes(3) && set.includes(4)))).toEqual([]);
  });

  it("has lines that the review names in a share of the wrong options", () => {
    const lines = [...statements(27), "total = price * count;", "check(price, count);", "log(count, price);"];
    const of = { ...hunk([28], lines), review: "The price is multiplied by the count too late." };
    const triples = choicesOf(of)?.easy.triples ?? [];
    // Two of 29 lines: by an even draw in 1 − (27 · 26 · 25)/(29 · 28 · 27), 20 % of the triples.
    const named = triples.filter((triple) => triple.flat().some((line) => line >= 29)).length;
    expect(named / triples.length).toBeGreaterThan(0.4);
  });

  it.each([
    // k = n.
    [[1, 2, 3, 4], 4, false],
    // k of k + 1: each leaves out another.
    [[1, 2, 4], 4, true],
    // Two of four: no four pairs of lines share a line with each other.
    [[1, 2], 4, false],
    [[1, 2], 5, true],
    [[2], 4, true],
    [[2], 3, false],
  ])("handles tight hunks: %j of %i", (truth, lines, isBuilt) => {
    expect(choicesOf(hunk(truth, lines)) !== null).toBe(isBuilt);
  });

  it("has a lone bracket where there are no three others", () => {
    expect(choicesOf(hunk([1], ["a = 1;", "b = 2;", "", "}", "c = 3;"]))?.hard.triples).toEqual([[[2], [4], [5]]]);
  });

  it("is nothing where no three lines could be meant, not even with a lone bracket", () => {
    expect(choicesOf(hunk([1], ["a = 1;", "b = 2;", "", "}"]))).toBeNull();
  });

  it("does not count through the sets of a large hunk: 15 of 49 lines, of which there are 10^12", () => {
    // 10^12 sets would take days.
    const truth = Array.from({ length: 15 }, (_, i) => i + 12);
    expect(choicesOf(hunk(truth, 49))?.easy.triples.length).toBeGreaterThan(0);
  });

  it("makes no line of one that is not there, where a single line is left beside the truth", () => {
    // Lines 3 to 5 of five are meant, the second is a bracket: line 1 alone can be exchanged, and with nothing.
    const of = hunk([3, 4, 5], ["mode = 'a';", "}", "total = 1;", "used = 2;", "free = 3;"]);
    for (let seed = 0; seed < 20; seed++) {
      const { easy, hard } = choicesOf(of, seed) ?? {};
      const lines = [...(easy?.triples ?? []), ...(hard?.triples ?? [])].flat(2);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.every((line) => line >= 1 && line <= 5)).toBe(true);
    }
  });
});

describe("otherLines", () => {
  const lines = ["a = 1;", "", "b = 2;", "}", "c = 3;", "a = 1;", "d = 4;"];

  it("names no blank line, no lone bracket, and no line that reads as the truth, for a truth of one line", () => {
    expect(otherLines(hunk([1], lines))).toEqual([3, 5, 7]);
  });

  it("names them for a truth that has one", () => {
    expect(otherLines(hunk([3, 4], lines))).toEqual([1, 2, 5, 6, 7]);
  });

  it("names a lone bracket where that is asked for, but no blank line", () => {
    expect(otherLines(hunk([1], lines), true)).toEqual([3, 4, 5, 7]);
  });

  it("names no insertion point with fewer than two lines between it and a true one, blank ones aside", () => {
    // From gap 1: 0 is behind "a", 2 behind nothing, 3 behind "b"; 4 behind "b" and "}".
    expect(otherLines(hunk([1], lines, "add"))).toEqual([4, 5, 6, 7]);
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

describe("holdsFormattedLine", () => {
  const old = "-int  a = 1;\n-run(b);\n c();";
  it.each([
    // The first line was aligned anew, beside a change.
    [old, "+int a = 1;\n+run(c);\n c();", true],
    // Both lines were: all the change there is.
    ["-int  a = 1;\n-run( b);", "+int a = 1;\n+run(b);", false],
    // Wrapped code moves in.
    ["-run(b);\n-stop(a);", "+if (c) {\n+  run(b);\n+}\n+stop(b);", false],
    // A line that moved as it is.
    ["-run(b);\n-stop(a);", "+stop(b);\n+run(b);", false],
  ])("is told of %j and %j", (before, after, expected) => {
    expect(holdsFormattedLine(before, after)).toBe(expected);
  });
});

describe("holdsRenamedLines", () => {
  const old = "-int n = f();\n-run(n);\n-stop(n, n);\n c();";
  const fresh = "+int count = g();\n+run(count);\n+stop(count, count);\n c();";
  it.each([
    // Two lines of three follow from a name that nobody asked for; the first one does something else.
    [old, fresh, "Call g.", true],
    // The review has the name.
    [old, fresh, "Rename n and call g.", false],
    // All lines do: the renaming is what was asked for.
    ["-run(n);\n-stop(n);", "+run(count);\n+stop(count);", "Unclear.", false],
    // One line of two.
    ["-int n = f();\n-run(n);", "+int count = g();\n+run(count);", "Call g.", false],
  ])("is told of %j, %j and %j", (before, after, review, expected) => {
    expect(holdsRenamedLines(before, after, review)).toBe(expected);
  });
});
