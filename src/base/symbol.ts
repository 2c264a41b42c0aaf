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
