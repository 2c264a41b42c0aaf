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
  let total = 0;
  for (let k = 0; k < option.length; k++) total += (option[k] ?? 0) * (weights[k] ?? 0);
  return total;
}

/** Written into `p`, one an option: made anew for each of a hundred thousand choices they would take most of the time. */
function setProbabilities(p: number[], choice: Choice, weights: readonly number[]): void {
  p.length = choice.length;
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < choice.length; i++) {
    const each = utility(choice[i] ?? [], weights);
    p[i] = each;
    if (each > top) top = each;
  }
  let total = 0;
  for (let i = 0; i < p.length; i++) {
    const power = Math.exp((p[i] ?? 0) - top);
    p[i] = power;
    total += power;
  }
  for (let i = 0; i < p.length; i++) p[i] = (p[i] ?? 0) / total;
}

function objective(choices: readonly Choice[], weights: readonly number[]): number {
  let value = -(RIDGE / 2) * sum(weights.map((weight) => weight ** 2));
  const p: number[] = [];
  for (const choice of choices) {
    setProbabilities(p, choice, weights);
    value += Math.log(p[0] ?? 1);
  }
  return value;
}

/** Solves (Σ Cov(x) + ridge) d = gradient; the covariances are those under the model's probabilities. */
function newtonDirection(choices: readonly Choice[], weights: readonly number[]): number[] {
  const gradient = weights.map((weight) => -RIDGE * weight);
  const curvature = weights.map((_, k) => weights.map((_w, l): number => (k === l ? RIDGE : 0)));
  const [p, centre, apart]: [number[], number[], number[]] = [[], weights.map(() => 0), weights.map(() => 0)];
  for (const choice of choices) {
    setProbabilities(p, choice, weights);
    centre.fill(0);
    for (const [i, option] of choice.entries()) addScaled(centre, option, p[i] ?? 0);
    for (const [i, option] of choice.entries()) {
      for (let k = 0; k < apart.length; k++) apart[k] = (option[k] ?? 0) - (centre[k] ?? 0);
      if (i === 0) addScaled(gradient, apart, 1);
      addSquares(curvature, apart, p[i] ?? 0);
    }
  }
  return solvePositive(curvature, gradient);
}

/** `target` += `factor` · `apart` `apart`ᵀ, in place. */
function addSquares(target: readonly number[][], apart: readonly number[], factor: number): void {
  for (const [k, row] of target.entries()) addScaled(row, apart, factor * (apart[k] ?? 0));
}
