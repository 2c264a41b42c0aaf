import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  codeTokens,
  corpusBleu,
  countNgrams,
  sentenceBleu,
} from "../../../../../src/suites/codereviewqa/metric/written/bleu.js";

const pair = (reference: string, generation: string) => ({ postReviewLines: reference.split("\n"), generation });

describe("codeTokens", () => {
  it("are words, and every other character but whitespace", () => {
    expect(codeTokens("a.b_1 +=1.5;\n\t$x")).toEqual(["a", ".", "b_1", "+", "=", "1", ".", "5", ";", "$", "x"]);
  });

  it("keep letters of any script together, and an emoji whole", () => {
    expect(codeTokens("größe=e\u0301t😀é")).toEqual(["größe", "=", "e\u0301t", "😀", "é"]);
    expect(codeTokens(" \n")).toEqual([]);
  });
});

describe("sentenceBleu", () => {
  it("clips the counts by the reference (the example of Papineni et al.)", () => {
    // "the" 7 times, 2 in the reference: p1 = 2/7. No longer n-gram matches: p2 = (0+1)/(6+1), p3 = 1/6, p4 = 1/5.
    // 7 tokens against 6: no brevity penalty.
    const value = sentenceBleu(pair("the cat is on the mat", "the the the the the the the"));
    expect(value).toBeCloseTo(((2 / 7) * (1 / 7) * (1 / 6) * (1 / 5)) ** 0.25, 12);
  });

  it("adds one to matches and totals of the longer n-grams only", () => {
    // a b c d e against a b c x e: 4 of 5, (2+1)/(4+1), (1+1)/(3+1), (0+1)/(2+1)
    expect(sentenceBleu(pair("a b c d e", "a b c x e"))).toBeCloseTo((0.8 * 0.6 * 0.5 * (1 / 3)) ** 0.25, 12);
  });

  it("punishes brevity", () => {
    // all 4 tokens right, of 8: e^(1 − 8/4)
    expect(sentenceBleu(pair("a b c d e f g h", "a b c d"))).toBeCloseTo(Math.exp(-1), 12);
  });

  it("does not punish length but by precision", () => {
    // 2 of 4, (1+1)/(3+1), (0+1)/(2+1), (0+1)/(1+1)
    expect(sentenceBleu(pair("a b", "a b c d"))).toBeCloseTo((0.5 * 0.5 * (1 / 3) * 0.5) ** 0.25, 12);
  });

  it("of equal code is 1, though it be a single token", () => {
    expect(sentenceBleu(pair("a", "1 a\n"))).toBe(1);
    expect(sentenceBleu(pair("a\nb", "a b"))).toBe(1);
  });

  it("is 0 for an empty generation or nothing in common, absent for an empty reference", () => {
    expect(sentenceBleu(pair("a b", ""))).toBe(0);
    expect(sentenceBleu(pair("a b", "c d"))).toBe(0);
    expect(sentenceBleu(pair("", "a"))).toBeNull();
    expect(sentenceBleu(pair("\n", ""))).toBeNull();
  });

  it("is 0 to 1, and 1 for the code itself", () => {
    const code = fc.array(fc.constantFrom("a", "b", "(", ")", "😀"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(code, code, (reference, generation) => {
        const value = sentenceBleu(pair(reference.join(" "), generation.join(" ")));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(sentenceBleu(pair(reference.join(" "), reference.join("\n")))).toBe(1);
      }),
      { seed: 1 },
    );
  });
});

const bleuOf = (pairs: readonly ReturnType<typeof pair>[]) => corpusBleu(pairs.map(countNgrams));

describe("corpusBleu", () => {
  it("adds up counts over pairs before it divides", () => {
    // 4/5, 3/4, 2/3, 1/2 and 1/2, 0/1, –, –: together 5/7, 3/5, 2/3, 1/2, product 1/7; 7 tokens against 7
    const { value, n } = bleuOf([pair("a b c d f", "a b c d e"), pair("x z", "x y")]);
    expect(value).toBeCloseTo((1 / 7) ** 0.25, 12);
    expect(n).toBe(2);
  });

  it("adds up lengths too: a long generation makes up for a short one", () => {
    // 4 + 4 tokens against 6 + 2; p = 6/8, 4/6, 2/4, 1/2: abcd of abcdef (4, 3, 2, 1), ab of abxy (2, 1, 0, 0)
    const { value } = bleuOf([pair("a b c d e f", "a b c d"), pair("a b", "a b x y")]);
    expect(value).toBeCloseTo(((6 / 8) * (4 / 6) * (2 / 4) * (1 / 2)) ** 0.25, 12);
  });

  it("counts an empty generation: it costs brevity", () => {
    // 4 tokens against 8
    expect(bleuOf([pair("a b c d", "a b c d"), pair("e f g h", "")])).toEqual({ value: Math.exp(-1), n: 2 });
    expect(bleuOf([pair("a b c d", "")])).toEqual({ value: 0, n: 1 });
  });

  it("is 0 without a common 4-gram: no smoothing", () => {
    expect(bleuOf([pair("a b c d e", "a b c x e")])).toEqual({ value: 0, n: 1 });
  });

  it("leaves out pairs with an empty reference", () => {
    expect(bleuOf([pair("a b c d", "a b c d"), pair("", "x y")])).toEqual({ value: 1, n: 1 });
  });

  it("is undefined without pairs, and where all matches but none can have four tokens", () => {
    expect(bleuOf([])).toEqual({ value: null, n: 0 });
    expect(bleuOf([pair("", "x")])).toEqual({ value: null, n: 0 });
    expect(bleuOf([pair("a b", "a b")])).toEqual({ value: null, n: 1 });
    expect(bleuOf([pair("a b", "b a")])).toEqual({ value: 0, n: 1 });
  });

  it("compares code without its echoed line numbers", () => {
    expect(bleuOf([pair("a b\nc d", "1 a b\n2 c d\n")]).value).toBe(1);
  });

  it("does not depend on the order of the pairs", () => {
    const code = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 }).map((tokens) => tokens.join(" "));
    fc.assert(
      fc.property(fc.array(fc.tuple(code, code), { maxLength: 6 }), (texts) => {
        const pairs = texts.map(([reference, generation]) => pair(reference, generation));
        expect(bleuOf(pairs.toReversed())).toEqual(bleuOf(pairs));
      }),
      { seed: 1 },
    );
  });
});
