import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { messageOf, ProbeError } from "../../../../base/errors.js";
import { shorten } from "../../../../base/text.js";

/** A row of a table: every cell a text. */
export interface TextRow {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The longest row, bytes: what comes after a quotation mark that nobody closed must not fill the memory. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;

/**
 * Streams the rows of a CSV file, the header first (RFC 4180; with or without a byte order mark, lines that end with `\n` or
 * `\r\n`; tabs separate the cells of a file that ends with `.tsv`). Blank lines are passed over. Memory: one row and one chunk.
 * @throws ProbeError `bad_input` for a file that cannot be read, is not UTF-8, or is no such table, naming the line
 */
export async function* readRows(path: string): AsyncGenerator<TextRow> {
  const parser = parse({
    bom: true,
    delimiter: /\.tsv$/i.test(path) ? "\t" : ",",
    max_record_size: MAX_ROW_BYTES,
    raw: true,
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
  });
  const file = createReadStream(path);
  const bytes = Readable.from(utf8Of(path, file));
  bytes.once("error", (error) => parser.destroy(error));
  let line = 1;
  try {
    for await (const { raw, record } of bytes.pipe(parser) as AsyncIterable<ParsedRow>) {
      if (raw.trim() !== "") yield { line, cells: record };
      line += raw.replace(/\r?\n?$/, "").split("\n").length;
    }
  } catch (error) {
    throw explain(path, error);
  } finally {
    file.destroy();
  }
}

/** As the parser gives it; `raw` is the row as it stands in the file, with or without its line end. */
interface ParsedRow {
  readonly raw: string;
  readonly record: readonly string[];
}

/** The file in chunks that end where a line does, so that the line of what is not UTF-8 can be told. */
async function* utf8Of(path: string, file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  const checked = (bytes: Buffer): Buffer => {
    if (!isUtf8(bytes)) throw notUtf8(path, line + linesBeforeFault(bytes));
    line += countLines(bytes);
    return bytes;
  };
  for await (const chunk of file) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (rest.length > MAX_ROW_BYTES) throw tooLong(path, line + countLines(bytes.subarray(0, end)));
    if (end > 0) yield checked(bytes.subarray(0, end));
  }
  if (rest.length > 0) yield checked(rest);
}

const NEWLINE = 0x0a;

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function linesBeforeFault(bytes: Buffer): number {
  let start = 0;
  for (let count = 0; ; count++) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return count;
    start = end + 1;
  }
}

function notUtf8(path: string, line: number): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected UTF-8 text at ${path}:${line}, found bytes that are not. Save the table as UTF-8 (a spreadsheet offers ` +
      "“CSV UTF-8”).",
  );
}

function tooLong(path: string, line: number, cause?: unknown): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected rows of at most ${MAX_ROW_BYTES} bytes, found a longer one at ${path}:${line}. A quotation mark before ` +
      "it may not be closed.",
    { cause },
  );
}

function explain(path: string, error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = typeof error["lines"] === "number" ? error["lines"] : null;
  if (error.code === "CSV_MAX_RECORD_SIZE" && line !== null) return tooLong(path, line, error);
  const where = line === null ? path : `${path}:${line}`;
  return new ProbeError(
    "bad_input",
    `Expected a table of separated values at ${where}, found: ${shorten(messageOf(error), 200)}. A cell with line ` +
      "breaks, separators or quotation marks stands in quotation marks, and each of its own is doubled.",
    { cause: error },
  );
}
