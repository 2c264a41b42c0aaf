import { describe, expect, it } from "vitest";
import { probe as acr } from "../../../../../probes/acr.js";
import { probe as cl } from "../../../../../probes/cl.js";
import { probe as clo } from "../../../../../probes/clo.js";
import { scoreWritten } from "../../../../../src/suites/codereviewqa/metric/written/generation-summary.js";
import {
  isExact,
  type ScoredGeneration,
} from "../../../../../src/suites/codereviewqa/metric/written/scored-generation.js";
import { FAILED, makeGeneration, makeScoredGeneration, text } from "../../../../fixtures/generation.js";

describe("scoreWritten", () => {
  it.each([
    ["a probe that has code written", acr],
    ["a probe of options", cl],
    ["no probe that is known", undefined],
  ])("scores what was written as code for %s, and the pre-review code in its place", async (_, probe) => {
    const { measured, open } = await scoreWritten(makeGeneration(), probe);
    expect(open).toBeUndefined();
    expect(measured?.score.em).toBe(true);
    // `return 0` in place of `return 1`: one of 21 characters of two lines is another.
    expect(measured?.copy?.score).toMatchObject({ em: false, editSimilarity: 1 - 1 / 21 });
  });

  it("has no score of code for a generation that failed, and no copy where the pre-review code was not recorded", async () => {
    expect(await scoreWritten(makeGeneration({ outcome: FAILED }), acr)).toEqual({ measured: null });
    expect((await scoreWritten(makeGeneration({ preReview: null }), acr)).measured?.copy).toBeNull();
  });

  it("has a probe that scores texts itself score them, but for one that failed", async () => {
    const lines = (changes: Parameters<typeof makeGeneration>[0]) =>
      scoreWritten(makeGeneration({ task: "CLO", reference: "1,2", preReview: "a\nb", ...changes }), clo);
    // One of the two lines.
    const open = { score: { em: false, graded: 1 / 2 }, reference: "1,2", preReview: "a\nb" };
    expect(await lines({ outcome: text("2") })).toEqual({ measured: null, open });
    expect(await lines({ outcome: FAILED })).toEqual({ measured: null, open: { ...open, score: null } });
  });
});

describe("isExact", () => {
  const open = (em: boolean | null): ScoredGeneration => ({
    ...makeScoredGeneration({
      open: { score: em === null ? null : { em, graded: 0 }, reference: "1", preReview: "a" },
    }),
    measured: null,
  });

  it("tells if code is the very post-review code", () => {
    expect(isExact(makeScoredGeneration({}, { em: true }))).toBe(true);
    expect(isExact(makeScoredGeneration({}, { em: false, emTrim: true }))).toBe(false);
    expect(isExact({ ...makeScoredGeneration(), measured: null })).toBe(false);
  });

  it("goes by the probe's own score where it has one", () => {
    expect(isExact(open(true))).toBe(true);
    expect(isExact(open(false))).toBe(false);
    expect(isExact(open(null))).toBe(false);
  });
});
