import { describe, expect, it } from "vitest";
import { scoreboard } from "../../src/verdict/scoreboard.js";
import type { FormFloor, RunVerdicts, VerdictForm } from "../../src/verdict/verdict.js";
import { makeForm, makeRunVerdicts, makeWrittenForm } from "../fixtures/verdicts.js";

const scored = (value: number, changes: Partial<VerdictForm> = {}) => {
  const metric = changes.score?.metric ?? "invariant_accuracy";
  return { ...changes, measures: [{ metric, value, ciLow: null, ciHigh: null, n: 2 }] };
};
const choice = (name: string, value: number, changes: Partial<VerdictForm> = {}) =>
  makeForm(scored(value, { name, ...changes }));
const written = (value: number) => makeWrittenForm(scored(value, { score: { metric: "em", title: "exact match" } }));
const run = (model: string, ...forms: VerdictForm[]): RunVerdicts => makeRunVerdicts({ model, runId: model, forms });

const floor = (id: string, value: number): FormFloor => ({ id, title: id, value, rule: null });

describe("scoreboard", () => {
  it("has what is written before what is chosen, and nothing that was withheld from or not asked", () => {
    const none = choice("SI", 0, { records: { ...makeForm().records, recorded: 0 } });
    const { forms } = scoreboard([
      run("a", choice("CTR", 1), choice("CTR −review", 1, { ablation: "review" }), none, written(1)),
    ]);
    expect(forms.map(({ name }) => name)).toEqual(["ACR", "CTR"]);
  });

  it("is sorted by the mean over what all runs were asked, not by the order of the runs", () => {
    // CTR alone is common to all: the high score on CL of "low" does not count.
    const { rows } = scoreboard([
      run("low", choice("CTR", 0.25), choice("CL", 1)),
      run("high", choice("CTR", 0.75), choice("CL", 0)),
      run("middle", choice("CTR", 0.5)),
    ]);
    expect(rows.map(({ model, mean }) => [model, mean])).toEqual([
      ["high", 0.75],
      ["middle", 0.5],
      ["low", 0.25],
    ]);
    expect(rows.map(({ scores }) => scores.size)).toEqual([2, 1, 2]);
  });

  it("has no mean where the runs have no form in common", () => {
    const { rows } = scoreboard([run("b", choice("CTR", 1)), run("a", choice("CL", 1))]);
    expect(rows.map(({ model, mean }) => [model, mean])).toEqual([
      ["a", null],
      ["b", null],
    ]);
  });

  it("has a floor once where all runs have the same, in the order of the form that has most of them", () => {
    const ctr = (value: number) => choice("CTR", value, { floors: [floor("guessing", 0), floor("no_read", 0.5)] });
    const cl = choice("CL", 1, { floors: [floor("no_read", 0.25)] });
    const { floors } = scoreboard([run("a", cl, ctr(1)), run("b", ctr(0.5))]);
    expect(
      floors.map(({ id, models, values }) => [id, models, [...values.values()].map(({ value }) => value)]),
    ).toEqual([
      ["guessing", null, [0]],
      ["no_read", null, [0.25, 0.5]],
    ]);
  });

  it("has a floor a run where they were asked different questions", () => {
    const of = (value: number) => choice("CTR", 1, { floors: [floor("no_read", value)] });
    const { floors } = scoreboard([run("a", of(0.5)), run("b", of(0.25))]);
    expect(floors.map(({ models, values }) => [models, [...values.values()].map(({ value }) => value)])).toEqual([
      [["a"], [0.5]],
      [["b"], [0.25]],
    ]);
  });

  it("has a floor once for the runs that have the same, whatever another run or form has", () => {
    const of = (value: number) => choice("CTR", 1, { floors: [floor("no_read", value)] });
    const cl = choice("CL", 1, { floors: [floor("no_read", 0.75)] });
    const { floors } = scoreboard([run("a", of(0.5)), run("b", of(0.25)), run("c", of(0.5), cl), run("d", cl)]);
    expect(floors.map(({ models, values }) => [models, [...values.values()].map(({ value }) => value)])).toEqual([
      [
        ["a", "c", "d"],
        [0.5, 0.75],
      ],
      [["b"], [0.25]],
    ]);
  });

  it("takes the floor of the verdict where a suite tells no others", () => {
    const { floors } = scoreboard([run("a", choice("CTR", 1))]);
    expect(floors).toMatchObject([{ id: "floor", models: null }]);
    expect([...floors[0]!.values.values()]).toMatchObject([{ value: 0.5, rule: "longest" }]);
  });
});
