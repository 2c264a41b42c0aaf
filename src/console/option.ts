import type { Shard } from "../base/shard.js";
import { shellWord } from "../base/text.js";
import { choice, list, single, usage, type Values, wholeNumber } from "./arguments.js";

/** What the parser hands over of one option; `undefined`: it was not given. */
export type Given = Values | boolean;

/** A value as `run.json` keeps it. */
export type ParameterValue = string | number | boolean | null | string[];

/** What a record tells of how it was asked for: `run.json`, whatever its suite. */
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
 * a command to copy). The key in its table is its name in camel case.
 */
export interface Option<T> {
  readonly kind: "value" | "list" | "switch";
  readonly describe: string;
  readonly alias?: string;
  /** @throws ProbeError `bad_input` saying what was expected of the flag, and what was found */
  parse(given: Given, flag: string): T;
  /** Under which name `parameters` of the record keep it; absent: they do not. */
  readonly parameter?: string;
  /** What `parameters` keep; the value itself unless told otherwise. `undefined`: nothing. */
  record?(value: T): ParameterValue | undefined;
  /** How it was given, by the record; from `parameters` unless told otherwise. */
  replay?(record: RecordedRequest): Given;
  /**
   * Set where a record does not give it again, or not everywhere: `--resume` takes it from the command line, such as code
   * that is run, and files with code where no sandbox holds it.
   */
  readonly isNamedAnew?: true;
  /**
   * Set where `run` in `probe.config.json` may say it: what neither names a server, a key or code to run, nor says where
   * results go, nor lifts a guard. `path inside`: a file below that folder, for a file that was found reads no other.
   */
  readonly inConfig?: "anything" | "path inside";
  /** Whether a command that leaves it out means the same: such options do not stand in a command to copy. */
  isDefault?(recorded: unknown, record: RecordedRequest): boolean;
}

/** Options by their names in camel case. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The parsed values of a table. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer T> ? T : never;
};

/** Options as the parser hands them over, by their names in camel case; it checks their types. */
export type GivenOptions = Readonly<Record<string, unknown>>;

function givenOf(given: GivenOptions, name: string): Given {
  const value = given[name];
  if (typeof value === "string" || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map(String) : undefined;
}

type Rest<T> = Partial<Omit<Option<T>, "kind" | "describe">>;

/** A text that may stand once; `null` when it was not given. */
export function textOption(describe: string, rest: Rest<string | null> = {}): Option<string | null> {
  return { kind: "value", describe, parse: (given, flag) => single(flag, texts(given)) ?? null, ...rest };
}

/** One of a few words; `fallback` when it was not given. */
export function choiceOption<const T extends string>(
  describe: string,
  choices: readonly T[],
  fallback: T,
  rest: Rest<T> = {},
): Option<T> {
  return {
    kind: "value",
    describe,
    parse: (given, flag) => choice(flag, texts(given), choices) ?? fallback,
    isDefault: (recorded) => recorded === fallback,
    ...rest,
  };
}

/** A whole number of at least `least`; `null` when it was not given. */
export function countOption(describe: string, least: number, rest: Rest<number | null> = {}): Option<number | null> {
  return { kind: "value", describe, parse: (given, flag) => wholeNumber(flag, texts(given), least) ?? null, ...rest };
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

/** On when it stands there. */
export function switchOption(describe: string, rest: Rest<boolean> = {}): Option<boolean> {
  return { kind: "switch", describe, parse: (given) => given === true, ...rest };
}

/** What was given, as texts: a switch has none. */
export function texts(given: Given): Values {
  return typeof given === "boolean" ? undefined : given;
}

/**
 * The values of all options of a table.
 * @throws ProbeError `bad_input` for the first that is not what it should be
 */
export function parseOptions<Table extends OptionTable>(table: Table, given: GivenOptions): OptionValues<Table> {
  const entries = Object.entries(table).map(([name, option]) => {
    const flag = flagOf(name);
    const value = givenOf(given, name);
    requireText(flag, value);
    return [name, option.parse(value, flag)];
  });
  return Object.fromEntries(entries) as OptionValues<Table>;
}

/** An option that was given has something in it: `--task ""` is a mistake, not the default. */
function requireText(flag: string, given: Given): void {
  const values = [texts(given) ?? []].flat();
  if (values.some((value) => value.trim() === "")) throw usage(flag, "a value", "an empty text");
}

/** What a record keeps of the values, in the order of the table. */
export function recordedParameters<Table extends OptionTable>(
  table: Table,
  values: OptionValues<Table>,
): Record<string, ParameterValue> {
  const entries = Object.entries(table).flatMap(([name, option]) => {
    if (option.parameter === undefined) return [];
    const value: unknown = values[name];
    const kept = option.record === undefined ? parameterValue(value) : option.record(value);
    return kept === undefined ? [] : [[option.parameter, kept] as const];
  });
  return Object.fromEntries(entries);
}

function parameterValue(value: unknown): ParameterValue {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return null;
}

/** The options of a record as if they had been given, under those that are given now. */
export function withRecorded(table: OptionTable, given: GivenOptions, record: RecordedRequest): GivenOptions {
  const recorded = Object.entries(table).map(([name, option]) => [name, replayed(option, record)]);
  const now = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...recorded, ...now]);
}

function replayed(option: Option<unknown>, record: RecordedRequest): Given {
  if (option.replay !== undefined) return option.replay(record);
  return option.parameter === undefined ? undefined : givenFrom(record.parameters[option.parameter]);
}

/** A recorded value as it is given on a command line. */
export function givenFrom(recorded: unknown): Given {
  if (recorded === null || recorded === undefined) return undefined;
  if (typeof recorded === "boolean") return recorded;
  return Array.isArray(recorded) ? recorded.map(String) : String(recorded);
}

/** A flag, and its value; a switch has none. */
type CommandWord = readonly [flag: string, value: string | null];

/** The words of a command that asks what a record asked: flags with their values, without those that change nothing. */
export function commandWords(table: OptionTable, record: RecordedRequest): CommandWord[] {
  return Object.entries(table).flatMap(([name, option]): CommandWord[] => {
    const given = replayed(option, record);
    const recorded = option.parameter === undefined ? given : record.parameters[option.parameter];
    if (given === undefined || given === false || option.isDefault?.(recorded, record) === true) return [];
    const flag = `--${flagOf(name)}`;
    return given === true ? [[flag, null]] : [given].flat().map((value): CommandWord => [flag, value]);
  });
}

/** What `--resume` must be given again of a command, as it is typed; empty: nothing. */
export function namedAnew(table: OptionTable, given: GivenOptions): string {
  return Object.entries(table)
    .filter(([, { isNamedAnew }]) => isNamedAnew === true)
    .flatMap(([name]) =>
      [texts(givenOf(given, name)) ?? []].flat().map((value) => ` --${flagOf(name)} ${shellWord(value)}`),
    )
    .join("");
}

/** A table as the parser takes it. Its values are parsed by `parseOptions`: the parser's types say nothing of them. */
export function parserOptions(table: OptionTable): Record<never, ParserOption> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { kind, describe, alias }]) => [
      flagOf(name),
      {
        type: kind === "switch" ? "boolean" : "string",
        ...(kind === "list" ? { array: true } : {}),
        ...(kind === "switch" ? {} : { requiresArg: true }),
        ...(alias === undefined ? {} : { alias }),
        describe,
      } as const,
    ]),
  );
}

interface ParserOption {
  readonly type: "boolean" | "string";
  readonly array?: boolean;
  readonly requiresArg?: boolean;
  readonly alias?: string;
  readonly describe: string;
}

/** Such as `early-stop` for `earlyStop`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
