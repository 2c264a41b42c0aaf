import { sum } from "simple-statistics";
import { addScaled, solvePositive } from "./linear-equations.js";

/** One choice among options: `options[i][k]` is feature k of option i. Option 0 is the one that was chosen. */
export type Choice = readonly (readonly number[])[];

/** One for all features. It keeps weights finite where a feature tells every choice, and is as strong as one choice. */
const RIDGE = 1;
/** Newton's method squares the error at each step: more change nothing. */
const STEPS = 12;
const HALVINGS = 20;

/**
 * Conditional logit (McFadden 1974): P(option i) ∝ exp(Σₖ βₖ xᵢₖ). The weights β maximise Σ log P(option 0) − |β|²/2
 * (a ridge penalty, so that the optimum is unique), by Newton's method from 0 with step halving. Deterministic.
 * Time: choices × options × features².
 * @param features how many each option has
 * @returns one weight a feature; all 0 without choices
 */
export function fitConditionalLogit(choices: readonly Choice[], features: number): number[] {
  let weights = new Array<number>(features).fill(0);
  let value = objective(choices, weights);
  for (let step = 0; step < STEPS; step++) {
    const direction = newtonDirection(choices, weights);
    let [size, next, nextValue] = [1, weights, value];
    for (let halving = 0; halving < HALVINGS && nextValue <= value; halving++, size /= 2) {
      next = weights.map((weight, k) => weight + size * (direction[k] ?? 0));
      nextValue = objective(choices, next);
    }
    if (nextValue <= value) return weights;
    [weights, value] = [next, nextValue];
  }
  return weights;
}

/** Σₖ βₖ xₖ: the higher, the more probable the option. */
export function utility(option: readonly number[], weights: readonly number[]): number {
  return option.reduce((total, x, k) => total + x * (weights[k] ?? 0), 0);
}

function probabilities(choice: Choice, weights: readonly number[]): number[] {
  const utilities = choice.map((option) => utility(option, weights));
  const top = Math.max(...utilities);
  const powers = utilities.map((each) => Math.exp(each - top));
  const total = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / total);
}

function objective(choices: readonly Choice[], weights: readonly number[]): number {
  const penalty = (RIDGE / 2) * sum(weights.map((weight) => weight ** 2));
  return choices.reduce((total, choice) => total + Math.log(probabilities(choice, weights)[0] ?? 1), -penalty);
}

/** Solves (Σ Cov(x) + ridge) d = gradient; the covariances are those under the model's probabilities. */
function newtonDirection(choices: readonly Choice[], weights: readonly number[]): number[] {
  const gradient = weights.map((weight) => -RIDGE * weight);
  const curvature = weights.map((_, k) => weights.map((_w, l): number => (k === l ? RIDGE : 0)));
  for (const choice of choices) {
    const p = probabilities(choice, weights);
    const centre = weights.map((_, k) =>
      choice.reduce((total, option, i) => total + (p[i] ?? 0) * (option[k] ?? 0), 0),
    );
    for (const [i, option] of choice.entries()) {
      const apart = option.map((x, k) => x - (centre[k] ?? 0));
      if (i === 0) addScaled(gradient, apart, 1);
      for (const [k, row] of curvature.entries()) addScaled(row, apart, (p[i] ?? 0) * (apart[k] ?? 0));
    }
  }
  return solvePositive(curvature, gradient);
}
