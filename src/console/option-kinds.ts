import { badInput } from "../base/errors.js";
import { LANGUAGES, type Language, parseLanguage } from "../base/language.js";
import { choice, eachText, type Given, list, type Option, single, texts, unknownWord, wholeNumber } from "./option.js";

type Rest<T> = Partial<Omit<Option<T>, "kind" | "describe">>;

/** A text that may stand once; `null` when it was not given. */
export function textOption(describe: string, rest: Rest<string | null> = {}): Option<string | null> {
  return { kind: "value", describe, parse: (given, flag) => single(flag, texts(given)) ?? null, ...rest };
}

/** An option that must be given. */
export function required<T>(option: Option<T | null>): Option<T> {
  return {
    ...option,
    parse(given, flag) {
      const value = option.parse(given, flag);
      if (value !== null) return value;
      throw badInput(`Expected --${flag}, found none: ${option.describe.replace(" (required)", "")}. See --help.`);
    },
  };
}

/** One of a few words; `fallback` when it was not given. */
export function choiceOption<const T extends string, const Fallback extends T | null>(
  describe: string,
  choices: readonly T[],
  fallback: Fallback,
  rest: Rest<T | Fallback> = {},
): Option<T | Fallback> {
  return {
    kind: "value",
    describe,
    parse: (given, flag) => choice(flag, texts(given), choices) ?? fallback,
    values: () => choices,
    ...rest,
  };
}

/** A whole number of at least `least`; `null` when it was not given. */
export function countOption(describe: string, least: number, rest: Rest<number | null> = {}): Option<number | null> {
  return wholeOption(describe, least, null, rest);
}

/** A whole number of at least `least`; `fallback` when it was not given. */
export function wholeOption<Fallback extends number | null>(
  describe: string,
  least: number,
  fallback: Fallback,
  rest: Rest<number | Fallback> = {},
): Option<number | Fallback> {
  return {
    kind: "value",
    describe,
    parse: (given, flag) => wholeNumber(flag, texts(given), least) ?? fallback,
    ...rest,
  };
}

/** Numbers that an option takes. */
interface NumberRange {
  readonly fits: (value: number) => boolean;
  /** Message about a text that is none of them. */
  readonly refusal: (flag: string, text: string) => string;
}

/** A number of a range; `fallback` when it was not given. */
export function numberOption<Fallback extends number | null>(
  describe: string,
  { fits, refusal }: NumberRange,
  fallback: Fallback,
  rest: Rest<number | Fallback> = {},
): Option<number | Fallback> {
  return {
    kind: "value",
    describe,
    parse(given, flag) {
      const text = single(flag, texts(given));
      if (text === undefined) return fallback;
      const value = Number(text);
      if (text.trim() !== "" && fits(value)) return value;
      throw badInput(refusal(flag, text));
    },
    ...rest,
  };
}

/** Texts behind as many flags, each as it stands. */
export function repeatedOption(describe: string, rest: Rest<readonly string[]> = {}): Option<readonly string[]> {
  return { kind: "list", describe, parse: eachText, ...rest };
}

/** A comma list, or repeated. */
export function listOption(describe: string, rest: Rest<readonly string[]> = {}): Option<readonly string[]> {
  return { kind: "list", describe, parse: (given) => list(texts(given)), ...rest };
}

/** A comma list, or repeated, that means something of its own. */
export function parsedListOption<T>(
  describe: string,
  parse: (given: Given, flag: string) => T,
  rest: Partial<Omit<Option<T>, "kind" | "describe" | "parse">> = {},
): Option<T> {
  return { kind: "list", describe, parse, ...rest };
}

/** Words that an option knows. */
interface KnownWords<T extends string> {
  /** All that can be chosen, in the order in which they are given. */
  readonly all: readonly T[];
  /** Words to be offered; those of `all` unless told otherwise. */
  readonly words?: readonly string[];
  /** Values that a word chooses; `undefined`: it is none of them. */
  readonly read: (word: string) => readonly T[] | undefined;
  /** Such as `easy, hard or both`. */
  readonly expected: string;
}

/** A comma list, or repeated, of words that are known: what they choose, each once; empty when it was not given. */
export function wordsOption<T extends string>(
  describe: string,
  { all, read, expected, words = all }: KnownWords<T>,
  rest: Rest<readonly T[]> = {},
): Option<readonly T[]> {
  return {
    kind: "list",
    describe,
    parse(given, flag) {
      const chosen = list(texts(given)).flatMap((word) => {
        const found = read(word);
        if (found === undefined) throw unknownWord(flag, word, words, expected);
        return found;
      });
      return all.filter((each) => chosen.includes(each));
    },
    isJoined: true,
    values: () => words,
    ...rest,
  };
}

/** `--language`: languages by name or alias, in the benchmark's order. */
export function languageOption(rest: Rest<readonly Language[]> = {}): Option<readonly Language[]> {
  const read = (word: string) => {
    const language = parseLanguage(word);
    return language === undefined ? undefined : [language];
  };
  const known = { all: LANGUAGES, read, expected: `one of ${LANGUAGES.join(", ")}` };
  return wordsOption("only these languages: comma list or repeated", known, rest);
}

/** On when it stands there. */
export function switchOption(describe: string, rest: Rest<boolean> = {}): Option<boolean> {
  return { kind: "switch", describe, parse: (given) => given === true, ...rest };
}

/** A word that must stand behind the command, such as a file. */
export function positional(describe: string, rest: Pick<Rest<string>, "isRun"> = {}): Option<string> {
  return {
    ...placed({ describe, isRequired: true, isMany: false, parse: (given) => eachText(given)[0] ?? "" }),
    ...rest,
  };
}

/** A word that may stand behind the command; `null` when it does not. */
export function optionalPositional(describe: string): Option<string | null> {
  return placed({ describe, isRequired: false, isMany: false, parse: (given) => eachText(given)[0] ?? null });
}

/** Words behind the command, at least one. */
export function positionals(
  describe: string,
  rest: Pick<Rest<readonly string[]>, "isRun"> = {},
): Option<readonly string[]> {
  return { ...placed({ describe, isRequired: true, isMany: true, parse: eachText }), ...rest };
}

/** Words behind the command, or none. */
export function optionalPositionals(describe: string): Option<readonly string[]> {
  return placed({ describe, isRequired: false, isMany: true, parse: eachText });
}

function placed<T>({
  describe,
  isRequired,
  isMany,
  parse,
}: Pick<Option<T>, "describe" | "parse"> & NonNullable<Option<T>["place"]>): Option<T> {
  return { kind: isMany ? "list" : "value", describe, place: { isRequired, isMany }, parse };
}
