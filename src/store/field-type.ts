import type { z } from "zod";
import { shorten } from "../base/text.js";
import type { ColumnDescription } from "./table.js";

/** Result of reading a value that is not of the type. */
export const MISMATCH: unique symbol = Symbol("mismatch");

/** Type of a recorded value: its form in a line of JSON, in memory, and in a table. */
export interface FieldType<T> {
  /** Frictionless type of its cell. */
  readonly cellType: ColumnDescription["type"];
  /** Noun for messages, such as `a text or null`. */
  readonly expected: string;
  /** Value in memory for what the line has; `undefined` where the line has nothing. */
  read(found: unknown): T | typeof MISMATCH;
  /** JSON value for the line; `undefined` leaves the field out. */
  write(value: T): unknown;
}

/** Type of values that stand in the line as they are in memory. */
export function plainType<T>(
  cellType: FieldType<T>["cellType"],
  expected: string,
  isValid: (found: unknown) => found is T,
): FieldType<T> {
  return { cellType, expected, read: (found) => (isValid(found) ? found : MISMATCH), write: (value) => value };
}

const isText = (found: unknown): found is string => typeof found === "string";
const isFlag = (found: unknown): found is boolean => typeof found === "boolean";
const isNumber = (found: unknown): found is number => Number.isFinite(found);

/** Tests for a whole number from 0 that memory holds exactly. */
export function isCount(found: unknown): found is number {
  return Number.isSafeInteger(found) && Number(found) >= 0;
}

export const TEXT = plainType("string", "a text", isText);
export const FLAG = plainType("boolean", "true or false", isFlag);
export const NUMBER = plainType("number", "a number", isNumber);
/** Number from 0. */
export const SIZE = plainType("number", "a number from 0", (found): found is number => isNumber(found) && found >= 0);
/** Number from 0 to 1. */
export const SHARE = plainType(
  "number",
  "a number from 0 to 1",
  (found): found is number => isNumber(found) && found >= 0 && found <= 1,
);
export const COUNT = plainType("integer", "a whole number from 0", isCount);
/** Milliseconds, written to the microsecond. */
export const MILLISECONDS: FieldType<number> = {
  cellType: SIZE.cellType,
  expected: SIZE.expected,
  read: SIZE.read,
  write: (value) => Math.round(value * 1000) / 1000,
};

/** Type of a name out of a list. */
export function oneOf<const T extends string>(names: readonly T[]): FieldType<T> {
  const known: ReadonlySet<unknown> = new Set(names);
  return plainType("string", `one of ${names.join(", ")}`, (found): found is T => known.has(found));
}

/** Type of a value that may be `null`: known to be absent. */
export function nullable<T>(type: FieldType<T>): FieldType<T | null> {
  return withAbsent(type, null, " or null");
}

/** Type of a field that a line may lack, such as one that earlier versions did not record. */
export function optional<T>(type: FieldType<T>): FieldType<T | undefined> {
  return withAbsent(type, undefined, ", or no such field");
}

function withAbsent<T, A extends null | undefined>(type: FieldType<T>, absent: A, words: string): FieldType<T | A> {
  return {
    cellType: type.cellType,
    expected: `${type.expected}${words}`,
    read: (found) => (found === absent ? absent : type.read(found)),
    write: (value) => (value === absent ? absent : type.write(value as T)),
  };
}

/** Type of a structure that a schema describes; several times as slow as the others. */
export function schemaType<T>(expected: string, schema: z.ZodType<T>): FieldType<T> {
  return {
    cellType: "string",
    expected,
    read: (found) => {
      const parsed = schema.safeParse(found);
      return parsed.success ? parsed.data : MISMATCH;
    },
    write: (value) => value,
  };
}

/** Error that says what a field was expected to hold, and what it holds. */
export function mismatch(name: string, expected: string, found: unknown): Error {
  return new Error(`expected ${name} to be ${expected}, found ${shorten(JSON.stringify(found) ?? "none", 80)}`);
}
