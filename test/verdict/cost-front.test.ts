import { describe, expect, it } from "vitest";
import { costSets, paretoFront } from "../../src/verdict/cost-front.js";
import { makeForm, makeRunVerdicts, makeVerdict } from "../fixtures/verdicts.js";

type Trial = readonly [form: string, passed: boolean | null, cost: number | null];

function run(model: string, trials: readonly Trial[], data = "same") {
  const forms = [...new Set(trials.map(([form]) => form))].map((name) => makeForm({ name, kind: "trial" }));
  const verdicts = trials.map(([form, passed, cost_usd], i) =>
    makeVerdict({ form, item: `task-${i}`, passed, values: { cost_usd } }),
  );
  return makeRunVerdicts({ model, runId: model, suite: "swe-atlas", data, forms, verdicts });
}

const rowsOf = (runs: Parameters<typeof costSets>[0], form: string | null) =>
  costSets(runs)
    .find((set) => set.form === form)
    ?.rows.map(({ model, n, passed, costUsd, priced, isOnFront }) => [model, n, passed, costUsd, priced, isOnFront]);

describe("costSets", () => {
  it("tells whose passes no other run has for as little", () => {
    // cheap: 1 of 2 at (1 + 3) / 2 = 2; dear: 2 of 2 at 4; beaten: 1 of 2 at 3, dearer than cheap and no better.
    const runs = [
      run("cheap", [
        ["qa", true, 1],
        ["qa", false, 3],
      ]),
      run("dear", [
        ["qa", true, 4],
        ["qa", true, 4],
      ]),
      run("beaten", [
        ["qa", true, 3],
        ["qa", false, 3],
      ]),
    ];
    expect(rowsOf(runs, "qa")).toEqual([
      ["cheap", 2, 0.5, 2, 2, true],
      ["dear", 2, 1, 4, 2, true],
      ["beaten", 2, 0.5, 3, 2, false],
    ]);
    // One condition is all there is.
    expect(rowsOf(runs, null)).toBeUndefined();
  });

  it("takes all conditions together by their trials, where all runs have the same", () => {
    const two = (model: string, cost: number) =>
      run(model, [
        ["qa", true, cost],
        ["qa", true, cost],
        ["qa", true, cost],
        ["tw", false, 5 * cost],
      ]);
    // 3 of 4; (3 + 5) / 4 = 2 times the cost.
    expect(rowsOf([two("a", 1), two("b", 2)], null)).toEqual([
      ["a", 4, 0.75, 2, 4, true],
      ["b", 4, 0.75, 4, 4, false],
    ]);
    expect(rowsOf([two("a", 1), run("b", [["qa", true, 1]])], null)).toBeUndefined();
  });

  it("has no place for a run of whose costs only some are known: they may be those of the cheap trials", () => {
    const partly = run("partly", [
      ["qa", true, 0.01],
      ["qa", true, null],
      ["qa", null, 9],
    ]);
    const whole = run("whole", [["qa", true, 1]]);
    const silent = run("silent", [["qa", true, null]]);
    expect(rowsOf([partly, whole, silent], "qa")).toEqual([
      ["partly", 2, 1, 0.01, 1, null],
      ["whole", 1, 1, 1, 1, true],
      ["silent", 1, 1, null, 0, null],
    ]);
  });

  it("holds no runs about other tasks beside each other, and none that ask questions", () => {
    expect(costSets([run("a", [["qa", true, 1]]), run("b", [["qa", true, 1]], "other")])).toEqual([]);
    expect(costSets([makeRunVerdicts({ runId: "a" }), makeRunVerdicts({ runId: "b" })])).toEqual([]);
  });
});

const of = (cost: number, score: number) => ({ cost, score });

describe("the front of scores against costs", () => {
  it("is of those that no other is both cheaper than and better, by cost", () => {
    // 2 at .5 is beaten by 1 at .5 (cheaper, as good), 3 at .4 by 2 at .5 (cheaper and better).
    expect(paretoFront([of(3, 0.4), of(4, 0.9), of(2, 0.5), of(1, 0.5)])).toEqual([of(1, 0.5), of(4, 0.9)]);
  });

  it("keeps equals: neither beats the other", () => {
    expect(paretoFront([of(1, 0.5), of(1, 0.5)])).toHaveLength(2);
  });
});
