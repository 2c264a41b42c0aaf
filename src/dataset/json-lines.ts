import type { Stats } from "node:fs";
import { access, constants, readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { badInput, isSystemError, messageOf, type ProbeError } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { shellWord, shorten } from "../base/text.js";
import { type FileLine, readLines } from "../store/text-lines.js";
import type { DataProblem } from "./problem.js";

/** Result of reading one line of a JSONL file. */
export type JsonLine =
  | { readonly status: "parsed"; readonly line: number; readonly text: string; readonly value: unknown }
  | { readonly status: "invalid"; readonly line: number; readonly problems: readonly DataProblem[] };

/**
 * Streams the JSON values of a JSONL file. Blank lines are passed over.
 * @throws ProbeError `bad_input` when the file cannot be read at all
 */
export async function* readJsonLines(path: string): AsyncGenerator<JsonLine> {
  if (TABLE_ENDING.test(path)) throw notLines(path);
  await requireFile(path, "a JSONL file");
  for await (const line of readLines(path)) {
    if (line.number === 1) requireLines(path, line.bytes);
    const found = jsonLine(path, line);
    if (found !== null) yield found;
  }
}

/** Result of reading a line of a JSONL file; `null`: blank. */
export function jsonLine(path: string, line: FileLine): JsonLine | null {
  const text = decode(path, line);
  if (typeof text !== "string") return { status: "invalid", line: line.number, problems: [text] };
  return text.trim() === "" ? null : parseLine(path, line.number, text);
}

/** The dataset that comes with the program, by the name it has everywhere. */
export const BUNDLED = "starter";

/** Endings of files of comma-separated and tab-separated values. */
export const TABLE_ENDING = /\.[ct]sv$/i;

interface OtherFile {
  /** Beginnings of its first line, in Latin-1. */
  readonly begins: readonly string[];
  readonly what: string;
  /** Command that makes lines of it. */
  readonly remedy: (name: string) => string;
}

const OTHER_FILES: readonly OtherFile[] = [
  { begins: ["\x1f\x8b"], what: "gzip data", remedy: (name) => `Unpack it: gunzip -k ${name}` },
  { begins: ["PK\x03\x04"], what: "a zip archive", remedy: (name) => `Unpack it: unzip ${name}` },
  { begins: ["PAR1"], what: "a Parquet file", remedy: () => "Save it as JSONL or CSV, by what made it." },
  {
    begins: ["\xff\xfe", "\xfe\xff"],
    what: "UTF-16 text",
    remedy: (name) => `Make UTF-8 of it: iconv -f UTF-16 -t UTF-8 ${name} > FILE.jsonl`,
  },
  {
    begins: ["[{", "[ {", "[\n", "[\r"],
    what: "one JSON list",
    remedy: (name) => `Make lines of it: jq -c '.[]' ${name} > FILE.jsonl`,
  },
];

function requireLines(path: string, first: FileLine["bytes"]): void {
  const line = `${first.toString("latin1", 0, 8)}\n`;
  const other = OTHER_FILES.find(({ begins }) => begins.some((begin) => line.startsWith(begin)));
  if (other === undefined) return;
  const { what, remedy } = other;
  throw badInput(`Expected a JSONL file at ${shorten(path, 300)}, found ${what}. ${remedy(shellWord(path))}`);
}

function notLines(path: string): ProbeError {
  const name = shorten(path, 300);
  return badInput(
    `Expected a JSONL file, found the table ${name}. Make one of it: probe dataset import ${name} --out FILE.`,
  );
}

/**
 * Makes sure that there is a file that can be read.
 * @param what is expected, such as `a JSONL file`
 * @throws ProbeError `bad_input`
 */
export async function requireFile(path: string, what: string): Promise<void> {
  const info = await statReadable(path).catch(async (cause: unknown) => {
    const found = isSystemError(cause, "ENOENT") ? "no such file" : shorten(messageOf(cause), 1000);
    const files = (await readdir(dirname(path)).catch(() => [])).filter((name) => /\.jsonl$/i.test(name));
    const near = nearHint(basename(path), [...files, BUNDLED]) || " Check the path.";
    throw badInput(`Expected ${what} at ${path}, found ${found}.${near}`, cause);
  });
  if (!info.isFile()) {
    const kind = info.isDirectory() ? "a directory" : "something that is not a regular file";
    throw badInput(`Expected ${what} at ${path}, found ${kind}. Name the file.`);
  }
}

async function statReadable(path: string): Promise<Stats> {
  await access(path, constants.R_OK);
  return stat(path);
}

function decode(file: string, line: FileLine): string | DataProblem {
  const isByteOrderMark = line.number === 1 && line.bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  const bytes = isByteOrderMark ? line.bytes.subarray(3) : line.bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { file, line: line.number, field: "", expected: "UTF-8 text", found: "bytes that are not UTF-8" };
  }
}

function parseLine(file: string, line: number, text: string): JsonLine {
  try {
    return { status: "parsed", line, text, value: JSON.parse(text) as unknown };
  } catch (error) {
    const found = `${shorten(text, 60)} (${shorten(messageOf(error), 120)})`;
    return { status: "invalid", line, problems: [{ file, line, field: "", expected: "one JSON object", found }] };
  }
}
