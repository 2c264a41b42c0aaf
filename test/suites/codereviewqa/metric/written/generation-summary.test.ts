import { describe, expect, it } from "vitest";
import type { SummaryRow } from "../../../../../src/suites/codereviewqa/metric/summary-row.js";
import { countNgrams } from "../../../../../src/suites/codereviewqa/metric/written/bleu.js";
import { summariseGenerations } from "../../../../../src/suites/codereviewqa/metric/written/generation-summary.js";
import type { ScoredGeneration } from "../../../../../src/suites/codereviewqa/metric/written/scored-generation.js";
import { makeFailedGeneration, makeScoredGeneration, NO_MATCH } from "../../../../fixtures/generation.js";

const RIGHT = makeScoredGeneration({}, { em: true, emTrim: true, paperEmTrim: true, editSimilarity: 1 });
const NEARLY = makeScoredGeneration({ language: "go" }, { emTrim: true, editSimilarity: 0.5 });
/** Cut off, and nothing right. */
const TRUNCATED = makeScoredGeneration({ language: "go", changeType: "add", status: "truncated" });
const FAILED = makeFailedGeneration();
const GENERATIONS = [RIGHT, NEARLY, TRUNCATED, FAILED];

function overall(generations: readonly ScoredGeneration[], metric: string): SummaryRow | undefined {
  return summariseGenerations("ACR", generations).find((row) => row.groupBy === "overall" && row.metric === metric);
}

describe("summariseGenerations", () => {
  it("takes matches over all generations, a failed one for no match", () => {
    // 1 of 4; Wilson: centre (0.25 + 0.4801824)/1.9603647 = 0.3724727, half 0.3268849 (z = 1.9599640)
    const em = overall(GENERATIONS, "em");
    expect(em).toMatchObject({ task: "ACR", difficulty: null, value: 0.25, n: 4 });
    expect(em?.ciLow).toBeCloseTo(0.0455878, 5);
    expect(em?.ciHigh).toBeCloseTo(0.6993577, 5);
    expect(overall(GENERATIONS, "em_trim")).toMatchObject({ value: 0.5, n: 4 });
    expect(overall(GENERATIONS, "em_no_space")).toMatchObject({ value: 0, n: 4 });
  });

  it("keeps the paper's matches apart from the corrected ones", () => {
    expect(overall(GENERATIONS, "paper_em")?.value).toBe(0);
    expect(overall(GENERATIONS, "paper_em_trim")?.value).toBe(0.25);
  });

  it("leaves failed generations out of the similarities", () => {
    // (1 + 0.5 + 0)/3
    expect(overall(GENERATIONS, "edit_similarity")).toMatchObject({ value: 0.5, n: 3 });
    // All three are the post-review code, as BLEU's counts tell.
    expect(overall(GENERATIONS, "bleu")).toMatchObject({ value: 1, ciLow: null, n: 3 });
  });

  it("adds up n-grams over all generations for BLEU, instead of averaging", () => {
    // "x y z w" shares nothing with "a b c d"; "a b c d" is right: 4, 3, 2, 1 matches of 8, 6, 4, 2, so each
    // precision is 1/2, and so is BLEU; lengths are equal.
    const pair = (generation: string): ScoredGeneration => ({
      ...RIGHT,
      measured: { score: NO_MATCH, ngrams: countNgrams({ postReviewLines: ["a b c d"], generation }), copy: null },
    });
    expect(overall([pair("x y z w"), pair("a b c d")], "bleu")?.value).toBeCloseTo(0.5, 12);
  });

  it("counts states among what was generated, failures among all", () => {
    const empty = makeScoredGeneration({ status: "empty" });
    const generations = [...GENERATIONS, empty];
    expect(overall(generations, "truncated_rate")).toMatchObject({ value: 0.25, n: 4 });
    expect(overall(generations, "empty_rate")).toMatchObject({ value: 0.25, n: 4 });
    expect(overall(generations, "failure_rate")).toMatchObject({ value: 0.2, n: 5 });
  });

  it("leaves what failures cannot tell absent, never 0", () => {
    for (const metric of ["bleu", "edit_similarity", "truncated_rate", "empty_rate"]) {
      expect(overall([FAILED], metric)).toMatchObject({ value: null, ciLow: null, ciHigh: null, n: 0 });
    }
    expect(overall([FAILED], "em")).toMatchObject({ value: 0, n: 1 });
  });

  it("measures each language and change type over its own generations", () => {
    const rows = summariseGenerations("ACR", GENERATIONS).filter(({ metric }) => metric === "em_trim");
    expect(rows.map(({ groupBy, group, value, n }) => [groupBy, group, value, n])).toEqual([
      ["overall", "all", 0.5, 4],
      ["language", "go", 0.5, 2],
      ["language", "python", 0.5, 2],
      ["change_type", "add", 0, 1],
      ["change_type", "modify", 2 / 3, 3],
    ]);
  });
});

describe("the copy floors", () => {
  const commentOnly = makeScoredGeneration({}, {}, { emNoComment: true, editSimilarity: 0.9 });
  const other = makeScoredGeneration({ language: "go" }, {}, { editSimilarity: 0.7 });
  /** Of a run that did not record the pre-review code. */
  const unrecorded: ScoredGeneration = { ...other, measured: { ...other.measured!, copy: null } };
  const floors = (generations: readonly ScoredGeneration[]) =>
    summariseGenerations("ACR", generations).filter(({ metric }) => metric.startsWith("floor_copy"));

  it("are the metrics of the pre-review code, over the same n; a failed generation is no match", () => {
    const generations = [commentOnly, other, FAILED];
    expect(overall(generations, "floor_copy_em")).toMatchObject({ value: 0, ciLow: null, ciHigh: null, n: 3 });
    expect(overall(generations, "floor_copy_em_no_comment")).toMatchObject({ value: 1 / 3, n: 3 });
    // (0.9 + 0.7)/2
    expect(overall(generations, "floor_copy_edit_similarity")?.value).toBeCloseTo(0.8, 12);
    expect(overall(generations, "floor_copy_edit_similarity")?.n).toBe(2);
    // "x = b + c" of "a = b + c", twice: 8/10 · 6/8 · 4/6 · 2/4 = 1/5; lengths are equal.
    expect(overall(generations, "floor_copy_bleu")?.value).toBeCloseTo(0.2 ** 0.25, 12);
    // What the model itself wrote is the post-review code, by its n-grams.
    expect(overall(generations, "bleu")?.value).toBe(1);
  });

  it("are told for each language and change type", () => {
    const rows = floors([commentOnly, other]).filter(({ metric }) => metric === "floor_copy_em_no_comment");
    expect(rows.map(({ group, value }) => [group, value])).toEqual([
      ["all", 0.5],
      ["go", 0],
      ["python", 1],
      ["modify", 0.5],
    ]);
  });

  it("are absent where a generation lacks the pre-review code, or nothing was generated", () => {
    const groups = floors([commentOnly, unrecorded]).map(({ groupBy, group }) => `${groupBy} ${group}`);
    expect([...new Set(groups)]).toEqual(["language python"]);
    expect(floors([FAILED])).toEqual([]);
  });
});
