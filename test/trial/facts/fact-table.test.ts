import { describe, expect, it } from "vitest";
import { binOf, factRows, quantileEdges, sizeBins } from "../../../src/trial/facts/fact-table.js";
import { patchFacts } from "../../../src/trial/facts/patch-facts.js";
import { makeTrial } from "../../fixtures/trial-record.js";

const diff = (path: string, removed: number, added: number) =>
  [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,${removed} +1,${added} @@`,
    ...Array.from({ length: removed }, (_, i) => `-old ${i}`),
    ...Array.from({ length: added }, (_, i) => `+new ${i}`),
    "",
  ].join("\n");

describe("patchFacts", () => {
  it("sets a patch beside the right solution: lines, and files that both touch", () => {
    const gold = diff("a.js", 1, 2) + diff("b.js", 3, 1);
    expect(patchFacts(diff("a.js", 2, 2) + diff("c.js", 1, 1) + diff("d.js", 1, 1), gold)).toMatchObject({
      edited_files: 3,
      added_lines: 4,
      removed_lines: 4,
      gold_files: 2,
      gold_lines: 7,
      all_gold_files_edited: 0,
      file_recall: 1 / 2,
      file_precision: 1 / 3,
    });
    expect(patchFacts(gold, gold)).toMatchObject({ all_gold_files_edited: 1, file_recall: 1, gold_text_ratio: 1 });
    expect(patchFacts("", gold)).toMatchObject({ edited_files: 0, file_recall: 0, file_precision: null });
    expect(patchFacts(gold, null)).toEqual({ edited_files: 2, added_lines: 3, removed_lines: 4 });
  });
});

describe("size bins", () => {
  it("have edges of equal quantiles, the upper ones within", () => {
    // Seven values, six bins: every value is an edge.
    expect(quantileEdges([7, 1, 2, 3, 4, 5, 6])).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(quantileEdges([1, 2], 4)).toEqual([1, 1.25, 1.5, 1.75, 2]);
    expect([1, 2, 2.5, 7, 9].map((value) => binOf(value, [1, 2, 3, 7]))).toEqual([0, 0, 1, 2, 2]);
  });

  it("come to the published ones of the 70 released refactorings", () => {
    // Added and removed lines of each gold.patch of scaleapi/SWE-Atlas at 49e4af3.
    const sizes = [
      35, 43, 53, 58, 65, 76, 102, 103, 105, 106, 111, 112, 118, 120, 123, 126, 126, 126, 133, 133, 142, 143, 155, 166,
      181, 182, 196, 205, 208, 209, 209, 215, 218, 221, 222, 222, 224, 228, 231, 241, 245, 250, 250, 257, 259, 262, 274,
      327, 346, 361, 370, 372, 382, 394, 448, 455, 461, 570, 719, 779, 849, 885, 1027, 1175, 1182, 1246, 1298, 1353,
      1534, 2073,
    ];
    const edges = quantileEdges(sizes);
    expect(edges).toEqual([35, 115, 166, 222, 274, 644.5, 2073]);
    const bins = sizes.map((size) => binOf(size, edges));
    expect([0, 1, 2, 3, 4, 5].map((bin) => bins.filter((each) => each === bin).length)).toEqual([
      12, 12, 12, 11, 11, 12,
    ]);
  });

  it("are none of fewer tasks than bins", () => {
    const trial = makeTrial("a", { facts: { gold_lines: 5 } });
    expect(sizeBins([trial])(trial)).toBeNull();
  });
});

describe("factRows", () => {
  const trials = [
    makeTrial("a", {
      scores: { won: true },
      facts: { edited_files: 1, messages: 2, "calls search": 3 },
      prompt_tokens: 10,
    }),
    makeTrial("b", { scores: { won: false }, facts: { edited_files: 4, messages: 2 }, prompt_tokens: 20 }),
    makeTrial("c", { scores: { won: false }, facts: { edited_files: 7 }, prompt_tokens: null }),
    makeTrial("d", { valid: false, facts: { edited_files: 100 } }),
    makeTrial("e", {}),
  ];
  const rows = factRows(trials, { headline: "won", scores: [] }, [
    { name: "letter", of: ({ task_id }) => (task_id === "c" ? null : task_id) },
  ]);
  const row = (groupBy: string, group: string, fact: string) =>
    rows.find((each) => each.groupBy === groupBy && each.group === group && each.fact === fact);

  it("are means over judged trials that have facts", () => {
    expect(row("overall", "", "edited_files")).toMatchObject({ value: 4, n: 3 });
    expect(row("overall", "", "won")).toMatchObject({ value: 1 / 3, n: 3 });
    expect(row("overall", "", "prompt_tokens")).toMatchObject({ value: 15, n: 2 });
    // Not called is no call; an agent that tells nothing is in no mean.
    expect(row("overall", "", "calls search")).toMatchObject({ value: 1.5, n: 2 });
  });

  it("are told by what sets trials apart, calls by tool overall alone", () => {
    expect(row("passed", "false", "edited_files")).toMatchObject({ value: 5.5, n: 2 });
    expect(row("letter", "a", "edited_files")).toMatchObject({ value: 1, n: 1 });
    expect(row("letter", "c", "edited_files")).toBeUndefined();
    expect(row("passed", "true", "calls search")).toBeUndefined();
  });

  it("are none of runs without facts", () => {
    expect(factRows([makeTrial("a")], { headline: "won", scores: [] }, [])).toEqual([]);
  });
});
