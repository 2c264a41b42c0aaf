import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { exactMatch, paperExactMatch } from "../../../../../src/suites/codereviewqa/metric/written/exact-match.js";
import { scoreGeneration } from "../../../../../src/suites/codereviewqa/metric/written/generation-score.js";
import { loadSyntax, type Syntax } from "../../../../../src/syntax/load.js";
import { ANY_CHARACTER } from "../../../../fixtures/any-character.js";
import { NO_MATCH } from "../../../../fixtures/generation.js";

let python: Syntax;

beforeAll(async () => {
  python = await loadSyntax("python");
});

const scoreBoth = (lines: readonly string[], generation: string) => ({
  ...exactMatch(python, lines, generation),
  ...paperExactMatch(lines, generation),
});

const numbered = (lines: readonly string[]) => lines.map((line, i) => `${i + 1} ${line}`).join("\n");
const words = (lines: readonly string[]) => lines.join("\n").split(/\s+/).filter(Boolean);
const squeezed = (lines: readonly string[]) => words(lines).join("");

/** Lines of Python that are often equal, equal but for whitespace or comments, or parts of each other. */
const line = fc.constantFrom("a", "b", "a b", "ab", "  a", "", "c()", "# a", "# b", "a # b", "a // b", "'# a'");
const code = fc.array(line, { maxLength: 5 });
/** The reference, and code of our own around or in place of it. */
const similarPair = fc.oneof(
  fc.tuple(code, code),
  fc.tuple(code, code, code).map(([before, core, after]) => [core, [...before, ...core, ...after]] as const),
);
const RUNS = { seed: 1, numRuns: 1500 };

describe("scoreGeneration", () => {
  it("gives every column of one generation", async () => {
    const score = await scoreGeneration({
      language: "c",
      postReviewLines: ["int a;", "int  b = 1; // one"],
      generation: "1 int a;\n2 int b=1;\n",
    });
    // tokens: int a ; int b = 1 ; (8), reference with "/ / one" 11. All n-grams match: BLEU = e^(1 − 11/8).
    // 15 of the 25 characters are left, in order (6 + 1 + 8 of 6 + 1 + 18): 10 to add
    const { bleu, editSimilarity, ...exact } = score;
    expect(bleu).toBeCloseTo(Math.exp(1 - 11 / 8), 12);
    expect(editSimilarity).toBeCloseTo(15 / 25, 12);
    expect(exact).toEqual({
      em: false,
      emTrim: false,
      emNoSpace: false,
      emNoComment: true,
      paperEm: false,
      paperEmTrim: false,
      paperEmNoSpace: false,
      paperEmNoComment: true,
    });
  });

  it("scores an empty generation: nothing matches, the graded metrics are 0", async () => {
    const score = await scoreGeneration({ language: "go", postReviewLines: ["x := 1"], generation: "" });
    expect(score).toEqual(NO_MATCH);
  });

  it("leaves BLEU absent where all code is deleted", async () => {
    const score = await scoreGeneration({ language: "go", postReviewLines: [""], generation: "\n" });
    expect(score).toMatchObject({ em: true, bleu: null, editSimilarity: 1 });
  });

  it("takes any text for a generation", async () => {
    const text = fc.string({ unit: ANY_CHARACTER, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), text, async (postReviewLines, generation) => {
        const score = await scoreGeneration({ language: "javascript", postReviewLines, generation });
        expect(score.editSimilarity).toBeGreaterThanOrEqual(0);
        expect(score.bleu ?? 0).toBeLessThanOrEqual(1);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe("the corrected and the paper's exact match", () => {
  it("both hold for the code with its numbers, up to line 99", () => {
    const anyLine = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, " "));
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 99 }), (lines) => {
        expect(Object.values(scoreBoth(lines, numbered(lines)))).toEqual(Array(8).fill(true));
      }),
      { seed: 1 },
    );
  });

  it("without numbers, only the corrected holds, unless two characters of each line were blank (quirk 1)", () => {
    fc.assert(
      fc.property(code, (lines) => {
        const { em, paperEm } = scoreBoth(lines, lines.join("\n"));
        expect(em).toBe(true);
        expect(paperEm).toBe(lines.every((text) => text.slice(0, 2).trim() === ""));
      }),
      RUNS,
    );
  });

  it("em differs only in whitespace (quirk 2)", () => {
    fc.assert(
      fc.property(similarPair, ([reference, generated]) => {
        const { em, paperEm, emNoSpace } = scoreBoth(reference, numbered(generated));
        if (em) expect(paperEm).toBe(true);
        if (paperEm && !em) {
          expect(reference).not.toEqual(generated);
          expect(emNoSpace).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it("em_trim differs only by layout, parts of lines, or text before the code (quirks 2, 3, 6)", () => {
    fc.assert(
      fc.property(similarPair, ([reference, generated]) => {
        const { emTrim, paperEmTrim } = scoreBoth(reference, numbered(generated));
        const [expected, found] = [words(reference), words(generated)];
        const starts = found.map((_, i) => i).filter((i) => expected.every((word, j) => word === found[i + j]));
        if (paperEmTrim && !emTrim) expect(expected.length === 0 || starts.length > 0).toBe(true);
        if (emTrim && !paperEmTrim) expect(Math.min(...starts)).toBeGreaterThan(0);
      }),
      RUNS,
    );
  });

  it("em_no_space differs only where the generation holds more (quirks 4, 6)", () => {
    fc.assert(
      fc.property(similarPair, ([reference, generated]) => {
        const { emNoSpace, paperEmNoSpace } = scoreBoth(reference, numbered(generated));
        if (emNoSpace) expect(paperEmNoSpace).toBe(true);
        if (paperEmNoSpace && !emNoSpace) {
          expect(squeezed(generated)).toContain(squeezed(reference));
          expect(squeezed(generated).length).toBeGreaterThan(squeezed(reference).length);
        }
      }),
      RUNS,
    );
  });

  it("em_no_comment differs from em_no_space only where there are comment marks (quirk 5)", () => {
    fc.assert(
      fc.property(similarPair, ([reference, generated]) => {
        const score = scoreBoth(reference, numbered(generated));
        if (/#|\/\//.test([...reference, ...generated].join("\n"))) return;
        expect(score.emNoComment).toBe(score.emNoSpace);
        expect(score.paperEmNoComment).toBe(score.paperEmNoSpace);
      }),
      RUNS,
    );
  });

  it("the corrected em implies the other three", () => {
    fc.assert(
      fc.property(similarPair, fc.boolean(), ([reference, generated], echoes) => {
        const score = exactMatch(python, reference, echoes ? numbered(generated) : generated.join("\n"));
        if (score.em) expect(Object.values(score)).toEqual([true, true, true, true]);
      }),
      RUNS,
    );
  });
});
