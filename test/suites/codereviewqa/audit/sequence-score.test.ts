import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Logprob } from "../../../../src/base/symbol.js";
import type { TokenScores } from "../../../../src/model/requests.js";
import {
  bitsPerCharacter,
  perplexity,
  sequenceScore,
  startingPoints,
} from "../../../../src/suites/codereviewqa/audit/sequence-score.js";

const EVEN = { mode: "even", seed: 0 } as const;
const TEXT = "abcdefghijk";

/** Scores of a text of one-letter tokens. */
function scores(
  logprobs: readonly (number | null)[],
  isGreedy: readonly (boolean | null)[] = logprobs.map(() => true),
): TokenScores {
  return { tokens: null, ends: logprobs.map((_, i) => i + 1), logprobs: logprobs as (Logprob | null)[], isGreedy };
}

describe("a text's score", () => {
  it("sums the negative log probabilities of the predicted tokens", () => {
    // A model without BOS: the first of four tokens is not predicted. 1 + 2 + 3 = 6 over 3 tokens, perplexity e².
    const score = sequenceScore("abcd", scores([null, -1, -2, -3]), EVEN);
    expect(score).toMatchObject({ tokens: 3, nll: 6, characters: 4 });
    expect(perplexity(score!)).toBeCloseTo(Math.exp(2), 12);
    // 6 nats are 6 / ln 2 bits, over 4 characters.
    expect(bitsPerCharacter(score!)).toBeCloseTo(6 / Math.LN2 / 4, 10);
  });

  it("has a perplexity of the alphabet's size for a uniform model", () => {
    const uniform = scores(Array.from(TEXT, () => -Math.log(26)));
    expect(perplexity(sequenceScore(TEXT, uniform, EVEN)!)).toBeCloseTo(26, 10);
  });

  it("counts an n-gram as hit when all of its five tokens are the greedy ones, and shows it", () => {
    // 5-grams begin at 2 … 6. A miss at token 3 (d) spoils those at 2 and 3; the one at 4 is e … i.
    const isGreedy = Array.from(TEXT, (letter) => letter !== "d");
    const score = sequenceScore(
      TEXT,
      scores(
        Array.from(TEXT, () => -1),
        isGreedy,
      ),
      EVEN,
    );
    expect(score).toMatchObject({ ngramStarts: 5, ngramHits: 3 });
    expect(score?.hits).toEqual([
      { start: 4, text: "efghi" },
      { start: 5, text: "fghij" },
      { start: 6, text: "ghijk" },
    ]);
  });

  it("does not look at tokens that no n-gram has", () => {
    const isGreedy = Array.from(TEXT, (_, i) => i >= 2);
    expect(
      sequenceScore(
        TEXT,
        scores(
          Array.from(TEXT, () => -1),
          isGreedy,
        ),
        EVEN,
      )?.ngramHits,
    ).toBe(5);
  });

  it("has no hits where the engine does not tell the greedy token", () => {
    const unknown = scores(
      Array.from(TEXT, () => -1),
      Array.from(TEXT, () => null),
    );
    expect(sequenceScore(TEXT, unknown, EVEN)).toMatchObject({ ngramStarts: 5, ngramHits: null, hits: [] });
  });

  it("knows a miss even where another token of the n-gram is not told", () => {
    // Token 6 (g) is in every 5-gram and wrong; token 4 is unknown.
    const isGreedy = Array.from(TEXT, (_, i) => (i === 6 ? false : i === 4 ? null : true));
    expect(
      sequenceScore(
        TEXT,
        scores(
          Array.from(TEXT, () => -1),
          isGreedy,
        ),
        EVEN,
      ),
    ).toMatchObject({ ngramHits: 0 });
  });

  it("keeps the perplexity of a text that is too short for n-grams", () => {
    const score = sequenceScore("abcdefghij", scores(Array.from("abcdefghij", () => -1)), EVEN);
    expect(score).toMatchObject({ tokens: 10, ngramStarts: 0, ngramHits: null });
  });

  it.each([
    ["no token is predicted", scores([null])],
    ["there is no token", scores([])],
    ["a token has the probability 0", scores([-1, Number.NEGATIVE_INFINITY])],
  ])("is absent when %s", (_, given) => {
    expect(sequenceScore("ab", given, EVEN)).toBeNull();
  });
});

describe("evenly spread starting points", () => {
  it("go from the third token to the last 5-gram", () => {
    // 100 tokens: from 2 to 95 in steps of 93/4 = 23.25: 2, 25.25, 48.5, 71.75, 95, rounded down.
    expect(startingPoints(100, "even", 0)).toEqual([2, 25, 48, 71, 95]);
  });

  it("touch each other in the shortest text that has five", () => {
    // 11 tokens: 5-grams begin at 2 … 6.
    expect(startingPoints(11, "even", 0)).toEqual([2, 3, 4, 5, 6]);
  });

  it.each([0, 6, 10])("are absent for %i tokens", (tokens) => {
    expect(startingPoints(tokens, "even", 0)).toBeNull();
    expect(startingPoints(tokens, "random", 0)).toBeNull();
  });

  it("do not depend on the seed", () => {
    expect(startingPoints(77, "even", 1)).toEqual(startingPoints(77, "even", 2));
  });
});

describe("drawn starting points", () => {
  it("are five different places from which a whole 5-gram fits, in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 3000 }), fc.nat(), (tokens, seed) => {
        const points = startingPoints(tokens, "random", seed) ?? [];
        expect(points).toHaveLength(5);
        expect(points).toEqual([...new Set(points)].sort((a, b) => a - b));
        expect(points[0]).toBeGreaterThanOrEqual(2);
        expect(points[4]).toBeLessThanOrEqual(tokens - 5);
      }),
      { seed: 1 },
    );
  });

  it("are the same for the same seed, and others for another", () => {
    expect(startingPoints(500, "random", 7)).toEqual(startingPoints(500, "random", 7));
    expect(startingPoints(500, "random", 7)).not.toEqual(startingPoints(500, "random", 8));
  });

  it("reach every place", () => {
    // 12 tokens: 5-grams begin at 2 … 7.
    const seen = new Set(Array.from({ length: 50 }, (_, seed) => startingPoints(12, "random", seed) ?? []).flat());
    expect([...seen].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7]);
  });
});
