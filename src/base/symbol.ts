import type { Brand } from "./brand.js";

/** A position among the options, shown as a letter: A, B, C, D. */
export type ChoiceSymbol = Brand<string, "ChoiceSymbol">;

/** The position of an option in the question; 0 is the right one. */
export type OptionIndex = Brand<number, "OptionIndex">;

/** A natural logarithm of a probability (nats, <= 0). */
export type Logprob = Brand<number, "Logprob">;

const LETTERS = ["A", "B", "C", "D"].map((letter) => letter as ChoiceSymbol);

/** The most options a question can have. */
export const MAX_OPTIONS = LETTERS.length;

/**
 * The first `count` symbols.
 * @throws RangeError unless 2 <= count <= 4
 */
export function symbolsFor(count: number): readonly ChoiceSymbol[] {
  if (!Number.isInteger(count) || count < 2 || count > MAX_OPTIONS) {
    throw new RangeError(`Expected 2 to ${MAX_OPTIONS} options, found ${count}.`);
  }
  return LETTERS.slice(0, count);
}
