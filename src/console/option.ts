import { badInput, type ProbeError } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import type { Shard } from "../base/shard.js";
import { shorten } from "../base/text.js";

/** Value of an option as the parser hands it over; `undefined`: it was not given. */
export type Given = Values | boolean;

/** A value as `run.json` keeps it. */
export type ParameterValue = string | number | boolean | null | string[];

/** Request in a record, `run.json`, whatever its suite. */
export interface RecordedRequest {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly model: {
    readonly label: string;
    readonly connection: Readonly<Record<string, unknown>>;
  };
  readonly dataset?: { readonly source: string } | undefined;
  readonly shard?: Shard | undefined;
  readonly benchmarks?: readonly { readonly source: string }[] | undefined;
}

/**
 * An option, once: its help, what it means, what a record keeps of it, and how it is given again from there (`--resume`,
 * a command to copy). The key in its table is its name in camel case. Its default is what it means where it was not given,
 * also for a record from before there was such an option.
 */
export interface Option<T> {
  readonly kind: "value" | "list" | "switch";
  readonly describe: string;
  readonly alias?: string;
  /** Heading under which the help has it; absent: among the common ones, which come first. */
  readonly group?: OptionGroup;
  /** Words that it takes, for completion and hints; it may take others too. */
  values?(workingDirectory: string): readonly string[] | Promise<readonly string[]>;
  /** Set where it takes runs: `latest`, numbers of `probe runs` and beginnings of names stand for their folders. */
  readonly isRun?: true;
  /** Set for a word that stands by its place, not behind a flag. */
  readonly place?: Place;
  /** Set where the parser itself refuses a command without it. */
  readonly isDemanded?: true;
  /** Values behind one flag, where that is not one. */
  readonly count?: number;
  /** @throws ProbeError `bad_input` saying what was expected of the flag, and what was found */
  parse(given: Given, flag: string): T;
  /** Under which name `parameters` of the record keep it; absent: they do not. */
  readonly parameter?: string;
  /** Value that `parameters` keep; the value itself unless told otherwise. `undefined`: none. */
  record?(value: T): ParameterValue | undefined;
  /** Reconstructs the option as it was given, from the record; from `parameters` unless told otherwise. */
  replay?(record: RecordedRequest): Given;
  /**
   * Set where a record does not give it again, or not everywhere: `--resume` takes it from the command line, such as code
   * that is run, and files with code where no sandbox holds it.
   */
  readonly isNamedAnew?: true;
  /** Values of it that `--resume` needs again, as they may be shown, where these are others than those given. */
  anew?(given: GivenOptions): readonly string[];
  /**
   * Set where `run` in `probe.config.json` may say it: what neither names a server, a key or code to run, nor says where
   * results go, nor lifts a guard. `path inside`: a file below that folder, for a file that was found reads no other.
   */
  readonly inConfig?: "anything" | "path inside";
  /** Set where a command for somebody else to copy does not say it: keys, and what is about one machine. */
  readonly isOwn?: true;
  /** Set where a command to copy has the values of a list in one word, with commas. */
  readonly isJoined?: true;
  /** True if a command to copy leaves it out; unless told otherwise, where the record has the default. */
  isDefault?(recorded: unknown, record: RecordedRequest): boolean;
}

/** Headings of options in a help, in its order; of a command with many options, `--help-all` alone shows them. */
export const OPTION_GROUPS = {
  questions: "Questions and tasks:",
  model: "How the model is reached:",
  agent: "The agent:",
  limits: "Limits and order of trials:",
  sandbox: "Where trials run:",
  judge: "The judge:",
  scale: "Many machines, many runs:",
  ci: "For CI:",
} as const;

/** A heading. */
type OptionGroup = keyof typeof OPTION_GROUPS;

/** The options of a table, under one heading. */
export function grouped<Table extends OptionTable>(group: OptionGroup, table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([name, option]) => [name, { ...option, group }])) as Table;
}

/** Place of a word that has no flag, such as the folder of `probe runs [folder]`. */
export interface Place {
  readonly isRequired: boolean;
  /** True if several may stand there. */
  readonly isMany: boolean;
}

/** Options by their names in camel case. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The parsed values of a table. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer T> ? T : never;
};

/** Options as the parser hands them over, by their names in camel case; it checks their types. */
export type GivenOptions = Readonly<Record<string, unknown>>;

export function givenOf(given: GivenOptions, name: string): Given {
  const value = given[name];
  if (typeof value === "string" || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map(String) : undefined;
}

/** Given values as texts: a switch has none. */
export function texts(given: Given): Values {
  return typeof given === "boolean" ? undefined : given;
}

/** Given values, text by text. */
export function eachText(given: Given): readonly string[] {
  return [texts(given) ?? []].flat();
}

/**
 * The values of all options of a table.
 * @throws ProbeError `bad_input` for the first that is not what it should be
 */
export function parseOptions<Table extends OptionTable>(table: Table, given: GivenOptions): OptionValues<Table> {
  const entries = Object.entries(table).map(([name, option]) => {
    const flag = flagOf(name);
    const value = givenOf(given, name);
    if (option.place === undefined) requireText(flag, value);
    return [name, option.parse(value, flag)];
  });
  return Object.fromEntries(entries) as OptionValues<Table>;
}

/** An option that was given has something in it: `--task ""` is a mistake, not the default. */
function requireText(flag: string, given: Given): void {
  if (eachText(given).some((value) => value.trim() === "")) throw usage(flag, "a value", "an empty text");
}

/** Such as `early-stop` for `earlyStop`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Values of an option that may be repeated; `undefined` when it was not given. */
type Values = string | readonly string[] | undefined;

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
  if (text === "") throw badInput(`Expected a value for --${option}, found none. See --help.`);
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
  return badInput(`Expected ${expected} for --${option}, found "${shorten(word, 120)}".${nearHint(word, names)}`);
}

/** Error of an option: expected and found. */
export function usage(option: string, expected: string, found: string): ProbeError {
  return badInput(`Expected ${expected} for --${option}, found ${found}.`);
}
