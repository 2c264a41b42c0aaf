import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Language } from "../../src/base/language.js";
import { type Selection, selectExamples } from "../../src/dataset/dataset-file.js";

const ALL: Selection = { languages: [], sample: null, seed: 0, limit: null };

/** Lines 10, 20, …: never the position of the example. */
function datasetOf(languages: readonly Language[]) {
  return { languages, lines: languages.map((_, i) => 10 * (i + 1)) };
}

const DATASET = datasetOf(["c", "go", "c", "ruby", "go", "c"]);

function select(selection: Partial<Selection>, dataset = DATASET): number[] {
  return [...selectExamples(dataset, { ...ALL, ...selection })];
}

describe("selectExamples", () => {
  it("takes every example when nothing is asked for", () => {
    expect(select({})).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it("takes the examples of the languages, in file order", () => {
    expect(select({ languages: ["ruby", "c"] })).toEqual([10, 30, 40, 60]);
    expect(select({ languages: ["php"] })).toEqual([]);
  });

  it("takes the first so many", () => {
    expect(select({ limit: 2 })).toEqual([10, 20]);
    expect(select({ limit: 0 })).toEqual([]);
    expect(select({ limit: 100 })).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it("limits after it has chosen the languages", () => {
    expect(select({ languages: ["go"], limit: 1 })).toEqual([20]);
  });

  it("limits after it has drawn the sample", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(select({ sample: 4, seed, limit: 2 })).toEqual(select({ sample: 4, seed }).slice(0, 2));
      }),
      { seed: 1 },
    );
  });

  it("draws the sample from the languages asked for", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(select({ languages: ["c"], sample: 3, seed })).toEqual([10, 30, 60]);
      }),
      { seed: 1 },
    );
  });

  it("draws so many different examples in file order, the same for the same seed", () => {
    const languages = fc.array(fc.constant<Language>("c"), { maxLength: 30 });
    fc.assert(
      fc.property(languages, fc.nat({ max: 40 }), fc.integer(), (all, sample, seed) => {
        const dataset = datasetOf(all);
        const drawn = select({ sample, seed }, dataset);
        expect(new Set(drawn).size).toBe(Math.min(sample, all.length));
        expect(drawn).toEqual(dataset.lines.filter((line) => drawn.includes(line)));
        expect(select({ sample, seed }, dataset)).toEqual(drawn);
      }),
      { seed: 1 },
    );
  });

  it("draws every example about as often as any other", () => {
    // 3,000 samples of 2 out of 6: each example 1,000 times expected, standard deviation √(3000·⅓·⅔) ≈ 26; 5 are 129.
    const counts = new Map<number, number>();
    for (let seed = 0; seed < 3000; seed++) {
      for (const line of select({ sample: 2, seed })) counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    for (const line of DATASET.lines) expect(Math.abs((counts.get(line) ?? 0) - 1000)).toBeLessThan(129);
  });
});
