import { sum } from "simple-statistics";
import { solvePositive } from "./linear-algebra.js";

/**
 * Choices among options, all in one piece of memory: there may be a hundred thousand, and each is looked at at every step.
 * The first option of a choice is the one that was chosen.
 */
export interface Choices {
  /** Number of features of each option. */
  readonly features: number;
  /** Option by option, a number a feature. */
  readonly values: Float64Array;
  /** One a choice; what is in none is left out. */
  readonly spans: readonly Span[];
}

/** The options of a choice among all: its first, and the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One for all features. It keeps weights finite where a feature tells every choice, and is as strong as one choice. */
const RIDGE = 1;
/** Newton's method squares the error at each step: more change nothing. */
const STEPS = 12;
const HALVINGS = 20;
/** A step that raises the objective by less than this share of it is the last: what is left then is rounding. */
const LAST_GAIN = 1e-14;

/**
 * Conditional logit (McFadden 1974): P(option i) ∝ exp(Σₖ βₖ xᵢₖ). The weights β maximise Σ log P(option 0) − |β|²/2
 * (a ridge penalty, so that the optimum is unique), by Newton's method from 0 with step halving. Deterministic.
 * Time: choices × options × features².
 * @returns one weight a feature; all 0 without choices
 */
export function fitConditionalLogit(choices: Choices): number[] {
  const design = { ...choices, probabilities: new Float64Array(choices.values.length / choices.features) };
  let weights = new Array<number>(choices.features).fill(0);
  let value = setProbabilities(design, weights);
  for (let step = 0; step < STEPS; step++) {
    const { direction, gain } = newtonStep(design, weights);
    const full = weights.map((weight, k) => weight + (direction[k] ?? 0));
    if (gain <= LAST_GAIN * (1 + Math.abs(value))) return full;
    let [size, next, nextValue] = [1, full, setProbabilities(design, full)];
    for (let halving = 1; halving < HALVINGS && nextValue <= value; halving++) {
      size /= 2;
      next = weights.map((weight, k) => weight + size * (direction[k] ?? 0));
      nextValue = setProbabilities(design, next);
    }
    if (nextValue <= value) return weights;
    [weights, value] = [next, nextValue];
  }
  return weights;
}

/** Σₖ βₖ xₖ: the higher, the more probable the option. */
export function utility(option: ArrayLike<number>, weights: readonly number[]): number {
  let total = 0;
  for (let k = 0; k < option.length; k++) total += (option[k] ?? 0) * (weights[k] ?? 0);
  return total;
}

interface Design extends Choices {
  /** Probability of each option, under the weights that were set last. */
  readonly probabilities: Float64Array;
}

/** Sets the probabilities of all options under these weights. Returns the objective: Σ log P(option 0) − |β|²/2. */
function setProbabilities(design: Design, weights: readonly number[]): number {
  const { spans, probabilities } = design;
  const beta = Float64Array.from(weights);
  let value = -(RIDGE / 2) * sum(weights.map((weight) => weight ** 2));
  for (const { start, end } of spans) {
    setOfChoice(design, beta, start, end);
    if (end > start) value += Math.log(probabilities[start] ?? 1);
  }
  return value;
}

/** Sets those of the options of one choice. */
function setOfChoice({ values, probabilities: p }: Design, beta: Float64Array, start: number, end: number): void {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const own = product(values, i * beta.length, beta);
    p[i] = own;
    if (own > top) top = own;
  }
  let total = 0;
  for (let i = start; i < end; i++) {
    const power = Math.exp((p[i] ?? 0) - top);
    p[i] = power;
    total += power;
  }
  for (let i = start; i < end; i++) p[i] = (p[i] ?? 0) / total;
}

function product(values: Float64Array, from: number, beta: Float64Array): number {
  let total = 0;
  for (let k = 0; k < beta.length; k++) total += (values[from + k] ?? 0) * (beta[k] ?? 0);
  return total;
}

interface NewtonStep {
  /** Solves (Σ Cov(x) + ridge) d = gradient; the covariances are those under the design's probabilities. */
  readonly direction: readonly number[];
  /** Gain in the objective by the whole step, were it a parabola. */
  readonly gain: number;
}

function newtonStep(design: Design, weights: readonly number[]): NewtonStep {
  const { features, spans } = design;
  const slope = Float64Array.from(weights, (weight) => -RIDGE * weight);
  const curvature = new Float64Array(features * features);
  const [centre, apart] = [new Float64Array(features), new Float64Array(features)];
  for (const { start, end } of spans) {
    addChoice(design, start, end, { slope, curvature, centre, apart });
  }
  const gradient = [...slope];
  const direction = solvePositive(withRidge(curvature, features), gradient);
  return { direction, gain: utility(direction, gradient) / 2 };
}

interface Sums {
  readonly slope: Float64Array;
  readonly curvature: Float64Array;
  /** Room for the mean of a choice's options, and for what one of them differs from it. */
  readonly centre: Float64Array;
  readonly apart: Float64Array;
}

/** Adds what one choice says of slope and curvature. */
function addChoice({ values, probabilities: p }: Design, start: number, end: number, sums: Sums): void {
  const { slope, curvature, centre, apart } = sums;
  const size = apart.length;
  centre.fill(0);
  for (let i = start; i < end; i++) addScaled(centre, values, i * size, p[i] ?? 0);
  for (let i = start; i < end; i++) {
    for (let k = 0; k < size; k++) apart[k] = (values[i * size + k] ?? 0) - (centre[k] ?? 0);
    if (i === start) addScaled(slope, apart, 0, 1);
    addSquares(curvature, apart, p[i] ?? 0);
  }
}

/** `target` += `factor` · the values from `from` on, in place. */
function addScaled(target: Float64Array, values: Float64Array, from: number, factor: number): void {
  for (let k = 0; k < target.length; k++) target[k] = (target[k] ?? 0) + factor * (values[from + k] ?? 0);
}

/** `target` += `factor` · `apart` `apart`ᵀ, in place: on and above the diagonal. */
function addSquares(target: Float64Array, apart: Float64Array, factor: number): void {
  const size = apart.length;
  for (let k = 0; k < size; k++) {
    const scaled = factor * (apart[k] ?? 0);
    for (let l = k; l < size; l++) target[k * size + l] = (target[k * size + l] ?? 0) + scaled * (apart[l] ?? 0);
  }
}

/** The rows of a symmetric matrix that is known on and above its diagonal, the ridge added. */
function withRidge(upper: Float64Array, size: number): number[][] {
  return Array.from({ length: size }, (_, k) =>
    Array.from({ length: size }, (_w, l) => {
      const own = upper[Math.min(k, l) * size + Math.max(k, l)] ?? 0;
      return k === l ? own + RIDGE : own;
    }),
  );
}
