import { LANGUAGES } from "../../../base/language.js";
import type { ChoiceSymbol } from "../../../base/symbol.js";
import { CHANGE_TYPES, DIFFICULTIES } from "../../../dataset/example.js";
import { WITHHELD } from "../../../question/form.js";
import type { Glance } from "../../../store/journal/codec.js";
import { type AnswerRecord, answerRecord } from "./answer-schema.js";

const orNull = (value: string) => `(?:null|${value})`;
/** Without escapes, as nearly all texts are. */
const TEXT = String.raw`"([^"\\\x00-\x1f]*)"`;
const NAME = '"([a-z_]+)"';
const SYMBOL = '"([A-Z])"';
const COUNT = "(0|[1-9][0-9]{0,14})";
const SIZE = "(?:0|[1-9][0-9]{0,14})(?:[.][0-9]{1,25})?(?:e[+-]?[0-9]{1,2})?";
const LOGPROB = `"[A-Z]":${orNull(`-?${SIZE}`)}`;

/** A line as `encodeAnswer` writes it, whole: its fields in their order. What it matches is JSON, and the record that it says. */
const FIELDS: readonly (readonly [name: string, pattern: string])[] = [
  ["question_index", COUNT],
  ["task", TEXT],
  ["difficulty", orNull(NAME)],
  ["ablation", NAME],
  ["example_id", TEXT],
  ["language", NAME],
  ["change_type", NAME],
  ["permutation_index", COUNT],
  ["permutation", TEXT],
  ["correct_symbol", SYMBOL],
  ["status", NAME],
  ["chosen_symbol", orNull(SYMBOL)],
  ["chosen_option", orNull(COUNT)],
  ["margin", orNull(`(${SIZE})`)],
  ["reason", orNull(NAME)],
  ["failure", orNull(TEXT)],
  ["detail", orNull(TEXT)],
  ["logprobs", `\\{((?:${LOGPROB}(?:,${LOGPROB})*)?)\\}`],
  ["symbol_mass", orNull(`(-?${SIZE})`)],
  ["extraction", orNull(TEXT)],
  ["prompt_tokens", orNull(COUNT)],
  ["cached_tokens", orNull(COUNT)],
  ["duration_ms", `(${SIZE})`],
  ["prompt_sha256", TEXT],
];

const WRITTEN = new RegExp(`${lineOf(FIELDS)}\\}$`);
/** The fields that tell where an answer belongs, which alone are taken out, and what stands before them. */
const TELLING = ["question_index", "permutation_index", "status"];
const BEGINNING = new RegExp(
  lineOf(
    FIELDS.slice(0, 11).map(([name, pattern]) => [
      name,
      TELLING.includes(name) ? pattern : pattern.replace(/\((?![?])/g, "(?:"),
    ]),
  ),
);
/** Bytes that nearly every beginning has room in. */
const GLANCE = 400;

function lineOf(fields: typeof FIELDS): string {
  const patterns = fields.map(([name, pattern]) => {
    const field = `,"${name}":${pattern}`;
    return name === "ablation" ? `(?:${field})?` : field;
  });
  return `^\\{"kind":"answer"${patterns.join("")}`;
}

const DIFFICULTY = byName(DIFFICULTIES);
const ABLATION = byName(WITHHELD);
const LANGUAGE = byName(LANGUAGES);
const CHANGE_TYPE = byName(CHANGE_TYPES);
const STATUS = byName(answerRecord.shape.status.options);
const REASON = byName(answerRecord.shape.reason.unwrap().options);

/**
 * The record of a line that stands as this program writes it, as nearly all do: in a fraction of the time that parsing JSON
 * and checking its fields take. `null`: it stands otherwise, and only the schema can tell whether it is a record.
 */
export function writtenRecord(line: string): AnswerRecord | null {
  const found = WRITTEN.exec(line);
  if (found === null) return null;
  const named = namesOf(found);
  if (named === null) return null;
  return {
    kind: "answer",
    question_index: Number(found[1]),
    task: textOf(found[2]),
    example_id: textOf(found[5]),
    permutation_index: Number(found[8]),
    permutation: textOf(found[9]),
    correct_symbol: textOf(found[10]) as ChoiceSymbol,
    chosen_symbol: textOrNull(found[12]) as ChoiceSymbol | null,
    chosen_option: numberOrNull(found[13]),
    margin: numberOrNull(found[14]),
    failure: textOrNull(found[16]),
    detail: textOrNull(found[17]),
    logprobs: logprobsOf(textOf(found[18])),
    symbol_mass: numberOrNull(found[19]),
    extraction: textOrNull(found[20]),
    prompt_tokens: numberOrNull(found[21]),
    cached_tokens: numberOrNull(found[22]),
    duration_ms: Number(found[23]),
    prompt_sha256: textOf(found[24]),
    difficulty: named.difficulty,
    ablation: named.ablation,
    language: named.language,
    change_type: named.change_type,
    status: named.status,
    reason: named.reason,
  };
}

/** Where an answer belongs, by the beginning of its line; `null`: it stands otherwise. */
export function glanceAtAnswer(line: Buffer): Glance | null {
  const found = BEGINNING.exec(line.toString("latin1", 0, GLANCE));
  if (found === null) return null;
  return { item: Number(found[1]), place: Number(found[2]), isFailed: found[3] === "failed" };
}

type Named = Pick<AnswerRecord, "difficulty" | "ablation" | "language" | "change_type" | "status" | "reason">;

/** The fields whose values are names out of a list; `null` where one has another. */
function namesOf(found: readonly (string | undefined)[]): Named | null {
  const difficulty = nameOrNull(DIFFICULTY, found[3]);
  const ablation = nameOrNull(ABLATION, found[4]);
  const language = LANGUAGE.get(textOf(found[6]));
  const changeType = CHANGE_TYPE.get(textOf(found[7]));
  const status = STATUS.get(textOf(found[11]));
  const reason = nameOrNull(REASON, found[15]);
  if (difficulty === undefined || ablation === undefined || reason === undefined) return null;
  if (language === undefined || changeType === undefined || status === undefined) return null;
  return { difficulty, ablation: ablation ?? undefined, language, change_type: changeType, status, reason };
}

function byName<T extends string>(names: readonly T[]): ReadonlyMap<string, T> {
  return new Map(names.map((name) => [name, name]));
}

/** `null` where there is none, `undefined` where it is no such name. */
function nameOrNull<T extends string>(names: ReadonlyMap<string, T>, found: string | undefined): T | null | undefined {
  return found === undefined ? null : names.get(found);
}

function textOf(found: string | undefined): string {
  return found ?? "";
}

function textOrNull(found: string | undefined): string | null {
  return found ?? null;
}

function numberOrNull(found: string | undefined): number | null {
  return found === undefined ? null : Number(found);
}

/** Of `"A":-0.5,"B":null`; of a letter that stands twice the last counts, as in JSON. */
function logprobsOf(text: string): AnswerRecord["logprobs"] {
  const logprobs: AnswerRecord["logprobs"] = {};
  if (text === "") return logprobs;
  for (const entry of text.split(",")) {
    const value = entry.slice(4);
    logprobs[entry.charAt(1)] = value === "null" ? null : Number(value);
  }
  return logprobs;
}
