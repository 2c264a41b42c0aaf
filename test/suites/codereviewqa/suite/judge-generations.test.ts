import { describe, expect, it } from "vitest";
import { judgeGenerations } from "../../../../src/suites/codereviewqa/suite/summarise.js";
import { makeFailedGeneration, makeScoredGeneration } from "../../../fixtures/generation.js";

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);
const generation = (em: boolean, copy: boolean) => makeScoredGeneration({}, { em }, { em: copy });

describe("judgeGenerations", () => {
  it("is above the floor where more match than if the code were repeated, beyond chance", () => {
    // Eight match that the code does not: p = 2^−8 = 0.0039.
    expect(judgeGenerations(times(8, generation(true, false)))).toEqual({
      ...{ state: "above_floor", score: 1, floor: 0, floorRule: "copy", pValue: 2 ** -8 },
      text: "above its floor: exact match 100.0 %, repeating the code unchanged 0.0 %",
    });
  });

  it("is at the floor where as many match, or hardly more", () => {
    // Four match that the code does not, of 20: p = 2^−4 = 0.0625.
    const few = [...times(4, generation(true, false)), ...times(16, generation(false, false))];
    expect(judgeGenerations(few)).toMatchObject({ state: "at_floor", score: 0.2, floor: 0, pValue: 2 ** -4 });
    const none = judgeGenerations(times(20, generation(false, false)));
    expect(none).toMatchObject({ state: "at_floor", score: 0, pValue: 1 });
    expect(none.text).toBe("at its floor: exact match 0.0 %, repeating the code unchanged 0.0 %");
  });

  it.each([
    // 2^−6 = 0.016: not even this could be significant; 2^−7 = 0.0078.
    [6, "unknown"],
    [7, "above_floor"],
  ])("of %i generations, all of which match, is %s", (count, state) => {
    expect(judgeGenerations(times(count, generation(true, false))).state).toBe(state);
  });

  it("counts only those that repeating the code would not match as ones to win on", () => {
    const judged = judgeGenerations([...times(20, generation(true, true)), ...times(6, generation(true, false))]);
    expect(judged).toMatchObject({ state: "unknown", pValue: null, score: 1 });
    expect(judged.floor).toBeCloseTo(20 / 26, 12);
  });

  it("takes a failed generation for no match", () => {
    expect(judgeGenerations([...times(8, generation(true, false)), ...times(8, makeFailedGeneration())])).toMatchObject(
      {
        ...{ state: "above_floor", score: 0.5 },
      },
    );
  });

  it("is unknown without generations, and where the code was not recorded", () => {
    expect(judgeGenerations([])).toMatchObject({ state: "unknown", score: null, floor: null, floorRule: null });
    const { measured, ...rest } = generation(true, false);
    const old = { ...rest, measured: { ...measured!, copy: null } };
    expect(judgeGenerations(times(8, old))).toMatchObject({ state: "unknown", score: 1, floor: null, pValue: null });
  });
});
