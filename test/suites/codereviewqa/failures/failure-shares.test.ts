import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AcrOutcome,
  chainSteps,
  type ExampleOutcome,
  type FailureCell,
  failureRows,
  isIn,
  type RightShare,
} from "../../../../src/suites/codereviewqa/failures/failure-shares.js";
import { makeOutcome } from "../../../fixtures/example-outcome.js";

const MISS = { match: false };

function cellOf(examples: readonly ExampleOutcome[], outcome: AcrOutcome, cell: FailureCell) {
  const row = failureRows(examples).find((candidate) => candidate.outcome === outcome);
  return row!.cells.find((candidate) => candidate.cell === cell)!;
}

describe("isIn", () => {
  it("fails CL and SI at either difficulty", () => {
    const example = makeOutcome("a", "rrwwr");
    const cells = ["CTR", "CL_easy", "CL_hard", "CL", "SI_easy", "SI_hard", "SI", "any", "none"] as const;
    expect(cells.map((cell) => isIn(cell, example))).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it("says nothing of a probe that the example was not asked", () => {
    const deletion = makeOutcome("a", "rrr--");
    expect(isIn("SI", deletion)).toBeNull();
    expect(isIn("any", deletion)).toBe(false);
    expect(isIn("none", deletion)).toBe(true);
    expect(isIn("none", makeOutcome("b", "-----"))).toBeNull();
  });
});

describe("failureRows", () => {
  it("takes hunks of one task for one case: all of two tasks fail, as two of two", () => {
    const hunks = [1, 1, 2, 2].map((task, i) => makeOutcome(`t${task}#${i}`, "wrrrr", { cluster: `t${task}` }));
    const { n, estimate } = cellOf(hunks, "all", "CTR");
    expect([n, estimate?.value]).toEqual([4, 1]);
    // Wilson at 2 of 2: 1 / (1 + 1.96² / 2) = 0.342.
    expect(estimate?.low).toBeCloseTo(0.342, 3);
  });

  const examples = [
    makeOutcome("understood", "rrrrr"),
    makeOutcome("copied", "rwwrr"),
    makeOutcome("deletion", "wrr--", MISS),
    makeOutcome("lost", "rrrrl", MISS),
    makeOutcome("unlucky", "rrrrr", { ...MISS, status: "failed" }),
    makeOutcome("wrong and lost", "rwrlr", MISS),
  ];

  it("counts non-matches, matches, and both", () => {
    expect(failureRows(examples).map(({ outcome, n, failedGenerations }) => [outcome, n, failedGenerations])).toEqual([
      ["non_match", 4, 1],
      ["match", 2, 0],
      ["all", 6, 1],
    ]);
  });

  it("leaves examples that were not asked out of a cell's n, and names those that fail", () => {
    // Non-matches: deletion, lost, unlucky, wrong and lost. SI was asked of the last three.
    const si = cellOf(examples, "non_match", "SI");
    expect([si.n, si.examples.map(({ exampleId }) => exampleId)]).toEqual([3, ["lost", "wrong and lost"]]);
    expect(cellOf(examples, "non_match", "any").examples).toHaveLength(3);
    expect(cellOf(examples, "non_match", "none").examples.map(({ exampleId }) => exampleId)).toEqual(["unlucky"]);
    expect(cellOf(examples, "match", "any").examples.map(({ exampleId }) => exampleId)).toEqual(["copied"]);
  });

  it("has Wilson's interval", () => {
    // 2 of 3, z² = 3.8415: centre (2/3 + 3.8415/6) / (1 + 3.8415/3) = 1.30691 / 2.28049 = 0.57309;
    // half = 1.95996 / 2.28049 · √((2/9)/3 + 3.8415/36) = 0.85945 · √(0.07407 + 0.10671) = 0.85945 · 0.42518 = 0.36542.
    const { estimate } = cellOf(examples, "non_match", "SI");
    expect(estimate!.value).toBeCloseTo(2 / 3, 12);
    expect(estimate!.low).toBeCloseTo(0.2077, 4);
    expect(estimate!.high).toBeCloseTo(0.9385, 4);
  });

  it("tells the failures that no wrong answer is behind", () => {
    // "wrong and lost" has a wrong answer to CL: of at least one probe, it is not lost; of SI, it is.
    expect(cellOf(examples, "non_match", "SI").lost).toBe(2);
    expect(cellOf(examples, "non_match", "any").lost).toBe(1);
    expect(cellOf(examples, "non_match", "none").lost).toBe(0);
  });

  it("has no share where nothing was asked", () => {
    const { n, estimate, examples: own } = cellOf([makeOutcome("a", "rrr--", MISS)], "match", "CTR");
    expect([n, own, estimate]).toEqual([0, [], null]);
  });

  it("splits every example into failing and not, non-match and match", () => {
    const letters = fc.string({ unit: fc.constantFrom("r", "w", "l", "-"), minLength: 5, maxLength: 5 });
    const outcome = fc.record({ match: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.tuple(letters, outcome), { maxLength: 12 }), (drawn) => {
        const all = drawn.map(([text, changes], i) => makeOutcome(`e${i}`, text, changes));
        const count = (row: AcrOutcome, cell: FailureCell) => cellOf(all, row, cell).examples.length;
        for (const row of ["non_match", "match", "all"] as const) {
          expect(count(row, "any") + count(row, "none")).toBe(cellOf(all, row, "any").n);
          expect(count(row, "CL")).toBeGreaterThanOrEqual(Math.max(count(row, "CL_easy"), count(row, "CL_hard")));
        }
        expect(count("non_match", "SI") + count("match", "SI")).toBe(count("all", "SI"));
      }),
      { seed: 1 },
    );
  });
});

const shown = (share: RightShare | null) => (share === null ? null : [share.right, share.n]);

describe("chainSteps", () => {
  it("conditions each step on all earlier ones", () => {
    const examples = [
      makeOutcome("0", "rrrrr"),
      makeOutcome("1", "rrrrr", { match: false }),
      makeOutcome("2", "rrrrw", { match: false }),
      makeOutcome("3", "rrwrr"),
      makeOutcome("4", "wrrrr", { match: false }),
      makeOutcome("5", "wwwww", { match: false }),
    ];
    expect(
      chainSteps(examples).map(({ step, overall, afterRight, afterWrong }) => [
        step,
        ...[overall, afterRight, afterWrong].map(shown),
      ]),
    ).toEqual([
      // Right: 0-3.
      ["CTR", [4, 6], null, null],
      // Right at both difficulties: 0, 1, 2, 4. Of 0-3: 0, 1, 2. Of 4, 5: 4.
      ["CL", [4, 6], [3, 4], [1, 2]],
      // Right: 0, 1, 3, 4. Of 0, 1, 2: 0, 1. Of 3, 4, 5: 3, 4.
      ["SI", [4, 6], [2, 3], [2, 3]],
      // Matches: 0, 3. Of 0, 1: 0. Of 2-5: 3.
      ["ACR", [2, 6], [1, 2], [1, 4]],
    ]);
  });

  it("passes over the steps that an example has no question for", () => {
    // A deletion with too few lines for CL: no CL, no SI.
    const steps = chainSteps([makeOutcome("a", "r----"), makeOutcome("b", "rrr--", { match: false })]);
    expect(steps.map(({ afterRight }) => shown(afterRight))).toEqual([null, [1, 1], [0, 0], [1, 2]]);
    expect(steps[2]!.overall.estimate).toBeNull();
  });
});
