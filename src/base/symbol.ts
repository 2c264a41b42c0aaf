/** A position among the options, shown as a letter: A, B, C and so on. */
export type ChoiceSymbol = Brand<string, "ChoiceSymbol">;

/** The position of an option in the question; 0 is the right one. */
export type OptionIndex = Brand<number, "OptionIndex">;

/** A natural logarithm of a probability (nats, <= 0). */
export type Logprob = Brand<number, "Logprob">;

/** Every symbol there is: the letters of the alphabet, in order. */
export const SYMBOLS: readonly ChoiceSymbol[] = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map(
  (letter) => letter as ChoiceSymbol,
);

/** Options of a question in most probes; what is prepared for so many before it is known. */
export const USUAL_OPTIONS = 4;

/**
 * The first `count` symbols.
 * @throws RangeError unless 2 <= count <= 26
 */
export function symbolsFor(count: number): readonly ChoiceSymbol[] {
  if (!Number.isInteger(count) || count < 2 || count > SYMBOLS.length) {
    throw new RangeError(`Expected 2 to ${SYMBOLS.length} options, found ${count}.`);
  }
  return SYMBOLS.slice(0, count);
}

declare const brand: unique symbol;

/** A value of type `T` that the compiler keeps apart from other values of type `T`. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Nats by which rounding puts the log probability of a certain token above 0 (llama.cpp: 1e-7). */
const ROUNDING = 1e-6;
/** Excess over 1 of a distribution's reported probabilities together (llama.cpp: 1.0000087, half precision: more). */
const SUM_ROUNDING = 1e-3;

/** `true` for a number that is the logarithm of a probability. */
export function isLogprob(value: number): boolean {
  return Number.isFinite(value) && value <= ROUNDING;
}

/** `true` for a number that is the logarithm of a sum of one distribution's probabilities. */
export function isLogSum(value: number): boolean {
  return Number.isFinite(value) && value <= SUM_ROUNDING;
}

/** The log probability that a number was found to be: what rounding put above 0 is 0. */
export function asLogprob(value: number): Logprob {
  return Math.min(0, value) as Logprob;
}

/** Fault of numbers that are to be parts of one distribution, whoever reported them: a server, or a worker of a queue. */
export function faultOfLogprobs(logprobs: readonly number[]): string | null {
  const wrong = logprobs.find((logprob) => !isLogprob(logprob));
  if (wrong !== undefined) return `reported a log probability above 0 (${wrong})`;
  const mass = logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  return mass > 1 + SUM_ROUNDING ? `reported probabilities that sum to ${mass.toFixed(3)}, more than 1` : null;
}
