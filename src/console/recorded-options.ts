import { shellWord } from "../base/text.js";
import {
  eachText,
  flagOf,
  type Given,
  type GivenOptions,
  givenOf,
  type Option,
  type OptionTable,
  type OptionValues,
  type ParameterValue,
  parseOptions,
  type RecordedRequest,
} from "./option.js";

/** Values that a record keeps, in the order of the table. */
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

/** Recorded parameters with the default of each option that the record does not have: it is from before there was any. */
export function withDefaults<Value>(
  table: OptionTable,
  recorded: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value | ParameterValue>> {
  const kept = Object.fromEntries(Object.entries(table).filter(([, { parameter }]) => parameter !== undefined));
  return { ...recordedParameters(kept, parseOptions(kept, {})), ...recorded };
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

/**
 * The words of a command that asks what a record asked, ready for a shell: flags with their values, without those that
 * change nothing.
 * @param instead values in place of those of the record, as they would be given; `undefined`: none
 */
export function commandWords(table: OptionTable, record: RecordedRequest, instead: GivenOptions = {}): string[] {
  return Object.entries(table).flatMap(([name, option]) => {
    if (option.isOwn === true) return [];
    if (name in instead) return flagWords(name, option, givenOf(instead, name));
    const given = replayed(option, record);
    return isDefault(option, given, record) ? [] : flagWords(name, option, given);
  });
}

function isDefault(option: Option<unknown>, given: Given, record: RecordedRequest): boolean {
  const { parameter } = option;
  const recorded = parameter === undefined ? given : record.parameters[parameter];
  if (option.isDefault !== undefined) return option.isDefault(recorded, record);
  return (
    parameter !== undefined && JSON.stringify(withDefaults({ option }, {})[parameter]) === JSON.stringify(recorded)
  );
}

function flagWords(name: string, { isJoined }: Option<unknown>, given: Given): string[] {
  const flag = `--${flagOf(name)}`;
  if (given === true) return [flag];
  const values = eachText(given);
  const shown = isJoined === true && values.length > 0 ? [values.join(",")] : values;
  return shown.map((value) => `${flag} ${shellWord(value)}`);
}

/** Options that `--resume` must be given again, as they are typed behind the command; empty: none. */
export function namedAnew(table: OptionTable, given: GivenOptions): string {
  return Object.entries(table)
    .flatMap(([name, option]) => {
      if (option.anew !== undefined) return flagWords(name, option, [...option.anew(given)]);
      return option.isNamedAnew === true ? flagWords(name, option, givenOf(given, name)) : [];
    })
    .map((words) => ` ${words}`)
    .join("");
}
