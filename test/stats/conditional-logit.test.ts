import { describe, expect, it } from "vitest";
import { type Choices, fitConditionalLogit, utility } from "../../src/stats/conditional-logit.js";

/** One choice: its options, each with its features. */
type Choice = readonly (readonly number[])[];

function choicesOf(all: readonly Choice[], features: number): Choices {
  let next = 0;
  const spans = all.map(({ length }) => {
    next += length;
    return { start: next - length, end: next };
  });
  return { features, values: Float64Array.from(all.flat(2)), spans };
}

const weightsOf = (all: readonly Choice[], features: number) => fitConditionalLogit(choicesOf(all, features));

/** Of two options, the one with the feature was chosen, or the one without. */
const WITH: Choice = [[1], [0]];
const WITHOUT: Choice = [[0], [1]];
const choices = (withIt: number, without: number) => [
  ...Array<Choice>(withIt).fill(WITH),
  ...Array<Choice>(without).fill(WITHOUT),
];
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

describe("fitConditionalLogit", () => {
  it.each([
    [30, 10],
    [3, 40],
    // Told every time: without the penalty the weight would have no end.
    [50, 0],
  ])("with one feature, chosen %i times and not chosen %i times, is where the slope is 0", (a, b) => {
    const [weight = Number.NaN] = weightsOf(choices(a, b), 1);
    // d/dβ of a log σ(β) + b log σ(−β) − β²/2
    expect(a * (1 - logistic(weight)) - b * logistic(weight) - weight).toBeCloseTo(0, 9);
    expect(Math.sign(weight)).toBe(Math.sign(a - b));
  });

  it("is 0 for a feature that is chosen as often as not, and without choices", () => {
    expect(weightsOf(choices(20, 20), 1)[0]).toBeCloseTo(0, 12);
    expect(weightsOf([], 2)).toEqual([0, 0]);
  });

  it("gives a feature that all options share no weight, and two equal ones the same", () => {
    // Features: x, 5, x. With β = (w, 0, w) the utility is 2w x; the penalty is w².
    const tripled = choices(30, 10).map((choice) => choice.map(([x = 0]) => [x, 5, x]));
    const [first = Number.NaN, shared, last] = weightsOf(tripled, 3);
    expect(shared).toBeCloseTo(0, 9);
    expect(last).toBeCloseTo(first, 9);
    // d/dw of 30 log σ(2w) + 10 log σ(−2w) − w²
    expect(2 * 30 * (1 - logistic(2 * first)) - 2 * 10 * logistic(2 * first) - 2 * first).toBeCloseTo(0, 9);
  });

  it("is fitted on those choices alone that it is given spans of", () => {
    const all = choicesOf([...choices(30, 10), ...choices(5, 50)], 1);
    expect(fitConditionalLogit({ ...all, spans: all.spans.slice(0, 40) })).toEqual(weightsOf(choices(30, 10), 1));
  });

  it("holds one option of four against all others", () => {
    // Chosen: 40 times the one option with the feature, 20 times one of the three without. P(with) = e^β / (e^β + 3).
    const alone: Choice = [[1], [0], [0], [0]];
    const other: Choice = [[0], [1], [0], [0]];
    const [weight = Number.NaN] = weightsOf([...Array<Choice>(40).fill(alone), ...Array<Choice>(20).fill(other)], 1);
    const p = Math.exp(weight) / (Math.exp(weight) + 3);
    expect(40 * (1 - p) - 20 * p - weight).toBeCloseTo(0, 6);
  });
});

describe("utility", () => {
  it("weighs the features of an option", () => {
    expect(utility([2, -1], [3, 4])).toBe(2 * 3 - 4);
  });
});
