import { describe, expect, it } from "vitest";
import { bestOf, isBest, type JudgementState } from "../../src/verdict/judgement.js";
import { makeJudgement } from "../fixtures/verdicts.js";

const judged = (value: number | null, state: JudgementState) => ({ value, judgement: makeJudgement({ state }) });

describe("bestOf", () => {
  it("is the highest of the values above their floor alone", () => {
    const values = [judged(0, "above_floor"), judged(1, "at_floor"), { value: 1, judgement: undefined }];
    expect(bestOf(values)).toBe(0);
    expect(values.map((value) => isBest(value, 0))).toEqual([true, false, false]);
  });

  it("is not any other state's, however high the value, nor that of a value at its floor that is as high", () => {
    const values = [judged(1, "above_floor"), judged(1, "unsteady"), judged(1, "unreadable"), judged(1, "unknown")];
    expect(bestOf(values)).toBe(1);
    expect(values.map((value) => isBest(value, 1))).toEqual([true, false, false, false]);
  });

  it("is none for a single value, without a value, and where nothing is above its floor", () => {
    expect(bestOf([judged(1, "above_floor")])).toBeNull();
    expect(bestOf([judged(null, "above_floor"), judged(null, "above_floor")])).toBeNull();
    expect(bestOf([judged(1, "at_floor"), judged(0.5, "unknown")])).toBeNull();
    expect(isBest(judged(1, "above_floor"), null)).toBe(false);
  });
});
