import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countOf, fitOf, readPrinted } from "../../../../src/suites/smellbench/stats/printed-tables.js";

/** Figures as the paper prints them: Table 3, and rows of Table 1. */
const TABLE3 = [
  ["guided", "easy", ".9184", ".6735", ".4695"],
  ["guided", "medium", ".8776", ".6531", ".4994"],
  ["guided", "hard", ".9796", ".6735", ".3652"],
  ["targeted", "easy", ".9592", ".9184", ".5773"],
  ["targeted", "medium", ".8776", ".9184", ".5670"],
  ["targeted", "hard", ".9592", ".7959", ".3431"],
].map(([setting, difficulty, TPR, LA, LLM]) => ({ setting, difficulty, TPR, LA, LLM }));
const TABLE1 = [
  ["OpenHands", "Qwen-Coder-30B-A3B", "0.8021", "0.7067", "0.4649", "0.4110", "0.3014", "0.3004"],
  ["OpenHands", "Qwen-Coder-480B-A35B", "0.8258", "0.7456", "0.5647", "0.5084", "0.3962", "0.4080"],
  ["OpenHands", "DeepSeek-V3.2", "0.8790", "0.7224", "0.5801", "0.5203", "0.3804", "0.3733"],
  ["OpenHands", "GPT-5-Mini", "0.9286", "0.7721", "0.6146", "0.5418", "0.4316", "0.4235"],
  ["Qwen Code", "GPT-5-Mini", "0.9218", "0.7483", "0.5626", "0.4871", "0.3238", "0.3255"],
].map(([agent, llm, TPR, LA, CQ, SS, CC, SE]) => ({ agent, llm, TPR, LA, CQ, SS, CC, SE }));
const printed = (value: object) => readPrinted("tables.json", JSON.stringify(value));

describe("printed cells", () => {
  const { agents, cells, pooled, same, cellMarks } = printed({ table1: TABLE1, table3: TABLE3 });

  it("of Table 3 are each of 49 cases, and all of 294", () => {
    // 45/49 = .91837, 43/49 = .87755, 48/49 = .97959, 47/49 = .95918.
    expect(cells.map(({ fit }) => [fit?.n, fit?.passed])).toEqual([45, 43, 48, 47, 43, 47].map((k) => [49, k]));
    // 33/49 = .67347, 32/49 = .65306, 45/49 = .91837, 39/49 = .79592.
    expect(cells.map(({ fit }) => fit?.located)).toEqual([33, 32, 33, 45, 45, 39]);
    // 45 + 43 + 48 + 47 + 43 + 47 = 273; 33 + 32 + 33 + 45 + 45 + 39 = 227.
    expect(pooled).toEqual({ n: 294, passed: 273, located: 227 });
    expect([(273 / 294).toFixed(4), (227 / 294).toFixed(4)]).toEqual(["0.9286", "0.7721"]);
    expect(same.map(({ agent, llm }) => [agent, llm])).toEqual([["OpenHands", "GPT-5-Mini"]]);
  });

  it("of the judge do not agree between the tables", () => {
    // (.4695 + .4994 + .3652 + .5773 + .5670 + .3431) / 6 = .47025; (.6146 + .5418 + .4316 + .4235) / 4 = .502875.
    expect(cellMarks).toBeCloseTo(0.47025, 10);
    expect(same[0]?.marks).toBeCloseTo(0.502875, 10);
  });

  it("that are no multiples of 1/294 are of the one n that fits, and the others are excluded", () => {
    expect(agents.map(({ fit }) => fit)).toEqual([
      { n: 283, excluded: 11, passed: 227, located: 200 },
      { n: 287, excluded: 7, passed: 237, located: 214 },
      { n: 281, excluded: 13, passed: 247, located: 203 },
      { n: 294, excluded: 0, passed: 273, located: 227 },
      { n: 294, excluded: 0, passed: 271, located: 220 },
    ]);
  });

  it("that fit no n, or several, count nothing", () => {
    expect(countOf(0.5, 3)).toBeNull();
    // .3333 and .6667: of 3, 6, 9, … alike, of 49 not.
    expect(fitOf(0.3333, 0.6667, 49)).toBeNull();
    expect(fitOf(0.3333, 0.6667, 48)).toEqual({ n: 48, excluded: 0, passed: 16, located: 32 });
    const odd = printed({ table1: TABLE1, table3: [{ ...TABLE3[0], TPR: ".3333", LA: ".6667" }] });
    expect([odd.cells[0]?.fit, odd.pooled, odd.same]).toEqual([null, null, []]);
  });

  it("are refused where they are none", () => {
    expect(() => readPrinted("x.json", "{")).toThrow('Expected printed tables ({"table1": …, "table3": …}) in x.json');
    expect(() => printed({ table1: [], table3: TABLE3 })).toThrow(/table1/);
    expect(() => printed({ table1: [{ ...TABLE1[0], TPR: "1.2" }], table3: TABLE3 })).toThrow(/TPR/);
  });
});

/** All printed cells, and what was recomputed from them by another program. */
const ANNEX = join(import.meta.dirname, "../../../../../shared/suites-annex/smellbench/tables.json");
const isThere = existsSync(ANNEX);
if (!isThere) process.stdout.write("Skipping all printed cells of SmellBench: they are not on this machine\n");

describe.skipIf(!isThere)("all printed cells", () => {
  it("come to what another program recomputed", () => {
    const text = isThere ? readFileSync(ANNEX, "utf8") : "{}";
    type Row = { recomputed: { n: number; passed: number; located: number } };
    const wanted = JSON.parse(text) as { table1: Row[]; table3: Row[] };
    const { agents, cells } = readPrinted(ANNEX, text);
    const counts = ({ fit }: (typeof agents)[number] | (typeof cells)[number]) => [fit?.n, fit?.passed, fit?.located];
    const recomputed = ({ recomputed: { n, passed, located } }: Row) => [n, passed, located];
    expect(agents.map(counts)).toEqual(wanted.table1.map(recomputed));
    expect(cells.map(counts)).toEqual(wanted.table3.map(recomputed));
  });
});
