import { ProbeError } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { shorten } from "../base/text.js";

/** Values of an option that may be repeated; `undefined` when it was not given. */
export type Values = string | readonly string[] | undefined;

/** The parts of a comma list or a repeated option, blanks trimmed, in order. */
export function list(values: Values): string[] {
  return [values ?? []]
    .flat()
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

/** The value of an option that may stand once, and is not empty, as `--out ""` is. */
export function single(option: string, values: Values): string | undefined {
  const text = once(option, values);
  if (text === "") throw new ProbeError("bad_input", `Expected a value for --${option}, found none. See --help.`);
  return text;
}

function once(option: string, values: Values): string | undefined {
  if (values === undefined || typeof values === "string") return values;
  if (values.length <= 1) return values[0];
  throw usage(option, "one value", `${values.length}`);
}

/** A whole number of at least `least`. */
export function wholeNumber(option: string, values: Values, least: number): number | undefined {
  const text = once(option, values);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(number) || number < least) {
    throw usage(option, `a whole number of at least ${least}`, `"${shorten(text, 120)}"`);
  }
  return number;
}

/** One of a few words. */
export function choice<T extends string>(option: string, values: Values, choices: readonly T[]): T | undefined {
  const text = once(option, values);
  if (text === undefined) return undefined;
  const found = choices.find((candidate) => candidate === text.toLowerCase());
  if (found === undefined) throw unknownWord(option, text, choices);
  return found;
}

/** `key=value` settings. */
export function settings(values: Values): Record<string, string> {
  return Object.fromEntries(
    [values ?? []].flat().map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw usage("model-arg", "key=value", `"${shorten(pair, 120)}"`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/** Error of an option whose value is none of the words that it knows, with those that it is near. */
export function unknownWord(
  option: string,
  word: string,
  names: readonly string[],
  expected = `one of ${names.join(", ")}`,
): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected ${expected} for --${option}, found "${shorten(word, 120)}".${nearHint(word, names)}`,
  );
}

/** Error of an option: expected and found. */
export function usage(option: string, expected: string, found: string): ProbeError {
  return new ProbeError("bad_input", `Expected ${expected} for --${option}, found ${found}.`);
}
